-- Ten million calls: through an upvalue, a method and a C function.
local Counter = {}
Counter.__index = Counter
function Counter:add(n) self.sum = self.sum + n end

local function identity(x) return x end

local counter = setmetatable({ sum = 0 }, Counter)
local abs = math.abs
for i = 1, 2500000 do
  counter:add(identity(i))
  counter:add(abs(-i))
end
print(counter.sum)
