-- case: hooks of coroutines: a new one inherits the mask, not the hook function; each can have its own
-- expect: f calls=12 def=9
-- expect: body calls=2 def=10
-- edge: body -> f calls=8
-- edge: main -> f calls=4
-- exit: 0
local counts = { main = 0, co = 0 }
local mainHook, coHook = function() counts.main = counts.main + 1 end, function() counts.co = counts.co + 1 end
local function f() return 1 end
local function body()
  local hook, mask, count = debug.gethook()
  print("inside", hook == nil, hook == coHook, mask, count)
  for i = 1, 4 do f() coroutine.yield(i) end
end
debug.sethook(mainHook, "c")
local first = coroutine.create(body)
local second = coroutine.create(body)
debug.sethook(second, coHook, "cr")
print(debug.gethook(first))
print(select(2, debug.gethook(second)), debug.gethook(second) == coHook)
for _ = 1, 5 do coroutine.resume(first) coroutine.resume(second) end
for _ = 1, 4 do f() end
debug.sethook(second)
debug.sethook()
print(counts.main, counts.co, coroutine.status(first), coroutine.status(second))
