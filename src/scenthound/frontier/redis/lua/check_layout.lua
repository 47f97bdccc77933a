-- Write down how a frontier is kept, unless that is known already; what is known then.
-- KEYS[1]     the crawl, scenthound:{NAME}
-- ARGV[1..2]  the layout, how many partitions
local key = KEYS[1] .. ':frontier'
redis.call('HSETNX', key, 'layout', ARGV[1])
redis.call('HSETNX', key, 'partitions', ARGV[2])
return redis.call('HMGET', key, 'layout', 'partitions')
