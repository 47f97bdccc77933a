-- Acquire a lock that is free, or keep it; 1 where this owner holds it then.
-- KEYS[1]     who holds the lock, until it expires
-- ARGV[1..2]  the owner, milliseconds until it expires
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
