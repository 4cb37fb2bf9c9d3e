-- All permutations of a small array by recursive swapping.
local rounds = tonumber(arg and arg[1]) or 65
local size = 8

local count = 0
local values = {}

local function swap(i, j)
  values[i], values[j] = values[j], values[i]
end

local function permute(n)
  count = count + 1
  if n == 0 then return end
  permute(n - 1)
  for i = n, 1, -1 do
    swap(n, i)
    permute(n - 1)
    swap(n, i)
  end
end

local function expectedCount(n)
  if n == 0 then return 1 end
  return 1 + (n + 1) * expectedCount(n - 1)
end

for _ = 1, rounds do
  count = 0
  for i = 1, size - 1 do values[i] = i end
  permute(size - 1)
  assert(count == expectedCount(size - 1))
  for i = 1, size - 1 do assert(values[i] == i) end
end
