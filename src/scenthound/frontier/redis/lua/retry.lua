-- needs leases
-- Let a URL that the worker leased wait until a time; others stay as they are.
-- ARGV[2..5]  digest, host, the worker, the time
local digest, host = ARGV[2], host_of(ARGV[3])
local worker, awaited = lease_of(digest)
if worker ~= ARGV[4] then return 0 end
call('HSET', ROWS, digest, moved(call('HGET', ROWS, digest), RETRY, true))
release(host, digest, awaited)
call('ZADD', DUE, ARGV[5], digest .. host.name)
host.retries = host.retries + 1
totals.waiting = totals.waiting + 1
settle(host)
save()
return 1
