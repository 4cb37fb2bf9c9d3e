-- Where the orders come from. They are made up, the same ones in every run.

local orders = {}

local names = { "Ada", "Blaise", "Charles", "Donald", "Edsger", "Frances", "Grace", "Hedy" }
local towns = { "Arles", "Bergen", "Cadiz", "Delft", "Evora" }
local goods = { "lamp", "chair", "table", "clock", "mirror", "shelf" }

--- Numbers that look random and never change: math.random starts anew in each run.
local function newDice(seed)
    local state = seed
    return function(sides)
        state = (state * 1103515245 + 12345) % 2147483648
        return state // 65536 % sides + 1
    end
end

local function readOrder(number, roll)
    return {
        number = number,
        customer = names[roll(#names)] .. " of " .. towns[roll(#towns)],
        article = goods[roll(#goods)],
        pieces = roll(12),
        price = roll(9000) + 999,
    }
end

--- A list of `count` orders; prices are in cents.
function orders.read(count)
    local roll = newDice(2024)
    local list = {}
    for number = 1, count do
        list[number] = readOrder(number, roll)
    end
    return list
end

return orders
