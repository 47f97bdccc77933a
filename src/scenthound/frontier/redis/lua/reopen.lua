-- needs leases
-- Let a closed URL wait again as if never tried, unless its host is spent.
-- ARGV[2..4]  digest, host, the row
local row, host = call('HGET', ROWS, ARGV[2]), host_of(ARGV[3])
if not row or state_of(row) ~= CLOSED or is_spent(host) then return 0 end
make_ready(host, ARGV[2], ARGV[4])
settle(host)
save()
return 1
