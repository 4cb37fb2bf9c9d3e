-- lpeg's re module: grammars whose captures call Lua functions.
local re = require "re"
local lpeg = require "lpeg"

local operations = {
  add = function(a, op, b)
    if op == "+" then return a + b elseif op == "-" then return a - b end
    if op == "*" then return a * b end
    return a // b
  end,
  number = function(text) return math.tointeger(tonumber(text)) end,
}
local calculator = re.compile([[
  all     <- space sum !.
  sum     <- (product ({[+-]} space product)*) -> fold
  product <- (factor ({[*/]} space factor)*) -> fold
  factor  <- ({[0-9]+} -> number) space / '(' space sum ')' space
  space   <- %s*
]], {
  number = operations.number,
  fold = function(first, ...)
    local result = first
    for i = 1, select("#", ...), 2 do
      result = operations.add(result, (select(i, ...)), (select(i + 1, ...)))
    end
    return result
  end,
})

local total = 0
for i = 1, 400 do
  total = total + calculator:match(("%d + (3 * %d - 4) / 2 - 7"):format(i, i % 10))
end
print(total)

local words = re.compile("({[a-z]+} / .)* -> {}")
print(#words:match(("the quick brown fox jumps "):rep(50)))
print((re.gsub("hello world", "[aeiou]", function(vowel) return vowel:upper() end)))

local seen = 0
local marker = lpeg.Cmt(lpeg.R("09") ^ 1, function(_, at, digits)
  seen = seen + 1
  if digits == "13" then error("unlucky at " .. at) end
  return at, tonumber(digits)
end)
local list = lpeg.Ct(marker * ("," * marker) ^ 0)
print(#list:match("1,2,3,4"), pcall(list.match, list, "1,13,4"), seen)
