-- case: functions compiled, called, collected and compiled again: prototypes take each other's addresses
-- expect: made calls=3000 def=1 chunk=made
-- expect: other calls=3000 def=2 chunk=made
-- expect: keep calls=3000 def=9
-- expect-c: collectgarbage calls=60
-- edge: keep -> made calls=3000
-- edge: keep -> other calls=3000
-- exit: 0
local function keep(a, b) local x, y = a(), b() return x + y end
local sum = 0
for i = 1, 3000 do
  -- The texts differ in length, so that objects of different sizes change places.
  local filler = ("local z%d = %d "):format(i % 7, i):rep(i % 5)
  local a, b = load("return function() " .. filler .. " return " .. i .. " end,\nfunction() return 1 end", "=made")()
  sum = sum + keep(a, b)
  if i % 50 == 0 then collectgarbage() end
end
print(sum)
