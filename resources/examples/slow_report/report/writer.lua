-- Lays the report out, line by line. It does not care how a page keeps its lines.

local summary = require "report.summary"

local writer = {}

local function writeOrder(page, order)
    page:add(("%6d  %-20s %3d x %-8s %14s"):format(order.number, order.customer, order.pieces,
        order.article, summary.money(summary.worth(order))))
end

local function writeCustomer(page, customer)
    page:add(("%-20s %5d orders %16s"):format(customer.name, customer.orders,
        summary.money(customer.worth)))
end

local function writeTitle(page, title)
    page:add("")
    page:add(title)
    page:add(("="):rep(#title))
end

--- Writes all orders and the sums by customer; returns the text.
function writer.write(page, orders, customers)
    writeTitle(page, "Orders")
    for _, order in ipairs(orders) do
        writeOrder(page, order)
    end
    writeTitle(page, "Customers")
    for _, customer in ipairs(customers) do
        writeCustomer(page, customer)
    end
    return page:text()
end

return writer
