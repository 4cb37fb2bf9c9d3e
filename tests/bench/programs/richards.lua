-- A small operating system: tasks with priorities pass packets to each other through queues.
-- Workers build packets, two devices take time with them, a timer task gives devices their turns.
local rounds = tonumber(arg and arg[1]) or 9

local Packet = {}
Packet.__index = Packet

function Packet.new(kind, owner)
  return setmetatable({ kind = kind, owner = owner, datum = 0, data = { 0, 0, 0, 0 } }, Packet)
end

function Packet:appendTo(queue)
  self.link = nil
  if not queue then return self end
  local last = queue
  while last.link do last = last.link end
  last.link = self
  return queue
end

local Task = {}
Task.__index = Task

function Task.new(scheduler, id, priority, body)
  local self = setmetatable({ id = id, priority = priority, body = body, scheduler = scheduler }, Task)
  self.isWaiting, self.isHeld, self.hasPacket = true, false, false
  return self
end

function Task:isRunnable()
  return not self.isHeld and (not self.isWaiting or self.hasPacket)
end

function Task:takePacket()
  local packet = self.queue
  if packet then
    self.queue = packet.link
    packet.link = nil
    self.hasPacket = self.queue ~= nil
  end
  return packet
end

function Task:addPacket(packet)
  self.queue = packet:appendTo(self.queue)
  self.hasPacket = true
end

function Task:run()
  local packet
  if self.isWaiting and self.hasPacket then packet = self:takePacket() end
  self.isWaiting = false
  return self.body:step(packet)
end

local Scheduler = {}
Scheduler.__index = Scheduler

function Scheduler.new()
  return setmetatable({ tasks = {}, byId = {}, queued = 0, held = 0 }, Scheduler)
end

function Scheduler:add(id, priority, body)
  local task = Task.new(self, id, priority, body)
  body.task, body.scheduler = task, self
  self.byId[id] = task
  table.insert(self.tasks, task)
  table.sort(self.tasks, function(a, b) return a.priority > b.priority end)
  return task
end

function Scheduler:find(id)
  local task = self.byId[id]
  if not task then error("no task " .. tostring(id)) end
  return task
end

function Scheduler:send(id, packet, owner)
  self.queued = self.queued + 1
  packet.owner = owner
  self:find(id):addPacket(packet)
end

function Scheduler:hold(task)
  self.held = self.held + 1
  task.isHeld = true
end

function Scheduler:release(id)
  self:find(id).isHeld = false
end

function Scheduler:wait(task)
  task.isWaiting = true
end

function Scheduler:next()
  for _, task in ipairs(self.tasks) do
    if task:isRunnable() then return task end
  end
end

function Scheduler:run()
  local task = self:next()
  while task do
    task:run()
    task = self:next()
  end
end

local Idle = {}
Idle.__index = Idle

function Idle.new(turns) return setmetatable({ turns = turns, seed = 1 }, Idle) end

function Idle:step()
  self.turns = self.turns - 1
  if self.turns == 0 then return self.scheduler:hold(self.task) end
  self.seed = (self.seed * 16807) % 2147483647
  self.scheduler:release(self.seed % 2 == 0 and "disk" or "line")
end

local Worker = {}
Worker.__index = Worker

function Worker.new() return setmetatable({ to = "reader", letter = 0, built = 0 }, Worker) end

function Worker:fill(packet)
  for i = 1, #packet.data do
    self.letter = self.letter % 26 + 1
    packet.data[i] = self.letter
  end
  packet.datum = 0
  self.built = self.built + 1
end

function Worker:step(packet)
  if not packet then return self.scheduler:wait(self.task) end
  self.to = self.to == "reader" and "writer" or "reader"
  self:fill(packet)
  self.scheduler:send(self.to, packet, "worker")
  self.scheduler:wait(self.task)
end

local Handler = {}
Handler.__index = Handler

function Handler.new(device) return setmetatable({ device = device }, Handler) end

function Handler:accept(packet)
  if packet.kind == "work" then
    self.work = packet:appendTo(self.work)
  else
    self.idleDevices = packet:appendTo(self.idleDevices)
  end
end

function Handler:forward(work)
  local data = self.idleDevices
  if not data then return self.scheduler:wait(self.task) end
  self.idleDevices = data.link
  work.datum = work.datum + 1
  data.datum = work.data[work.datum]
  self.scheduler:send(self.device, data, self.task.id)
end

function Handler:step(packet)
  if packet then self:accept(packet) end
  local work = self.work
  if not work then return self.scheduler:wait(self.task) end
  if work.datum < #work.data then return self:forward(work) end
  self.work = work.link
  self.scheduler:send("worker", work, self.task.id)
end

local Device = {}
Device.__index = Device

function Device.new() return setmetatable({ handled = 0 }, Device) end

function Device:step(packet)
  if packet then
    self.pending = packet
    return self.scheduler:hold(self.task)
  end
  local pending = self.pending
  if not pending then return self.scheduler:wait(self.task) end
  self.pending = nil
  self.handled = self.handled + 1
  self.scheduler:send(pending.owner, pending, self.task.id)
end

local function simulate()
  local scheduler = Scheduler.new()
  local worker, disk, line = Worker.new(), Device.new(), Device.new()
  scheduler:add("idle", 0, Idle.new(10000)).isWaiting = false
  local workerTask = scheduler:add("worker", 10, worker)
  local reader = scheduler:add("reader", 20, Handler.new("disk"))
  local writer = scheduler:add("writer", 30, Handler.new("line"))
  scheduler:add("disk", 40, disk)
  scheduler:add("line", 50, line)
  for _ = 1, 2 do workerTask:addPacket(Packet.new("work")) end
  for _ = 1, 3 do
    reader:addPacket(Packet.new("device"))
    writer:addPacket(Packet.new("device"))
  end
  scheduler:run()
  return scheduler.queued, scheduler.held, worker.built, disk.handled + line.handled
end

local queued, held, built, handled = simulate()
assert(queued > 5000 and held > 3000 and built > 500 and handled > 4 * (built - 4))
for _ = 2, rounds do
  local again, heldAgain = simulate()
  assert(again == queued and heldAgain == held)
end
