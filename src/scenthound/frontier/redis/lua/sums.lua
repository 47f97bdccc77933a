-- How many URLs wait in a partition, how many pages its hosts have had, how many hosts there are.
-- KEYS[1]  the partition, scenthound:{CRAWL/NUMBER}
local found = redis.call('HMGET', KEYS[1] .. ':totals', 'waiting', 'pages')
local hosts = redis.call('HLEN', KEYS[1] .. ':hosts')
return { tonumber(found[1] or 0), tonumber(found[2] or 0), hosts }
