-- One-way constraints between variables, kept by strength with an incremental planner.
local rounds = tonumber(arg and arg[1]) or 50

local required, strong, normal, weak = 0, 1, 2, 3
local weakest = 6

local Variable = {}
Variable.__index = Variable

function Variable.new(value)
  return setmetatable({ value = value, constraints = {}, mark = 0, strength = weakest, stays = true }, Variable)
end

function Variable:add(constraint) self.constraints[#self.constraints + 1] = constraint end

function Variable:remove(constraint)
  for i, other in ipairs(self.constraints) do
    if other == constraint then
      table.remove(self.constraints, i)
      break
    end
  end
  if self.determinedBy == constraint then self.determinedBy = nil end
end

--- Constraints: `output` is the variable that a satisfied one determines, `inputs` are read.
local Constraint = {}
Constraint.__index = Constraint

function Constraint:isSatisfied() return self.output ~= nil end

function Constraint:eachInput(visit)
  for _, variable in ipairs(self.variables) do
    if variable ~= self.output then visit(variable) end
  end
end

function Constraint:inputsKnown(mark)
  for _, variable in ipairs(self.variables) do
    if variable ~= self.output and variable.mark ~= mark and not variable.stays
        and variable.determinedBy then return false end
  end
  return true
end

function Constraint:recalculate()
  local output = self.output
  output.strength = self:outputStrength()
  output.stays = self:outputStays()
  if output.stays then self:execute() end
end

function Constraint:outputStrength()
  local result = self.strength
  self:eachInput(function(input)
    if input.strength > result then result = input.strength end
  end)
  return result
end

function Constraint:outputStays()
  local result = not self.isInput
  self:eachInput(function(input) result = result and input.stays end)
  return result
end

local function class(base)
  local result = setmetatable({}, { __index = base })
  result.__index = result
  return result
end

--- Holds one variable: a stay (keeps its value) or an edit (is set from outside).
local Unary = class(Constraint)

function Unary.new(variable, strength, isInput)
  return setmetatable({ variables = { variable }, strength = strength, isInput = isInput }, Unary)
end

function Unary:choose(mark)
  local variable = self.variables[1]
  local isFree = variable.mark ~= mark and self.strength < variable.strength
  self.output = isFree and variable or nil
end

function Unary:execute() end

--- Two variables of which either can be computed from the other.
local Equal = class(Constraint)

function Equal.new(a, b, strength)
  return setmetatable({ variables = { a, b }, strength = strength }, Equal)
end

function Equal:choose(mark)
  local a, b = self.variables[1], self.variables[2]
  self.output = nil
  if a.mark == mark then
    if b.mark ~= mark and self.strength < b.strength then self.output = b end
  elseif b.mark == mark then
    if self.strength < a.strength then self.output = a end
  elseif a.strength > b.strength then
    if self.strength < a.strength then self.output = a end
  elseif self.strength < b.strength then
    self.output = b
  end
end

function Equal:execute()
  local a, b = self.variables[1], self.variables[2]
  if self.output == a then a.value = b.value else b.value = a.value end
end

--- to = from * scale + offset, computed in one direction only from the factors.
local Scale = class(Equal)

function Scale.new(from, scale, offset, to, strength)
  return setmetatable({ variables = { from, to, scale, offset }, strength = strength }, Scale)
end

function Scale:execute()
  local from, to, scale, offset = table.unpack(self.variables)
  if self.output == to then
    to.value = from.value * scale.value + offset.value
  else
    from.value = (to.value - offset.value) // scale.value
  end
end

local Planner = {}
Planner.__index = Planner

function Planner.new() return setmetatable({ mark = 0 }, Planner) end

function Planner:newMark()
  self.mark = self.mark + 1
  return self.mark
end

function Planner:add(constraint)
  for _, variable in ipairs(constraint.variables) do variable:add(constraint) end
  local mark = self:newMark()
  local overridden = constraint
  while overridden do overridden = self:satisfy(overridden, mark) end
end

--- Returns the weaker constraint that had to give way, if one had.
function Planner:satisfy(constraint, mark)
  constraint:choose(mark)
  if not constraint:isSatisfied() then
    if constraint.strength == required then error("a required constraint cannot hold") end
    return nil
  end
  constraint:eachInput(function(input) input.mark = mark end)
  local output = constraint.output
  local overridden = output.determinedBy
  if overridden then overridden.output = nil end
  output.determinedBy = constraint
  if not self:propagate(constraint, mark) then error("constraints in a circle") end
  output.mark = mark
  return overridden
end

function Planner:consumers(variable, into)
  for _, constraint in ipairs(variable.constraints) do
    if constraint ~= variable.determinedBy and constraint:isSatisfied() then
      into[#into + 1] = constraint
    end
  end
end

function Planner:propagate(constraint, mark)
  local todo = { constraint }
  while #todo > 0 do
    local next = table.remove(todo)
    if next.output.mark == mark then return false end
    next:recalculate()
    self:consumers(next.output, todo)
  end
  return true
end

function Planner:remove(constraint)
  local output = constraint.output
  constraint.output = nil
  for _, variable in ipairs(constraint.variables) do variable:remove(constraint) end
  if not output then return end
  output.determinedBy, output.strength, output.stays = nil, weakest, true
  local unsatisfied, todo = {}, { output }
  while #todo > 0 do
    local variable = table.remove(todo)
    for _, other in ipairs(variable.constraints) do
      if not other:isSatisfied() then unsatisfied[#unsatisfied + 1] = other end
    end
    local consumers = {}
    self:consumers(variable, consumers)
    for _, consumer in ipairs(consumers) do
      consumer:recalculate()
      todo[#todo + 1] = consumer.output
    end
  end
  table.sort(unsatisfied, function(a, b) return a.strength < b.strength end)
  for _, other in ipairs(unsatisfied) do
    local mark = self:newMark()
    local overridden = other
    while overridden and not overridden.output do overridden = self:satisfy(overridden, mark) end
  end
end

--- The constraints to execute, in order, when the value of `edit` changes.
function Planner:planFor(edit)
  local mark, plan, todo = self:newMark(), {}, { edit }
  while #todo > 0 do
    local constraint = table.remove(todo)
    if constraint.output.mark ~= mark and constraint:inputsKnown(mark) then
      plan[#plan + 1] = constraint
      constraint.output.mark = mark
      self:consumers(constraint.output, todo)
    end
  end
  return plan
end

function Planner:change(variable, values)
  local edit = Unary.new(variable, strong, true)
  self:add(edit)
  local plan = self:planFor(edit)
  for _, value in ipairs(values) do
    variable.value = value
    for _, constraint in ipairs(plan) do constraint:execute() end
  end
  self:remove(edit)
end

local function chain(length)
  local planner, variables = Planner.new(), {}
  for i = 1, length do variables[i] = Variable.new(0) end
  for i = 2, length do planner:add(Equal.new(variables[i - 1], variables[i], required)) end
  planner:add(Unary.new(variables[length], normal, false))
  local values = {}
  for i = 1, 60 do values[i] = i end
  planner:change(variables[1], values)
  assert(variables[length].value == 60)
end

local function projection(count)
  local planner, scale, offset = Planner.new(), Variable.new(10), Variable.new(1000)
  local from, to = {}, {}
  for i = 1, count do
    from[i], to[i] = Variable.new(i), Variable.new(i)
    planner:add(Unary.new(from[i], normal, false))
    planner:add(Scale.new(from[i], scale, offset, to[i], required))
  end
  for i = 1, count do
    planner:change(from[i], { 17 })
    assert(to[i].value == 17 * scale.value + offset.value)
    planner:change(to[i], { 1050 })
    assert(from[i].value == 5)
  end
end

for _ = 1, rounds do
  chain(120)
  projection(120)
end
