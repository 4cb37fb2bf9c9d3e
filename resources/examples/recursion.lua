-- Perilune example 2: functions that call themselves and each other.
--
-- Places queens on a board of ten by ten by trying, and evaluates sums that are nested in sums.
--
-- What to look for
--   1. Total time counts recursion once: `place` is on the stack of itself many times, and its total
--      is still no more than the run's. The call tree shows how deep it goes.
--   2. Callers of `place` lists `place` itself; the calls of both lines add up to its calls.
--   3. `evaluate` and `evaluateAll` take turns: neither calls itself, yet both recur.
--   4. `countDown` ends in a tail call. Lua reuses its frame, so 300,000 steps are one level deep here
--      as well, and no call is lost: see the column Tail calls.

local function isFree(columns, row, column)
    for earlier = 1, row - 1 do
        local distance = row - earlier
        local other = columns[earlier]
        if other == column or other == column - distance or other == column + distance then
            return false
        end
    end
    return true
end

--- The number of ways to fill the board from `row` on.
local function place(size, columns, row)
    if row > size then
        return 1
    end
    local ways = 0
    for column = 1, size do
        if isFree(columns, row, column) then
            columns[row] = column
            ways = ways + place(size, columns, row + 1)
        end
    end
    return ways
end

local evaluate

local function evaluateAll(terms)
    local sum = 0
    for _, term in ipairs(terms) do
        sum = sum + evaluate(term)
    end
    return sum
end

function evaluate(term)
    if type(term) == "table" then
        return evaluateAll(term)
    end
    return term
end

--- A list of lists of lists …, `depth` levels of three terms each.
local function nested(depth)
    if depth == 0 then
        return 1
    end
    return { nested(depth - 1), nested(depth - 1), nested(depth - 1) }
end

local function countDown(from)
    if from == 0 then
        return "done"
    end
    return countDown(from - 1)
end

print("queens on a board of 10: " .. place(10, {}, 1) .. " ways")
print("sum of the nested list: " .. evaluate(nested(10)))
print("count down: " .. countDown(300000))
