-- Doubly recursive Fibonacci: nothing but calls.
local n = tonumber(arg and arg[1]) or 34

local function fib(k)
  if k < 2 then return k end
  return fib(k - 1) + fib(k - 2)
end

local expected, after = 0, 1
for _ = 1, n do expected, after = after, expected + after end
assert(fib(n) == expected)
