-- LuaSocket's streams: filters, sources and sinks chained by functions that return functions.
local ltn12 = require "ltn12"
local mime = require "mime"

local text = ("A line with ünïcödé and = signs, long enough to be wrapped somewhere.\n"):rep(60)
local encoded, decoded = {}, {}
local encode = ltn12.filter.chain(mime.encode("quoted-printable"), mime.wrap("quoted-printable"))
local decode = ltn12.filter.chain(mime.decode("quoted-printable"), mime.normalize("\n"))
assert(ltn12.pump.all(ltn12.source.chain(ltn12.source.string(text), encode), (ltn12.sink.table(encoded))))
assert(ltn12.pump.all(ltn12.source.string(table.concat(encoded)),
  ltn12.sink.chain(decode, (ltn12.sink.table(decoded)))))
print(#encoded, table.concat(decoded) == text)
local base = ltn12.filter.chain(mime.encode("base64"), mime.wrap("base64"))
local sink, chunks = ltn12.sink.table()
assert(ltn12.pump.all(ltn12.source.chain(ltn12.source.string(text), base), sink))
print(#chunks)
