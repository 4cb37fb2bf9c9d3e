-- A page that collects its lines and joins them once.

local Page = {}
Page.__index = Page

function Page.new()
    return setmetatable({ lines = {} }, Page)
end

function Page:add(line)
    self.lines[#self.lines + 1] = line
end

function Page:text()
    return table.concat(self.lines, "\n") .. "\n"
end

return Page
