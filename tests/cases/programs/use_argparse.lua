-- argparse: parsers with commands and options, good and bad command lines, generated help.
local argparse = require "argparse"

local function build()
  local parser = argparse("tool", "A tool.")
  parser:option("-l --level", "Level."):convert(tonumber):default "1"
  parser:flag("-v --verbose", "Say more."):count "*"
  local copy = parser:command("copy", "Copies.")
  copy:argument("from"):args "+"
  copy:option("--to"):choices { "here", "there" }
  local list = parser:command("list ls", "Lists.")
  list:mutex(list:flag "--short", list:flag "--long")
  return parser
end

local lines = {
  { "copy", "a", "b", "--to", "here" }, { "-vvv", "ls", "--long" }, { "--level=3", "list" },
  { "copy" }, { "ls", "--short", "--long" }, { "unknown" }, { "-l" },
}
local good, bad = 0, 0
for _ = 1, 20 do
  for _, line in ipairs(lines) do
    local ok = build():pparse(line)
    if ok then good = good + 1 else bad = bad + 1 end
  end
end
print(good, bad)
print(build():get_help())
