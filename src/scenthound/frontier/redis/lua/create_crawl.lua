-- Make a crawl; 0 where there is one of this name, which stays as it is.
-- KEYS[1]  the crawl, scenthound:{NAME}
-- ARGV     field and value of each that it has
local key = KEYS[1] .. ':crawl'
if redis.call('EXISTS', key) == 1 then return 0 end
redis.call('HSET', key, unpack(ARGV))
return 1
