-- Errors as control flow: raised several levels down, caught, some with handlers.
local rounds = tonumber(arg and arg[1]) or 1000000

local function check(value)
  if value % 3 == 0 then error("multiple of three") end
  if value % 5 == 0 then error({ code = value }) end
  return value
end

local function convert(value)
  local result = check(value)
  return result + 1
end

local function process(value)
  local result = convert(value)
  return result * 2
end

local function handler(message)
  return { message = message }
end

local good, bad = 0, 0
for i = 1, rounds do
  local ok
  if i % 2 == 0 then
    ok = pcall(process, i)
  else
    ok = xpcall(process, handler, i)
  end
  if ok then good = good + 1 else bad = bad + 1 end
end
assert(good + bad == rounds and bad == rounds // 3 + rounds // 5 - rounds // 15)
