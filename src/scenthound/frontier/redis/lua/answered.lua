-- needs leases
-- The answer to a URL that the worker leased is over: its host rests. Reported twice, the first counts.
-- ARGV[2..6]  digest, host, the worker, when it was over, 1 if hosts rest after an answer
local digest, host = ARGV[2], host_of(ARGV[3])
local worker, awaited = lease_of(digest)
if worker ~= ARGV[4] or not awaited then return 0 end
write_lease(digest, worker, false, host.name)
host.busy = host.busy - 1
if ARGV[6] == '1' or host.delay > 0 then rest_until(host, tonumber(ARGV[5]) + delay_of(host)) end
settle(host)
save()
return 1
