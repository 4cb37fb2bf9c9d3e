-- Perilune example 5: time spent in functions that are written in C.
--
-- Counts the words of a text and sorts them, with string.gmatch, string.gsub and table.sort.
--
-- What to look for
--   1. C functions have rows like all others, with the location [C]. Their self time is the time in C.
--   2. `table.sort` calls back: `moreOften` is among its callees, and its time is part of the total of
--      table.sort and not of its self time.
--   3. string.gsub with a function calls `capital`; string.gsub with a string as replacement stays in C.
--   4. `slowPattern` gives most of its time to one string.find whose pattern has to try again at each
--      place of the text.

local sentence = "the moon is nearest to the earth when it passes the perilune of no orbit but its own "

local function makeText(sentences)
    local parts = {}
    for index = 1, sentences do
        parts[index] = sentence .. "number " .. index % 700 .. ". "
    end
    return table.concat(parts)
end

local function countWords(text)
    local counts = {}
    for word in text:gmatch("%w+") do
        counts[word] = (counts[word] or 0) + 1
    end
    return counts
end

local function sortedWords(counts)
    local words = {}
    for word in pairs(counts) do
        words[#words + 1] = word
    end
    local function moreOften(a, b)
        if counts[a] ~= counts[b] then
            return counts[a] > counts[b]
        end
        return a < b
    end
    table.sort(words, moreOften)
    return words
end

local function capital(letter)
    return letter:upper()
end

local function capitalized(text)
    return (text:gsub("%f[%a]%l", capital))
end

local function slowPattern(text)
    return text:find("m.-o.-o.-n.-!", 1) == nil
end

local text = makeText(12000)
local counts = countWords(text)
local words = sortedWords(counts)
print(("%d different words; the most frequent: %s (%d times)"):format(#words, words[1], counts[words[1]]))
print(capitalized(text):sub(1, 40) .. "…")
print("no exclamation mark after a moon: " .. tostring(slowPattern(text:sub(1, 750))))
