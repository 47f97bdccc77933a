-- needs hosts
-- A host asks for a delay; the rest it takes now grows with it. A shorter one changes nothing.
-- ARGV[2..3]  host, delay
local host = host_of(ARGV[2])
local before = delay_of(host)
host.delay = math.max(host.delay, tonumber(ARGV[3]))
host.next_at = host.next_at + delay_of(host) - before
settle(host)
save()
return 1
