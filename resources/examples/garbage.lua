-- Perilune example 4: the price of short-lived tables.
--
-- Moves the same points in two ways: `moved` makes a new point for every step, `move` changes the
-- point that is there.
--
-- What to look for
--   1. Both walks do the same sums, and `walkWithGarbage` takes longer: making tables costs time, and so
--      does collecting them. The collector's time stays with the function in which it ran.
--   2. Record with memory to see the bytes that each function allocated: nearly all are those of `moved`.
--   3. `forget` keeps a finalizer busy: it runs whenever the collector finds one of its tables.

local function newPoint(x, y)
    return { x = x, y = y }
end

local function moved(point, dx, dy)
    return newPoint(point.x + dx, point.y + dy)
end

local function move(point, dx, dy)
    point.x = point.x + dx
    point.y = point.y + dy
end

local function walkWithGarbage(steps)
    local point = newPoint(0, 0)
    for step = 1, steps do
        point = moved(point, step % 3, step % 5)
    end
    return point
end

local function walkInPlace(steps)
    local point = newPoint(0, 0)
    for step = 1, steps do
        move(point, step % 3, step % 5)
    end
    return point
end

local finalized = 0
local ticket = { __gc = function()
    finalized = finalized + 1
end }

local function forget(count)
    for _ = 1, count do
        setmetatable({}, ticket)
    end
end

local steps = 900000
local first, second = walkWithGarbage(steps), walkInPlace(steps)
print(("with garbage: %d, %d"):format(first.x, first.y))
print(("in place:     %d, %d"):format(second.x, second.y))

forget(30000)
collectgarbage()
print(("finalized: %d"):format(finalized))
