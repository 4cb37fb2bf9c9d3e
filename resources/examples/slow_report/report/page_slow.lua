-- A page that grows by joining strings: the slow spot.

local Page = {}
Page.__index = Page

function Page.new()
    return setmetatable({ content = "" }, Page)
end

function Page:add(line)
    -- Lua's strings do not change: this makes a new one and copies the whole page into it, each time.
    self.content = self.content .. line .. "\n"
end

function Page:text()
    return self.content
end

return Page
