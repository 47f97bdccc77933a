-- needs hosts
-- Ask a host for nothing before a time.
-- ARGV[2..3]  host, the time
local host = host_of(ARGV[2])
rest_until(host, tonumber(ARGV[3]))
settle(host)
save()
return 1
