-- Eight queens by backtracking, with helper functions for the three occupied arrays.
local rounds = tonumber(arg and arg[1]) or 4000
local size = 8

local Board = {}
Board.__index = Board

local function filled(count)
  local result = {}
  for i = 1, count do result[i] = true end
  return result
end

function Board.new()
  return setmetatable({ rows = filled(size), up = filled(2 * size), down = filled(2 * size), queens = {} }, Board)
end

function Board:isFree(row, column)
  return self.rows[row] and self.up[column + row] and self.down[column - row + size]
end

function Board:set(row, column, isFree)
  self.rows[row] = isFree
  self.up[column + row] = isFree
  self.down[column - row + size] = isFree
end

function Board:place(column)
  for row = 1, size do
    if self:isFree(row, column) then
      self.queens[row] = column
      self:set(row, column, false)
      if column == size then return true end
      if self:place(column + 1) then return true end
      self:set(row, column, true)
    end
  end
  return false
end

for _ = 1, rounds do
  local board = Board.new()
  assert(board:place(1))
  assert(#board.queens == size)
end
