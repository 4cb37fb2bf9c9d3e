-- Calls of C functions from one loop: strings, mathematics, tables, types.
local rounds = tonumber(arg and arg[1]) or 600000

local byte, char, sub, format = string.byte, string.char, string.sub, string.format
local floor, max, abs = math.floor, math.max, math.abs
local insert, remove, unpack = table.insert, table.remove, table.unpack

local function step(text, values, i)
  local code = byte(text, i % #text + 1)
  local letter = char(code)
  local tail = sub(text, i % 7 + 1, i % 7 + 3)
  insert(values, floor(i / 3))
  insert(values, max(abs(i - 1000), code))
  local a, b = unpack(values, 1, 2)
  remove(values)
  remove(values)
  if i % 16 == 0 then format("%d %s", code, tail) end
  return a + b + #letter + select("#", tail, letter)
end

local total, values = 0, {}
for i = 1, rounds do
  total = total + step("the quick brown fox", values, i)
  if type(total) ~= "number" or rawlen(values) ~= 0 then error("lost count") end
end
assert(math.type(total) == "integer" and total > rounds)
