-- Prints a program of about ten thousand lines: functions in files' usual shapes that call earlier ones.
local count = tonumber(arg[1]) or 1200

local function put(...) print(string.format(...)) end

put("local M, total = {}, 0")
for i = 1, count do
  local earlier = i > 3 and i - 1 - i % 3 or nil
  if i % 4 == 0 then
    put("function M.f%d(a, b)", i)
  elseif i % 4 == 1 then
    put("M.f%d = function(a, b)", i)
  else
    put("function M:m%d(a, b)", i)
  end
  put("  local result = a + b * %d", i)
  put("  if result %% 7 == 0 then")
  put("    result = result // 7")
  put("  end")
  if earlier and earlier % 4 < 2 then put("  if a < 3 then result = result + M.f%d(a + 1, b) end", earlier) end
  put("  total = total + 1")
  put("  return result")
  put("end")
end
put("local sum = 0")
for i = 1, count do
  put(i % 4 < 2 and "sum = sum + M.f%d(1, 2)" or "sum = sum + M:m%d(1, 2)", i)
end
put("print(sum, total)")
