-- What the orders add up to.

local summary = {}

local function worth(order)
    return order.pieces * order.price
end

local function largerFirst(a, b)
    if a.worth ~= b.worth then
        return a.worth > b.worth
    end
    return a.name < b.name
end

--- The customers with their sums, the largest first.
function summary.byCustomer(orders)
    local byName, list = {}, {}
    for _, order in ipairs(orders) do
        local customer = byName[order.customer]
        if not customer then
            customer = { name = order.customer, orders = 0, worth = 0 }
            byName[order.customer] = customer
            list[#list + 1] = customer
        end
        customer.orders = customer.orders + 1
        customer.worth = customer.worth + worth(order)
    end
    table.sort(list, largerFirst)
    return list
end

--- An amount of cents as text: 123456789 becomes "1,234,567.89".
function summary.money(cents)
    local whole = ("%d"):format(cents // 100)
    local grouped = whole:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")
    return ("%s.%02d"):format(grouped, cents % 100)
end

function summary.describe(customer)
    return ("%s, %d orders, %s"):format(customer.name, customer.orders, summary.money(customer.worth))
end

summary.worth = worth

return summary
