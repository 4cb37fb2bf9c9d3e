-- Perilune example 3: coroutines that hand work to each other.
--
-- A chain of coroutines makes numbers, keeps the primes and packs them in groups; then a small
-- scheduler lets three workers take turns.
--
-- What to look for
--   1. The time between a yield and the next resume belongs to nobody inside the coroutine: `numbers`
--      waits most of the run and has next to no time of its own.
--   2. In the call tree a coroutine hangs under the function that resumed it.
--   3. All three workers run the same function, `work`: one row, with the calls of all of them.

local function isPrime(number)
    for divisor = 2, math.floor(math.sqrt(number)) do
        if number % divisor == 0 then
            return false
        end
    end
    return number > 1
end

local function numbers(last)
    return coroutine.wrap(function()
        for number = 1, last do
            coroutine.yield(number)
        end
    end)
end

local function primesOf(source)
    return coroutine.wrap(function()
        for number in source do
            if isPrime(number) then
                coroutine.yield(number)
            end
        end
    end)
end

local function groupsOf(size, source)
    return coroutine.wrap(function()
        local group = {}
        for value in source do
            group[#group + 1] = value
            if #group == size then
                coroutine.yield(group)
                group = {}
            end
        end
        if #group > 0 then
            coroutine.yield(group)
        end
    end)
end

--- Does `rounds` rounds of `effort` additions each and lets the others go on after each round.
local function work(name, rounds, effort)
    local sum = 0
    for _ = 1, rounds do
        for step = 1, effort do
            sum = sum + step
        end
        coroutine.yield()
    end
    return name .. " did " .. sum
end

--- Resumes the coroutines in turn until all have ended; prints what each returned.
local function schedule(threads)
    while #threads > 0 do
        for index = #threads, 1, -1 do
            local thread = threads[index]
            local _, result = coroutine.resume(thread)
            if coroutine.status(thread) == "dead" then
                print(result)
                table.remove(threads, index)
            end
        end
    end
end

local function newWorker(name, rounds, effort)
    local thread = coroutine.create(work)
    coroutine.resume(thread, name, rounds, effort)
    return thread
end

local count, largest = 0, 0
for group in groupsOf(10, primesOf(numbers(120000))) do
    count = count + #group
    largest = group[#group]
end
print(("%d primes, the largest is %d"):format(count, largest))

schedule { newWorker("the patient one", 4000, 200), newWorker("the steady one", 800, 2000),
    newWorker("the hasty one", 80, 40000) }
