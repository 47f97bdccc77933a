-- How many URLs wait, and how many are leased.
-- KEYS[1]  the partition, scenthound:{CRAWL/NUMBER}
local waiting = redis.call('HGET', KEYS[1] .. ':totals', 'waiting')
return { tonumber(waiting or 0), redis.call('HLEN', KEYS[1] .. ':leases') }
