-- The number of a shape; a new one gets the next.
-- KEYS[1]  HASH of shapes: the names and weights -> number, and '#' number -> names and weights
-- ARGV[1]  the names and weights
local number = redis.call('HGET', KEYS[1], ARGV[1])
if not number then
  number = redis.call('HINCRBY', KEYS[1], 'count', 1)
  redis.call('HSET', KEYS[1], ARGV[1], number, '#' .. number, ARGV[1])
end
return tonumber(number)
