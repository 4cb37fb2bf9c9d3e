-- Motion of bodies that attract each other: arithmetic on fields, few calls.
local steps = tonumber(arg and arg[1]) or 200000

local Body = {}
Body.__index = Body

function Body.new(mass, x, y, z, vx, vy, vz)
  return setmetatable({ mass = mass, x = x, y = y, z = z, vx = vx, vy = vy, vz = vz }, Body)
end

function Body:move(dt)
  self.x = self.x + dt * self.vx
  self.y = self.y + dt * self.vy
  self.z = self.z + dt * self.vz
end

function Body:kineticEnergy()
  return 0.5 * self.mass * (self.vx ^ 2 + self.vy ^ 2 + self.vz ^ 2)
end

local function attract(a, b, dt)
  local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
  local square = dx * dx + dy * dy + dz * dz
  local magnitude = dt / (square * math.sqrt(square))
  local onA, onB = b.mass * magnitude, a.mass * magnitude
  a.vx, a.vy, a.vz = a.vx - dx * onA, a.vy - dy * onA, a.vz - dz * onA
  b.vx, b.vy, b.vz = b.vx + dx * onB, b.vy + dy * onB, b.vz + dz * onB
end

local function advance(bodies, dt)
  for i = 1, #bodies do
    for j = i + 1, #bodies do attract(bodies[i], bodies[j], dt) end
  end
  for i = 1, #bodies do bodies[i]:move(dt) end
end

local function energy(bodies)
  local sum = 0
  for i, a in ipairs(bodies) do
    sum = sum + a:kineticEnergy()
    for j = i + 1, #bodies do
      local b = bodies[j]
      local distance = math.sqrt((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2 + (a.z - b.z) ^ 2)
      sum = sum - a.mass * b.mass / distance
    end
  end
  return sum
end

local bodies = {
  Body.new(40, 0, 0, 0, 0, 0, 0),
  Body.new(0.04, 5, -1, -0.1, 0.6, 2.8, -0.02),
  Body.new(0.01, 8, 4, -0.4, -1.0, 1.8, 0.01),
  Body.new(0.002, 13, -15, -0.2, 1.1, 0.9, -0.01),
}
local before = energy(bodies)
for _ = 1, steps do advance(bodies, 0.001) end
assert(math.abs(energy(bodies) - before) < 0.01 * math.abs(before))
