-- Perilune example 6: errors that are caught, and one that is not.
--
-- Reads numbers from lines of which some are wrong. At the end an error is left uncaught on purpose:
-- the script ends with a message, a traceback and the exit code 1.
--
-- What to look for
--   1. A function that an error ends never returns, and its time is right all the same: `parse` calls
--      `reject`, which always raises. The calls of all three layers are complete.
--   2. Problems shows the uncaught error with its line; one click leads there.
--   3. The profile up to the error is kept and marked partial.

local function reject(line, number)
    error({ line = number, message = "not a number: " .. line })
end

local function parse(line, number)
    local value = tonumber(line)
    if not value then
        reject(line, number)
    end
    return value
end

local function parseAll(lines)
    local sum, problems = 0, {}
    for number, line in ipairs(lines) do
        local isGood, result = pcall(parse, line, number)
        if isGood then
            sum = sum + result
        else
            problems[#problems + 1] = result
        end
    end
    return sum, problems
end

local function makeLines(count)
    local lines = {}
    for number = 1, count do
        lines[number] = number % 10 == 0 and "line " .. number or tostring(number)
    end
    return lines
end

--- An error inside a coroutine ends the coroutine and nothing else.
local function failInCoroutine()
    local thread = coroutine.create(function()
        parse("a coroutine's line", 1)
    end)
    local isGood, problem = coroutine.resume(thread)
    return isGood, problem.message
end

local sum, problems = parseAll(makeLines(200000))
print(("sum %d, %d lines were wrong, the first: %s"):format(sum, #problems, problems[1].message))
print("in a coroutine:", failInCoroutine())

local settings = {}
print(settings.report.title)
