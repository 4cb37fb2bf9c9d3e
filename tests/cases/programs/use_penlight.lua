-- Penlight from many sides: classes, lists, maps, comprehensions, templates, parsers, dates.
local class = require "pl.class"
local List = require "pl.List"
local Map = require "pl.Map"
local OrderedMap = require "pl.OrderedMap"
local Set = require "pl.Set"
local comprehension = require "pl.comprehension".new()
local data = require "pl.data"
local func = require "pl.func"
local lapp = require "pl.lapp"
local lexer = require "pl.lexer"
local permute = require "pl.permute"
local pretty = require "pl.pretty"
local seq = require "pl.seq"
local sip = require "pl.sip"
local stringio = require "pl.stringio"
local stringx = require "pl.stringx"
local tablex = require "pl.tablex"
local template = require "pl.template"
local text = require "pl.text"
local xml = require "pl.xml"

local Animal = class()
function Animal:_init(name) self.name = name end
function Animal:__tostring() return self.name .. " says " .. self:speak() end
local Dog = class(Animal)
function Dog:speak() return "woof" end
local Cat = class(Animal)
function Cat:_init(name, breed)
  self:super(name)
  self.breed = breed
end
function Cat:speak() return "meow" end
for i = 1, 50 do
  local pet = i % 2 == 0 and Dog("rex" .. i) or Cat("tom" .. i, "manx")
  assert(tostring(pet):find("says") and pet:is_a(Animal))
end

local numbers = List.range(1, 200)
local squares = numbers:map(function(x) return x * x end):filter(function(x) return x % 3 == 1 end)
print(squares:len(), squares:reduce("+"), numbers:slice(5, 10):join(","))
print(List.split("a;b;c;d", ";"):reverse())

local ordered = OrderedMap()
for i = 1, 30 do ordered:set("key" .. i, i) end
for key, value in ordered:iter() do assert(key == "key" .. value) end
local map = Map { a = 1, b = 2 }
print(map:keys():sort(), (Set { 1, 2, 3 } * Set { 2, 3, 4 }) == Set { 2, 3 })

print(pretty.write(comprehension "x^2 for x=1,10 if x % 2 == 0" ()))
print(pretty.write(tablex.map(func._1 * 2, { 1, 2, 3 }), ""))
print(tablex.deepcompare(tablex.deepcopy { 1, { 2, { 3 } } }, { 1, { 2, { 3 } } }))
print(seq.sum(seq.map(function(x) return x + 1 end, seq.range(1, 100))))
local permutations = 0
for _ in permute.iter { 1, 2, 3, 4, 5 } do permutations = permutations + 1 end
print(permutations)

print(stringx.join(" ", stringx.split("one two  three")), stringx.center("mid", 11, "*"))
print(text.wrap(("lorem ipsum dolor sit amet "):rep(10), 40))
print(template.substitute([[
# for i, name in ipairs(names) do
  $(i). $(name:upper())
# end
]], { names = { "ada", "grace" }, ipairs = ipairs }))

local count = 0
for kind in lexer.lua("local function f(x) return x + 1.5 -- note\nend", {}) do
  if kind ~= "space" then count = count + 1 end
end
print(count)
local result = {}
assert(sip.match("$v{name}=$i{value}", "answer=42", result) and result.value == 42)
local table2 = data.read(stringio.open "name,age\nann,31\nbob,27\ncyd,45\n")
print(pretty.write(table2:column_by_name "age", ""))
local arguments = lapp [[
A test
  -n,--number (default 3)  a number
  -v,--verbose             a switch
]]
print(arguments.number, arguments.verbose)
local document = xml.parse("<list><item n='1'>one</item><item n='2'>two</item></list>")
for item in document:childtags() do print(item.attr.n, item:get_text()) end
