-- Variable arguments, higher-order functions and tail calls.
local rounds = tonumber(arg and arg[1]) or 900000

local function sum(...)
  local total = 0
  for i = 1, select("#", ...) do total = total + (select(i, ...)) end
  return total
end

local function apply(f, ...)
  return f(...)
end

local function compose(f, g)
  return function(...) return f(g(...)) end
end

local function double(value) return value * 2 end
local function increment(value) return value + 1 end

local function countDown(n, acc)
  if n == 0 then return acc end
  return countDown(n - 1, acc + n)
end

local both = compose(double, increment)
local total = 0
for i = 1, rounds do
  total = total + apply(sum, i, i + 1, i + 2)
  total = total + apply(both, i)
  total = total + countDown(5, 0)
end
assert(total == rounds * (rounds + 1) // 2 * 5 + rounds * 20)
