-- needs leases
-- A worker of this name died: what it had leased waits again, and the hosts it was asking rest.
-- ARGV[2..3]  the worker, now
local now, freed = tonumber(ARGV[3]), 0
totals.now = math.max(totals.now, now)
local leases = call('HKEYS', LEASES)
for _, digest in ipairs(leases) do
  local worker, awaited, name = lease_of(digest)
  if worker == ARGV[2] then
    local host = host_of(name)
    release(host, digest, awaited)
    if awaited then rest_until(host, now + delay_of(host)) end
    make_ready(host, digest, moved(call('HGET', ROWS, digest), READY))
    settle(host)
    freed = freed + 1
  end
end
save()
return freed
