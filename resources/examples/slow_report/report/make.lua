-- The program: orders in, report out.

local orders = require "report.orders"
local summary = require "report.summary"
local writer = require "report.writer"

--- Makes the report on a new page of the class `Page` and says how it turned out.
local function makeReport(Page)
    local list = orders.read(18000)
    local customers = summary.byCustomer(list)
    local text = writer.write(Page.new(), list, customers)

    print(("%d orders of %d customers, %d bytes of report"):format(#list, #customers, #text))
    print("largest customer: " .. summary.describe(customers[1]))
end

return makeReport
