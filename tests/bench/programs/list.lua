-- Takeuchi's function over linked lists instead of numbers.
local rounds = tonumber(arg and arg[1]) or 650

local function cell(value, rest)
  return { value = value, rest = rest }
end

local function makeList(length)
  if length == 0 then return nil end
  return cell(length, makeList(length - 1))
end

local function length(list)
  if not list then return 0 end
  return 1 + length(list.rest)
end

local function isShorter(x, y)
  while y do
    if not x then return true end
    x, y = x.rest, y.rest
  end
  return false
end

local function takeuchi(x, y, z)
  if not isShorter(y, x) then return z end
  local a = takeuchi(x.rest, y, z)
  local b = takeuchi(y.rest, z, x)
  local c = takeuchi(z.rest, x, y)
  return (takeuchi(a, b, c))
end

for _ = 1, rounds do
  local result = takeuchi(makeList(15), makeList(10), makeList(6))
  assert(length(result) == 10)
end
