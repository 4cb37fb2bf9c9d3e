-- case: __gc finalizers run inside whatever function triggers the GC, with hooks DISABLED by the VM
-- expect: fin calls=200 hook=0 def=12
-- expect: fin_helper calls=200 hook=0 def=11
-- expect: make calls=200 def=13
-- expect: victim calls=1 def=14
-- expect-c: collectgarbage calls=2
-- time: make self>0.02
-- invariant: hook profilers report 0 calls for fin/fin_helper and charge their time to collectgarbage (or any allocating function); show it as "GC/finalizers", do not lose it silently
-- exit: 0
local n = 0
local function fin_helper() local t = os.clock() while os.clock() - t < 0.0002 do end n = n + 1 end
local function fin() fin_helper() end
local function make() return setmetatable({}, { __gc = fin }) end
local function victim() collectgarbage() collectgarbage() end
for i = 1, 200 do make() end
victim()
print(n)
