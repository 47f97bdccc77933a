-- A worker ends with so many pages: what it claimed beyond them others may fetch.
-- KEYS[1]     the crawl, scenthound:{NAME}
-- ARGV[1..2]  the worker, its pages
redis.call('HSET', KEYS[1] .. ':kept', ARGV[1], ARGV[2])
return redis.call('HSET', KEYS[1] .. ':allowed', ARGV[1], ARGV[2])
