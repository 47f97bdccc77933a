-- Leave an office; nothing changes where another has it.
-- KEYS[1]  who has the office
-- ARGV[1]  the owner
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('UNLINK', KEYS[1])
