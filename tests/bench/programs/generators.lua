-- Coroutines as generators: wrapped ones in `for` loops, a recursive tree walk, a pipeline of filters.
local rounds = tonumber(arg and arg[1]) or 130

local function range(first, last)
  return coroutine.wrap(function()
    for value = first, last do coroutine.yield(value) end
  end)
end

local function filter(predicate, source)
  return coroutine.wrap(function()
    for value in source do
      if predicate(value) then coroutine.yield(value) end
    end
  end)
end

local function insert(tree, key)
  if not tree then return { key = key } end
  local side = key < tree.key and "left" or "right"
  tree[side] = insert(tree[side], key)
  return tree
end

local function visit(tree)
  if not tree then return end
  visit(tree.left)
  coroutine.yield(tree.key)
  visit(tree.right)
end

local function inOrder(tree)
  local walker = coroutine.create(visit)
  return function()
    local ok, key = coroutine.resume(walker, tree)
    assert(ok, key)
    return key
  end
end

local function isEven(value) return value % 2 == 0 end
local function isOfThree(value) return value % 3 == 0 end

for _ = 1, rounds do
  local sum = 0
  for value in filter(isOfThree, filter(isEven, range(1, 6000))) do sum = sum + value end
  assert(sum == 6 * (1000 * 1001 // 2))

  local tree
  for i = 1, 1000 do tree = insert(tree, i * 619 % 1009) end
  local last, count = -1, 0
  for key in inOrder(tree) do
    assert(key > last)
    last, count = key, count + 1
  end
  assert(count == 1000)
end
