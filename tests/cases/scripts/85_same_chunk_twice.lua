-- case: one text compiled many times under one name is one set of functions; another text of that name is another
-- expect: twice calls=1000 def=2 chunk=twice
-- expect: chunk_twice calls=500 def=0 chunk=twice
-- exit: 0
-- invariant: the table has one row for the function on line 2, not 500
local text = "local n = ...\nreturn function(x) return x + n end"
local s = 0
for i = 1, 500 do
  local f = load(text, "=twice")(i)
  s = s + f(1) + f(2)
end
print(s)
