-- What every step needs: keys, politeness, totals and rows.
--
-- KEYS[1]  the partition, scenthound:{CRAWL/NUMBER}; every other key begins with it
-- ARGV[1]  packed: delay, requests at once, pages a host, share (0 is no limit), pages elsewhere
--
-- A row is packed: version (2 bytes), state (1), attempts (2), number (6), score (8), depth (2),
-- links (4); then, unless it is closed, what the client knows of it.
local READY, RETRY, LEASED, CLOSED, EXHAUSTED = 0, 1, 2, 3, 4
local NONE, FREE, RESTING, BUSY, OVER_SHARE = 0, 1, 2, 3, 4
local DIGEST, KEPT, WOKEN_AT_ONCE = 10, 25, 1000
local HOST = '<I4I4I4I4I4ddBc6dc6d'
local NOBODY = string.rep('\0', 6)
local call, sub = redis.call, string.sub

local at = KEYS[1]
local ROWS, HOSTS, LEASES, DUE = at .. ':rows', at .. ':hosts', at .. ':leases', at .. ':due'
local TOTALS, TOPS, WORST = at .. ':totals', at .. ':tops', at .. ':worst'
local SETS = { [FREE] = at .. ':free', [OVER_SHARE] = at .. ':greedy', [RESTING] = at .. ':resting',
  [BUSY] = at .. ':busy' }
local GREEDY_BY_HAD, EXHAUSTED_HOSTS, REQUESTS = at .. ':greedy_had', at .. ':exhausted', at .. ':lease_requests'

local politeness = {}
politeness.delay, politeness.at_once, politeness.pages, politeness.share, politeness.elsewhere =
  struct.unpack('<ddddd', ARGV[1])

local totals, saved = {}, {}
local SUMS = { 'now', 'waiting', 'pages', 'free', 'greedy', 'largest' }
for i, value in ipairs(call('HMGET', TOTALS, unpack(SUMS))) do
  totals[SUMS[i]] = tonumber(value or 0)
  saved[SUMS[i]] = totals[SUMS[i]]
end

local changed_hosts = {}

-- Write the totals and hosts that have changed; the last thing a step does.
local function save()
  local fields = {}
  for _, name in ipairs(SUMS) do
    if totals[name] ~= saved[name] then
      fields[#fields + 1] = name
      fields[#fields + 1] = totals[name]
    end
  end
  if #fields > 0 then call('HSET', TOTALS, unpack(fields)) end
  fields = {}
  for name, packed in pairs(changed_hosts) do
    fields[#fields + 1] = name
    fields[#fields + 1] = packed
  end
  -- In pieces, as unpack() takes fewer than 8,000 values.
  for first = 1, #fields, 1000 do
    call('HSET', HOSTS, unpack(fields, first, math.min(first + 999, #fields)))
  end
end

local function ready_of(name) return at .. ':ready:' .. name end
local function state_of(row) return string.byte(row, 3) end
local function score_of(row) return (struct.unpack('<d', row, 12)) end

-- The row in another state; failed counts one more attempt.
local function moved(row, state, failed)
  local attempts = math.min(struct.unpack('<H', row, 4) + (failed and 1 or 0), 65535)
  return sub(row, 1, 2) .. string.char(state) .. struct.pack('<H', attempts) .. sub(row, 6)
end
