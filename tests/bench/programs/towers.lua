-- Towers of Hanoi with linked disks, methods on one object.
local rounds = tonumber(arg and arg[1]) or 170
local disks = 13

local Towers = {}
Towers.__index = Towers

function Towers.new(count)
  local self = setmetatable({ piles = {}, moves = 0 }, Towers)
  for size = count, 1, -1 do self:push(1, { size = size }) end
  return self
end

function Towers:push(pile, disk)
  local top = self.piles[pile]
  if top and disk.size >= top.size then error("a larger disk on a smaller one") end
  disk.below = top
  self.piles[pile] = disk
end

function Towers:pop(pile)
  local top = self.piles[pile]
  if not top then error("no disk on this pile") end
  self.piles[pile] = top.below
  top.below = nil
  return top
end

function Towers:moveTop(from, to)
  self:push(to, self:pop(from))
  self.moves = self.moves + 1
end

function Towers:move(count, from, to)
  if count == 1 then
    self:moveTop(from, to)
    return
  end
  local other = 6 - from - to
  self:move(count - 1, from, other)
  self:moveTop(from, to)
  self:move(count - 1, other, to)
end

for _ = 1, rounds do
  local towers = Towers.new(disks)
  towers:move(disks, 1, 2)
  assert(towers.moves == 2 ^ disks - 1)
end
