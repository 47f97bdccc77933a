-- Leases: from waiting to leased and back. After hosts.lua.

-- Worker, whether the host's answer is awaited, and the host; nothing where it is not leased.
local function lease_of(digest)
  local lease = call('HGET', LEASES, digest)
  if not lease then return nil end
  local length = string.byte(lease, 2)
  return sub(lease, 3, 2 + length), string.byte(lease, 1) == 1, sub(lease, 3 + length)
end

local function write_lease(digest, worker, awaited, name)
  local lease = string.char(awaited and 1 or 0, #worker) .. worker .. name
  call('HSET', LEASES, digest, lease)
end

-- Let a URL wait. On a host that is exhausted meanwhile it waits to be set aside.
local function make_ready(host, digest, row)
  local number, rank = sub(row, 6, 11), -score_of(row)
  call('HSET', ROWS, digest, row)
  call('ZADD', ready_of(host.name), rank, number .. digest)
  ranked(host, rank, number, true)
  totals.waiting = totals.waiting + 1
  if is_exhausted(host) then call('SADD', EXHAUSTED_HOSTS, host.name) end
end

-- Lease a ready row of a host that may be asked.
local function lease(host, digest, row, worker, expires)
  unready(host, sub(row, 6, 11) .. digest)
  call('HSET', ROWS, digest, moved(row, LEASED))
  call('ZADD', DUE, expires, digest .. host.name)
  write_lease(digest, worker, true, host.name)
  host.leased, host.busy = host.leased + 1, host.busy + 1
  rest_until(host, totals.now + delay_of(host))
  totals.waiting = totals.waiting - 1
  settle(host)
end

-- The URL is no longer leased. The host is not settled yet.
local function release(host, digest, awaited)
  call('HDEL', LEASES, digest)
  call('ZREM', DUE, digest .. host.name)
  host.leased = host.leased - 1
  if awaited then host.busy = host.busy - 1 end
end
