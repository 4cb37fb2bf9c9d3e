-- A known split: `manyCalls` makes a million calls of a tiny function, `oneLoop` makes none. How long
-- each takes without a profiler is measured by the script itself and left in the global `elapsed`.
local calls = 1000000
local loops = tonumber(arg and arg[1]) or 16500000

local function tiny(x) return x + 1 end

local function manyCalls()
  local x = 0
  for _ = 1, calls do x = tiny(x) end
  return x
end

local function oneLoop()
  local x = 0
  for i = 1, loops do x = (x + i) & 0xffff end
  return x
end

local start = os.clock()
manyCalls()
local middle = os.clock()
oneLoop()
elapsed = { manyCalls = middle - start, oneLoop = os.clock() - middle }
