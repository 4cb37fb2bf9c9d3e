-- Lua functions called from C: comparators of table.sort, replacements of gsub, methods called by pcall.
local rounds = tonumber(arg and arg[1]) or 650

local function before(a, b) return a.key < b.key end

local function shuffled(count)
  local result, seed = {}, 42
  for i = 1, count do
    seed = (seed * 16807) % 2147483647
    result[i] = { key = seed, value = i }
  end
  return result
end

local function expand(name)
  return "<" .. name .. ">"
end

local function twice(character)
  return character .. character
end

local template = ("$first and $second or $third, "):rep(40)
for _ = 1, rounds do
  local items = shuffled(400)
  table.sort(items, before)
  for i = 2, #items do assert(items[i - 1].key <= items[i].key) end
  local text, count = template:gsub("%$(%a+)", expand)
  assert(count == 120)
  local _, letters = text:gsub("%a", twice)
  assert(letters > 400)
end
