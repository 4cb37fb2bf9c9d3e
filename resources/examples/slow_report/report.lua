-- Perilune example 1: a report that takes too long.
--
-- Reads some thousand orders, adds them up by customer and writes a report. It works, but it is slow.
--
-- What to look for
--   1. Run it and look at the Functions table: one function, Page:add, has most of the self time.
--   2. Select it. Callers shows who calls it; Source shows the line that builds the page by joining
--      strings in a loop. Each join copies the whole page so far, so twice the orders take four
--      times as long.
--   3. Run fixed_report.lua, which uses another page and is the same otherwise, and compare the two.

local folder = arg[0]:match("^(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path

local makeReport = require "report.make"
local Page = require "report.page_slow"

makeReport(Page)
