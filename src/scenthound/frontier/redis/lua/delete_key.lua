-- Take a key away; how many it was.
-- KEYS[1]  the key
return redis.call('UNLINK', KEYS[1])
