-- needs leases
-- One of the ready URLs of hosts in a state, each as likely as another; its row, or nothing.
-- ARGV[2..4]  the state, the seed of the random generator, 1 to lease it or 0 to leave it
-- ARGV[5..6]  when the lease expires, the worker
local DRAWS = 64
local set = SETS[tonumber(ARGV[2])]
local count = call('ZCARD', set)
if count == 0 then return false end
math.randomseed(tonumber(ARGV[3]))

-- A host is drawn blindly and kept as likely as it has ready URLs; then one of these.
local function drawn()
  for _ = 1, DRAWS do
    local place = math.random(0, count - 1)
    local name = sub(call('ZRANGE', set, place, place)[1], 7)
    if math.random(1, totals.largest) <= host_of(name).ready then
      return name, math.random(0, host_of(name).ready - 1)
    end
  end
  local place = math.random(0, (set == SETS[FREE] and totals.free or totals.greedy) - 1)
  for _, member in ipairs(call('ZRANGE', set, 0, -1)) do
    local ready = host_of(sub(member, 7)).ready
    if place < ready then return sub(member, 7), place end
    place = place - ready
  end
end

local name, place = drawn()
local digest = sub(call('ZRANGE', ready_of(name), place, place)[1], 7)
local row = call('HGET', ROWS, digest)
if ARGV[4] == '1' then
  lease(host_of(name), digest, row, ARGV[6], ARGV[5])
  save()
end
return row
