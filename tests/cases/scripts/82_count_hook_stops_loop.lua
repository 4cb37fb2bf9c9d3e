-- case: a sandbox ends endless loops with a count hook that raises an error
-- expect: endless calls=3 def=6
-- expect: after calls=3 def=8
-- edge: main -> after calls=3
-- exit: 0 stdout~too long
local function endless() local i = 0 while true do i = i + 1 end end
local function stop() error("too long", 0) end
local function after() return 1 end
for _ = 1, 3 do
  debug.sethook(stop, "", 1000)
  local ok, message = pcall(endless)
  debug.sethook()
  print(ok, message)
  after()
end
