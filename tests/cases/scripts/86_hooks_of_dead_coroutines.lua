-- case: coroutines with hooks of their own are collected; new ones at their addresses have no hook
-- expect: body calls=600 def=6
-- expect: f calls=1200 def=5
-- exit: 0 stdout~^0\t900
local function f() return 1 end
local function body() f() coroutine.yield() f() end
local leaked, seen = 0, 0
for i = 1, 600 do
  local co = coroutine.create(body)
  if debug.gethook(co) then leaked = leaked + 1 end
  if i % 2 == 0 then debug.sethook(co, function() seen = seen + 1 end, "l") end
  coroutine.resume(co)
  coroutine.resume(co)
  co = nil
  if i % 20 == 0 then collectgarbage() end
end
print(leaked, seen)
