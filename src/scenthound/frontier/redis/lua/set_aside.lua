-- needs leases
-- A host is exhausted: none of its URLs waits any more. How many were set aside, some at a time.
-- ARGV[2..3]  host, how many at most
local host, count = host_of(ARGV[2]), 0
if not is_exhausted(host) then -- it may have more pages than when it was entered
  call('SREM', EXHAUSTED_HOSTS, host.name)
  return 0
end

local function set_aside(digest)
  call('HSET', ROWS, digest, sub(moved(call('HGET', ROWS, digest), EXHAUSTED), 1, KEPT))
  count = count + 1
end

for _, member in ipairs(call('ZRANGE', ready_of(host.name), 0, tonumber(ARGV[3]) - 1)) do
  set_aside(sub(member, 7))
  unready(host, member)
end
if host.retries > 0 then
  for _, member in ipairs(call('ZRANGE', DUE, 0, -1)) do
    local digest = sub(member, 1, DIGEST)
    if sub(member, DIGEST + 1) == host.name and not lease_of(digest) then
      set_aside(digest)
      call('ZREM', DUE, member)
    end
  end
  host.retries = 0
end
totals.waiting = totals.waiting - count
if host.ready == 0 then call('SREM', EXHAUSTED_HOSTS, host.name) end
settle(host)
save()
return count
