-- A host: who it is, what it offers, whether it may be asked. After base.lua.

local function is_exhausted(host) return politeness.pages > 0 and host.had >= politeness.pages end

local function is_full(host)
  local at_once = host.delay > 0 and 1 or politeness.at_once
  if at_once > 0 and host.busy >= at_once then return true end
  return politeness.pages > 0 and host.had + host.leased >= politeness.pages
end

local function fair_limit()
  if politeness.share == 0 then return math.huge end
  return politeness.share * (totals.pages + politeness.elsewhere)
end

-- Has the host a URL that may be leased some time?
local function has_offer(host) return host.ready > 0 and not is_exhausted(host) end

local function host_state(host)
  if not has_offer(host) then return NONE end
  if is_full(host) then return BUSY end
  if host.next_at > totals.now then return RESTING end
  return host.had > fair_limit() and OVER_SHARE or FREE
end

local function delay_of(host) return math.max(host.delay, politeness.delay) end
local function rest_until(host, time) host.next_at = math.max(host.next_at, time) end

-- What the sorted sets say of a host, to be compared when it has changed. A host without a state
-- is in none of them, whatever the politeness were when it was settled.
local function snapshot(host)
  return { offered = host.state ~= NONE, ready = host.ready, state = host.state, had = host.had,
    next_at = host.next_at, top = host.top, best = host.best, bottom = host.bottom,
    worst = host.worst }
end

local hosts = {}
local UNKNOWN = struct.pack(HOST, 0, 0, 0, 0, 0, 0, -math.huge, NONE, NOBODY, 0, NOBODY, 0)
local function read_host(name, packed)
  local ready, had, leased, busy, retries, delay, next_at, state, top, best, bottom, worst =
    struct.unpack(HOST, packed or UNKNOWN)
  local host = { name = name, packed = packed, ready = ready, had = had, leased = leased,
    busy = busy, retries = retries, delay = delay, next_at = next_at, state = state, top = top,
    best = best, bottom = bottom, worst = worst, stale = false, was = false }
  host.was = snapshot(host)
  hosts[name] = host
  return host
end

local function host_of(name) return hosts[name] or read_host(name, call('HGET', HOSTS, name)) end

-- A URL of the host with this negative score and number: perhaps it is the best, or the worst.
local function offer(host, rank, number)
  if rank < host.best or (rank == host.best and number < host.top) or host.ready == 0 then
    host.best, host.top = rank, number
  end
  if rank > host.worst or (rank == host.worst and number > host.bottom) or host.ready == 0 then
    host.worst, host.bottom = rank, number
  end
end

-- A URL of the host is ready, or its score has changed; written in the set by the caller.
local function ranked(host, rank, number, is_new)
  if not is_new and (number == host.top or number == host.bottom) then host.stale = true end
  offer(host, rank, number)
  if is_new then host.ready = host.ready + 1 end
end

-- A URL of the host is no longer ready.
local function unready(host, member)
  call('ZREM', ready_of(host.name), member)
  host.ready = host.ready - 1
  local number = sub(member, 1, 6)
  if number == host.top or number == host.bottom then host.stale = true end
end

-- Look up the best and the worst of a host's ready URLs again.
local function find_best_and_worst(host)
  host.stale, host.top, host.best, host.bottom, host.worst = false, NOBODY, 0, NOBODY, 0
  if host.ready == 0 then return end
  local ready = ready_of(host.name)
  local first = call('ZRANGE', ready, 0, 0, 'WITHSCORES')
  local last = call('ZRANGE', ready, -1, -1, 'WITHSCORES')
  host.top, host.best = sub(first[1], 1, 6), tonumber(first[2])
  host.bottom, host.worst = sub(last[1], 1, 6), tonumber(last[2])
end

-- In a sorted set, put one member and score in the place of another; nil is none.
local function move_member(set, old, was, new, is)
  if old and old ~= new then call('ZREM', set, old) end
  if new and (old ~= new or was ~= is) then call('ZADD', set, is, new) end
end

-- The same in the set of a state, which the host had, or has now.
local function update_state_set(state, name, was, now)
  if state == NONE then return end
  local before, after, set = was.state == state, now.state == state, SETS[state]
  if state == RESTING then
    move_member(set, before and name, was.next_at, after and name, now.next_at)
  elseif state == BUSY then
    move_member(set, before and name, was.had, after and name, now.had)
  else
    move_member(set, before and was.top .. name, was.best, after and now.top .. name, now.best)
    local sum = state == FREE and 'free' or 'greedy'
    totals[sum] = totals[sum] + (after and now.ready or 0) - (before and was.ready or 0)
  end
  if state == OVER_SHARE then
    move_member(GREEDY_BY_HAD, before and name, was.had, after and name, now.had)
  end
end

-- Find the state of a host that has changed, and write it down.
local function settle(host)
  if host.stale then find_best_and_worst(host) end
  host.state = host_state(host)
  local was, now, name = host.was, snapshot(host), host.name
  if was.offered or now.offered then
    move_member(TOPS, was.offered and was.top .. name, was.best, now.offered and now.top .. name, now.best)
    move_member(WORST, was.offered and was.bottom .. name, was.worst,
      now.offered and now.bottom .. name, now.worst)
  end
  update_state_set(was.state, name, was, now)
  if now.state ~= was.state then update_state_set(now.state, name, was, now) end
  totals.largest = math.max(totals.largest, host.ready)
  local packed = struct.pack(HOST, host.ready, host.had, host.leased, host.busy, host.retries,
    host.delay, host.next_at, host.state, host.top, host.best, host.bottom, host.worst)
  if packed ~= host.packed then changed_hosts[name] = packed end
  host.packed, host.was = packed, now
end
