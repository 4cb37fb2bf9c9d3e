-- Generates random programs that call, fail, yield and close in every way Lua knows, and runs them:
--
--   random_programs.lua SEED COUNT          runs COUNT programs
--   random_programs.lua SEED COUNT print N  prints the N-th of them
--
-- Each program is a chunk of its own, so one process can run thousands. Every program ends: each
-- function spends one unit of a budget and returns at once when there is none left.

local seed, count = tonumber(arg[1]), tonumber(arg[2])
local printed = arg[3] == "print" and tonumber(arg[4]) or nil

-- A generator of our own, so that a seed means the same programs everywhere.
local state
local function seedWith(number)
  state = (number * 0x9E3779B97F4A7C15) ~ 0x2545F4914F6CDD1D
  if state == 0 then state = 1 end
end

local function random(limit)
  state = state ~ (state << 13)
  state = state ~ (state >> 7)
  state = state ~ (state << 17)
  return (state >> 1) % limit + 1
end

local function chance(percent) return random(100) <= percent end

local function pick(list) return list[random(#list)] end

-- The statements. Each is made by a function that returns its text; `f()` names a random function of
-- the program, `x` and `y` are the parameters of the function around it.
local functionCount

local function f() return "f" .. random(functionCount) end

local function call()
  return pick { "%s(x, y)", "%s(y, x)", "%s(x)", "%s()", "%s(x, y, 1, 2)" }:format(f())
end

local calling = {
  function() return "local a = " .. call() end,
  function() return "x = (" .. call() .. ") or x" end,
  function() return ("for i = 1, %d do %s end"):format(random(3), call()) end,
  function() return ("O:m%d(x)"):format(random(3)) end,
  function() return ("(function(...) return %s(...) end)(x, y)"):format(f()) end,
  function() return ("(function(...) local n = select('#', ...) %s(n) end)(x, y)"):format(f()) end,
  function() return ("local function r(n) if n == 0 then return %s end local s = r(n - 1) return s end r(%d)")
    :format(call(), random(30)) end,
  function() return ("local function t(n) if n == 0 then return %s end return t(n - 1) end t(%d)")
    :format(call(), random(30)) end,
  function() return ("local e, o function e(n) if n == 0 then return %s end return o(n - 1) end " ..
    "function o(n) if n == 0 then return n end return e(n - 1) end e(%d)"):format(call(), random(9)) end,
  function() return "local a = tostring(x) .. string.upper('y') .. ('z'):rep(2)" end,
}

local returning = {
  function() return "do return " .. call() .. " end" end,
  function() return "do return tostring(x) end" end,
  function() return "do return (select(2, x, " .. call() .. ")) end" end,
  function() return ("do return pcall(%s, x, y) end"):format(f()) end,
  function() return "do return O(x, y) end" end,
  function() return ("do return O:m%d(y) end"):format(random(3)) end,
  function() return "do return x, y end" end,
}

local failing = {
  function() return "if R(3) == 1 then error('e') end" end,
  function() return "if R(3) == 1 then error({}) end" end,
  function() return "if R(3) == 1 then error() end" end,
  function() return "if R(3) == 1 then string.rep() end" end,
  function() return "if R(3) == 1 then local z = nil + 1 end" end,
  function() return "if R(3) == 1 then local z = N.a.b end" end,
  function() return "if R(3) == 1 then table.concat({ {} }) end" end,
  function() return "if R(3) == 1 then do return error('tail', 0) end end" end,
  function() return "if R(3) == 1 then ('x'):bad() end" end,
}

local protecting = {
  function() return ("pcall(%s, x, y)"):format(f()) end,
  function() return ("xpcall(%s, H%d, x, y)"):format(f(), random(3)) end,
  function() return ("pcall(pcall, pcall, %s, x)"):format(f()) end,
  function() return ("pcall(error, '%d')"):format(random(9)) end,
  function() return ("xpcall(%s, function(m) %s return m end)"):format(f(), call()) end,
  function() return ("xpcall(%s, function(m) return debug.traceback(tostring(m)) end, x)"):format(f()) end,
  function() return ("assert(pcall(%s, x))"):format(f()) end,
}

local suspending = {
  function() return ("local co = coroutine.create(%s) coroutine.resume(co, x, y)"):format(f()) end,
  function() return ("local co = coroutine.create(%s) for i = 1, %d do coroutine.resume(co, x, y) end")
    :format(f(), random(4)) end,
  function() return ("local co = coroutine.create(%s) coroutine.resume(co, x) S[#S + 1] = co"):format(f()) end,
  function() return "local co = table.remove(S) if co then coroutine.resume(co, x) end" end,
  function() return "local co = S[1] if co then coroutine.resume(co, y) end" end,
  function() return ("local w = coroutine.wrap(%s) pcall(w, x) pcall(w, y)"):format(f()) end,
  function() return ("local w = coroutine.wrap(%s) w(x)"):format(f()) end,
  function() return ("for v in coroutine.wrap(function() for i = 1, %d do coroutine.yield(i) %s end end) do %s end")
    :format(random(3), call(), call()) end,
  function() return "if coroutine.isyieldable() then coroutine.yield(x) end" end,
  function() return "if coroutine.isyieldable() then x = coroutine.yield(x, y) or x end" end,
  function() return "if coroutine.isyieldable() and R(2) == 1 then do return coroutine.yield(x) end end" end,
  function() return "coroutine.yield(x)" end,
  function() return ("local co = coroutine.create(%s) coroutine.resume(co, x) coroutine.close(co)"):format(f()) end,
  function() return "local co = table.remove(S) if co then pcall(coroutine.close, co) end" end,
  function() return ("local co co = coroutine.wrap(function() return pcall(co) end) co()"):format() end,
  function() return "S = {}" end,
  function() return "coroutine.running() coroutine.status(coroutine.running())" end,
}

local closing = {
  function() return "local c <close> = C(" .. random(4) .. ")" end,
  function() return ("do local c <close> = C(%d) local d <close> = C(%d) %s end")
    :format(random(4), random(4), call()) end,
  function() return ("for i = 1, 2 do local c <close> = C(%d) if i == x then break end %s end")
    :format(random(4), call()) end,
  function() return ("for v in next, { 1, 2 }, nil, C(%d) do %s end"):format(random(4), call()) end,
  function() return ("do local c <close> = setmetatable({}, { __close = function(_, e) %s end }) %s end")
    :format(call(), call()) end,
}

local metamethods = {
  function() return "local a = O.missing" end,
  function() return "O.x" .. random(5) .. " = x" end,
  function() return "local a = O + 1, -O, #O" end,
  -- No concatenation: after a __concat that made the stack grow, Debian's Lua 5.4.4 (with its fix of
  -- CVE-2022-33099) goes on with a pointer into the old stack.
  function() return "local a = O < O, O <= O, O > P" end,
  function() return "local a = O == P" end,
  function() return "O(x)" end,
  function() return "for k in pairs(O) do " .. call() .. " end" end,
  function() return "tostring(O)" end,
  function() return "setmetatable({}, { __gc = function() " .. call() .. " end })" end,
  function() return "local a = O // 2, O & 1, O[1]" end,
}

local callbacks = {
  function() return ("table.sort({ 3, 1, 2, 5, 4 }, function(a, b) %s return a < b end)"):format(call()) end,
  function() return ("pcall(table.sort, { 3, 1, 2 }, %s)"):format(f()) end,
  function() return ("('abc'):gsub('%%a', function(c) return %s and c end)"):format(call()) end,
  function() return ("string.gsub('ab', '.', %s)"):format(f()) end,
  function() return ("for w in ('a b'):gmatch('%%a') do %s end"):format(call()) end,
  function() return ("for i, v in ipairs({ 1, 2 }) do %s end"):format(call()) end,
  function() return "local g = load('local z = ... return z') g(x)" end,
  function() return ("load('local z = ... return z(1)', '=again')(%s)"):format(f()) end,
  function() return "local g, h = load('local a = ... return function(b) return b end, function() return a end', "
    .. "'=again1')(x) g(y) h()" end,
  function() return ("local g = load('local a, n = ... local z = %d local function q(n) if n > 0 then return q(n - 1) "
    .. "end return a(z) end return function() return q(3) end', '=again2')(%s) g() g()"):format(random(40), f()) end,
  function() return ("local p = { 'return ', '1' } local g = load(function() %s return table.remove(p, 1) end) g()")
    :format(call()) end,
  function() return "pcall(load, function() error('r') end)" end,
  function() return "load('syntax error here')" end,
  function() return "require('string')" end,
  function() return "next({}) rawget(O, 1) type(x) select('#', x, y)" end,
}

local rare = {
  function() return "local function d(n) if n > 0 then return 1 + d(n - 1) end return 0 end d(250)" end,
  function() return "local function g() return pcall(g) end g()" end,
  function() return "local function g() return (string.gsub('x', 'x', g)) end pcall(g)" end,
  function() return ("xpcall(%s, function() error('again') end)"):format(f()) end,
  function() return "local function w() return coroutine.wrap(w)() end pcall(w)" end,
  function() return "collectgarbage()" end,
  function() return "collectgarbage('step')" end,
}

local groups = {
  { 30, calling }, { 8, returning }, { 7, failing }, { 10, protecting }, { 18, suspending },
  { 8, closing }, { 8, metamethods }, { 9, callbacks }, { 2, rare },
}

local function statement()
  local number = random(100)
  for _, group in ipairs(groups) do
    number = number - group[1]
    if number <= 0 then return pick(group[2])() end
  end
  return "x = y"
end

local function body(most)
  local lines = {}
  for i = 1, random(most) do
    -- A block each, so that a statement may declare what it likes.
    local text = statement()
    lines[i] = text:find("^local c <close>") and text or "do " .. text .. " end"
  end
  if chance(25) then lines[#lines + 1] = "return " .. call() end
  return table.concat(lines, chance(50) and "\n  " or " ")
end

-- The surroundings of the functions: an object with metamethods, closers, handlers.
local prologue = [[
local B, R = ...
local N, S = nil, {}
local O, P
local %s
local function C(kind)
  return setmetatable({}, { __close = function(o, e)
    if kind == 1 then return e end
    if kind == 2 then error('closing') end
    if kind == 3 and coroutine.isyieldable() then coroutine.yield(kind) end
    if kind == 4 then f1(kind, 0) end
  end })
end
local function H1(m) return m end
local function H2(m) f1(1, 2) return m end
local function H3(m) if R(2) == 1 then error('handler') end return m end
local M = {}
for _, name in ipairs({ 'add', 'unm', 'len', 'lt', 'le', 'eq', 'call', 'idiv', 'band' }) do
  M['__' .. name] = function(a, b) B.n = B.n - 1 if B.n < 0 then return 0 end return f1(1, 2) and 0 or 0 end
end
]]

local methods = [[
M.__index = { m1 = function(self, v) return f1(v) end, m2 = function(self, v) f2(v, v) end,
  m3 = function(self, ...) return ... end }
if R(2) == 1 then
  local methods = M.__index
  M.__index = function(t, k) return methods[k] end
end
M.__newindex = function(t, k, v) rawset(t, k, v) end
M.__pairs = function(t) return function(_, k) if not k then return 1 end end, t, nil end
M.__tostring = function() return 'O' end
M.__name = 'Object'
O, P = setmetatable({}, M), setmetatable({}, M)
]]

local function generate(index)
  seedWith(seed * 1000003 + index)
  functionCount = random(6) + 2
  local names, definitions = {}, {}
  for i = 1, functionCount do
    names[i] = "f" .. i
    definitions[i] = ("function f%d(x, y)\n  B.n = B.n - 1 if B.n < 0 then return 0 end\n  x, y = x or 1, y or 2\n  %s\nend")
      :format(i, body(5))
  end
  return table.concat {
    prologue:format(table.concat(names, ", ")), methods, table.concat(definitions, "\n"),
    "\nfor i = 1, ", tostring(random(3)), " do ", pick { "pcall(f1, i, 2)", "xpcall(f2, H2, 3, i)",
      "coroutine.wrap(function() pcall(f1, 1, 2) pcall(f2, 3, 4) end)()", "f1(i, i)" }, " end ",
    pick { "return f2(1, 2)", "local c <close> = C(1)", "f2(5, 6)", "" }, "\n",
  }
end

if printed then
  io.write(generate(printed))
  os.exit(true)
end

for index = 1, count do
  local chunk = assert(load(generate(index), "=p" .. index))
  seedWith(seed + index)
  local budget = { n = 150 }
  local surroundings = random(4)
  if surroundings == 1 then
    pcall(chunk, budget, random)
  elseif surroundings == 2 then
    xpcall(chunk, function(m) return m end, budget, random)
  elseif surroundings == 3 then
    pcall(coroutine.wrap(chunk), budget, random)
  else
    local co = coroutine.create(chunk)
    for _ = 1, random(4) do coroutine.resume(co, budget, random) end
  end
  if index % 16 == 0 then collectgarbage() end
end
print(("%d programs from seed %d"):format(count, seed))
