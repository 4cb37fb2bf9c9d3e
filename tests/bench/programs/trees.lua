-- Allocation: many small trees built and dropped, closures and strings made on the way.
local rounds = tonumber(arg and arg[1]) or 130

local function build(depth)
  if depth == 0 then return { "leaf" } end
  return { build(depth - 1), build(depth - 1) }
end

local function count(tree)
  if tree[1] == "leaf" then return 1 end
  return 1 + count(tree[1]) + count(tree[2])
end

local function labeller(prefix)
  return function(number) return prefix .. number end
end

local kept = {}
for round = 1, rounds do
  for depth = 4, 10, 2 do
    for _ = 1, 2 ^ (11 - depth) do
      assert(count(build(depth)) == 2 ^ (depth + 1) - 1)
    end
  end
  local label = labeller("round " .. round .. ", tree ")
  for number = 1, 500 do kept[number] = label(number) end
end
assert(#kept == 500)
