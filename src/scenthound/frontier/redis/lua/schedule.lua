-- What time brings back, and the status of a partition then. After leases.lua.
local function make_due_ready(digest, name)
  local row, host = call('HGET', ROWS, digest), host_of(name)
  local worker, awaited = lease_of(digest)
  if worker then
    release(host, digest, awaited)
  else
    call('ZREM', DUE, digest .. name)
    host.retries = host.retries - 1
    totals.waiting = totals.waiting - 1
  end
  make_ready(host, digest, moved(row, READY, worker))
  settle(host)
end

-- It is now: expired leases, due retries, rested hosts and those no longer greedy come back.
local function wake(now)
  totals.now = math.max(totals.now, now)
  for _, member in ipairs(call('ZRANGEBYSCORE', DUE, '-inf', now, 'LIMIT', 0, WOKEN_AT_ONCE)) do
    make_due_ready(sub(member, 1, DIGEST), sub(member, DIGEST + 1))
  end
  local rested = call('ZRANGEBYSCORE', SETS[RESTING], '-inf', totals.now, 'LIMIT', 0, WOKEN_AT_ONCE)
  for _, name in ipairs(rested) do settle(host_of(name)) end
  for _, name in ipairs(call('ZRANGEBYSCORE', GREEDY_BY_HAD, '-inf', fair_limit())) do
    settle(host_of(name))
  end
end

-- Is a host that is not greedy busy, or does it rest no longer than the delay?
local function fair_one_is_due()
  local limit = fair_limit()
  if call('ZCOUNT', SETS[BUSY], '-inf', limit) > 0 then return true end
  local soon = totals.now + politeness.delay
  for _, name in ipairs(call('ZRANGEBYSCORE', SETS[RESTING], '-inf', soon)) do
    if host_of(name).had <= limit then return true end
  end
  return false
end

-- How the partition stands: what the client compares with the others.
local function status()
  local free = call('ZRANGE', SETS[FREE], 0, 0, 'WITHSCORES')
  local greedy = call('ZRANGE', SETS[OVER_SHARE], 0, 0, 'WITHSCORES')
  local resting = call('ZRANGE', SETS[RESTING], 0, 0, 'WITHSCORES')
  local due = call('ZRANGE', DUE, 0, 0, 'WITHSCORES')
  local fair = politeness.share > 0 and not free[1] and fair_one_is_due()
  return { totals.waiting, totals.pages, totals.free, totals.greedy, fair and 1 or 0,
    free[2] or '', free[1] and sub(free[1], 1, 6) or '',
    greedy[2] or '', greedy[1] and sub(greedy[1], 1, 6) or '',
    resting[2] or '', due[2] or '' }
end
