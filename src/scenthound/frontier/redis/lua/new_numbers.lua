-- The last of so many new numbers for URLs.
-- KEYS[1]  where the last number given lies
-- ARGV[1]  how many are wanted
return redis.call('INCRBY', KEYS[1], ARGV[1])
