-- lua-cjson: encode and decode nested values many times, with the errors that it raises.
local cjson = require "cjson"

local function person(i)
  return { name = "Person " .. i, age = i % 90, tags = { "x", "y", i }, address = { city = "Town", zip = i } }
end

local function people(count)
  local result = {}
  for i = 1, count do result[i] = person(i) end
  return result
end

local function roundTrip(value)
  return cjson.decode(cjson.encode(value))
end

local failures = 0
for round = 1, 40 do
  local again = roundTrip(people(50))
  assert(#again == 50 and again[50].address.zip == 50)
  for _, text in ipairs { "[1,2", "{\"a\":}", "nul" } do
    if not pcall(cjson.decode, text) then failures = failures + 1 end
  end
  if not pcall(cjson.encode, { print }) then failures = failures + 1 end
end
print(failures, cjson.decode("null") == cjson.null)
