-- case: the script looks around: tracebacks, levels, running coroutine, arguments, libraries, hook
-- args: one two three
-- expect: level calls=2 def=7
-- expect: handler calls=1 def=10
-- exit: 1 stderr~stack traceback
-- invariant: every byte on stdout and stderr is the same as without a profiler
local function level()
  local info = debug.getinfo(2, "nSlt") return info.name, info.namewhat, info.currentline, info.istailcall
end
local function handler(m) return debug.traceback(m, 1) end
local function caller() return level() end
print(level())
print(caller())
print(xpcall(function() local t = nil return t.x end, handler))
print(debug.gethook())
print(select("#", ...), ..., arg[0], arg[1], #arg, arg[-1])
print(coroutine.running() == coroutine.running(), select(2, coroutine.running()), coroutine.isyieldable())
local names = {}
for name in pairs(package.loaded) do names[#names + 1] = name end
for name in pairs(debug) do names[#names + 1] = "debug." .. name end
table.sort(names)
print(table.concat(names, " "))
local co = coroutine.create(function() coroutine.yield(debug.traceback("inside")) error({ 1 }) end)
print(coroutine.resume(co))
print(debug.traceback(co, "outside"))
print(debug.getinfo(1, "S").source, debug.getinfo(print, "S").what, debug.getinfo(debug.sethook, "S").what)
print(debug.getregistry()._HOOKKEY ~= nil, collectgarbage("isrunning"), collectgarbage("incremental"))
local function deep(n) if n == 0 then error("at the bottom") end deep(n - 1) end
deep(30)
