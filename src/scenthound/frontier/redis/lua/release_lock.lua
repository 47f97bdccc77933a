-- Release a lock; nothing changes where another holds it.
-- KEYS[1]  who holds the lock
-- ARGV[1]  the owner
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('UNLINK', KEYS[1])
