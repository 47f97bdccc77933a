-- needs leases
-- Let a URL that the worker leased wait again as if never leased; others stay as they are.
-- ARGV[2..4]  digest, host, the worker
local digest, host = ARGV[2], host_of(ARGV[3])
local worker, awaited = lease_of(digest)
if worker ~= ARGV[4] then return 0 end
release(host, digest, awaited)
make_ready(host, digest, moved(call('HGET', ROWS, digest), READY))
settle(host)
save()
return 1
