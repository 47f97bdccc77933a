-- needs leases
-- Lease one URL, if it is ready and its host may be asked; its row, or nothing.
-- ARGV[2..6]  digest, host, when the lease expires, the worker, 1 if greedy hosts may be asked
local row, host = call('HGET', ROWS, ARGV[2]), host_of(ARGV[3])
if not row or state_of(row) ~= READY then return false end
if host.state ~= FREE and not (host.state == OVER_SHARE and ARGV[6] == '1') then return false end
lease(host, ARGV[2], row, ARGV[5], ARGV[4])
save()
return row
