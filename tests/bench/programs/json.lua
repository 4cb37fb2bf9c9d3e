-- A JSON writer and a recursive descent reader in plain Lua.
local rounds = tonumber(arg and arg[1]) or 85

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t" }
local unescapes = { ['"'] = '"', ["\\"] = "\\", n = "\n", t = "\t" }

local Writer = {}
Writer.__index = Writer

function Writer:put(text) self[#self + 1] = text end

function Writer:string(text)
  self:put('"' .. text:gsub('[%c"\\]', escapes) .. '"')
end

function Writer:array(values)
  self:put("[")
  for i, value in ipairs(values) do
    if i > 1 then self:put(",") end
    self:value(value)
  end
  self:put("]")
end

function Writer:object(fields)
  local keys = {}
  for key in pairs(fields) do keys[#keys + 1] = key end
  table.sort(keys)
  self:put("{")
  for i, key in ipairs(keys) do
    if i > 1 then self:put(",") end
    self:string(key)
    self:put(":")
    self:value(fields[key])
  end
  self:put("}")
end

function Writer:value(value)
  local kind = type(value)
  if kind == "string" then self:string(value)
  elseif kind == "table" then
    if value[1] ~= nil then self:array(value) else self:object(value) end
  else self:put(tostring(value)) end
end

local function encode(value)
  local writer = setmetatable({}, Writer)
  writer:value(value)
  return table.concat(writer)
end

local Reader = {}
Reader.__index = Reader

function Reader:peek() return self.text:byte(self.at) end

function Reader:advance() self.at = self.at + 1 end

function Reader:skipSpace()
  local byte = self:peek()
  while byte == 32 or byte == 10 do
    self:advance()
    byte = self:peek()
  end
end

function Reader:expect(byte)
  if self:peek() ~= byte then error("expected " .. string.char(byte) .. " at " .. self.at) end
  self:advance()
end

function Reader:accept(byte)
  self:skipSpace()
  if self:peek() ~= byte then return false end
  self:advance()
  return true
end

function Reader:string()
  self:expect(34)
  local pieces, first = {}, self.at
  while true do
    local byte = self:peek()
    if byte == 34 then break end
    if byte == 92 then
      pieces[#pieces + 1] = self.text:sub(first, self.at - 1)
      self:advance()
      pieces[#pieces + 1] = unescapes[self.text:sub(self.at, self.at)]
      first = self.at + 1
    end
    self:advance()
  end
  pieces[#pieces + 1] = self.text:sub(first, self.at - 1)
  self:advance()
  return table.concat(pieces)
end

function Reader:number()
  local first = self.at
  local byte = self:peek()
  while byte and (byte >= 48 and byte <= 57 or byte == 45 or byte == 46) do
    self:advance()
    byte = self:peek()
  end
  return tonumber(self.text:sub(first, self.at - 1))
end

function Reader:array()
  local result = {}
  self:expect(91)
  if self:accept(93) then return result end
  repeat result[#result + 1] = self:value() until not self:accept(44)
  self:expect(93)
  return result
end

function Reader:object()
  local result = {}
  self:expect(123)
  if self:accept(125) then return result end
  repeat
    self:skipSpace()
    local key = self:string()
    self:skipSpace()
    self:expect(58)
    result[key] = self:value()
  until not self:accept(44)
  self:expect(125)
  return result
end

function Reader:word(text, value)
  if self.text:sub(self.at, self.at + #text - 1) ~= text then error("unknown word at " .. self.at) end
  self.at = self.at + #text
  return value
end

function Reader:value()
  self:skipSpace()
  local byte = self:peek()
  if byte == 34 then return self:string()
  elseif byte == 123 then return self:object()
  elseif byte == 91 then return self:array()
  elseif byte == 116 then return self:word("true", true)
  elseif byte == 102 then return self:word("false", false) end
  return self:number()
end

local function decode(text)
  return setmetatable({ text = text, at = 1 }, Reader):value()
end

local function sample()
  local people = {}
  for i = 1, 60 do
    people[i] = {
      name = "Person \"" .. i .. "\"", age = i % 90, height = 1.5 + i / 100, isActive = i % 2 == 0,
      tags = { "first", "second\tpart", "line\nbreak" },
      address = { street = "Road " .. i, city = "Town", position = { i * 3, i * 5, i * 7 } },
    }
  end
  return { people = people, version = 3 }
end

local text = encode(sample())
for _ = 1, rounds do
  local again = encode(decode(text))
  assert(again == text)
end
