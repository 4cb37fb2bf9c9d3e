-- case: the script's own call, return, line and count hooks get the events they would get without a profiler
-- expect: f calls=24 def=13
-- expect: g calls=12 def=14
-- expect: run calls=4 def=15
-- edge: run -> f calls=12
-- edge: g -> f calls=12
-- exit: 0 stdout~none\tnil
-- invariant: the counts printed are those of a run without a profiler; debug.gethook returns what was set
local seen = {}
local function hook(event, line)
  local info = debug.getinfo(2, "Sl")
  if info.what ~= "C" then seen[#seen + 1] = event .. ":" .. info.linedefined .. ":" .. tostring(line) end end
local function f(x) return x end
local function g(x) local y = f(x) return y end
local function run(n) for i = 1, n do g(i) f(i) end end
for _, mask in ipairs { "c", "r", "l", "cr" } do
  seen = {}
  debug.sethook(hook, mask)
  local h, m, c = debug.gethook()
  run(3)
  debug.sethook()
  print(mask, #seen, h == hook, m, c, table.concat(seen, " "))
end
print("none", debug.gethook())
