-- A worker has died: that is written down, and what it claimed and has not kept is free again.
-- 0 where it was heard of meanwhile: nothing is changed.
-- KEYS[1]     the crawl, scenthound:{NAME}
-- ARGV[1..3]  the worker, how it said it stands when it was last heard of, how it is written now
local at, call = KEYS[1], redis.call
if call('HGET', at .. ':workers', ARGV[1]) ~= ARGV[2] then return 0 end
call('HSET', at .. ':workers', ARGV[1], ARGV[3])
call('HSET', at .. ':allowed', ARGV[1], call('HGET', at .. ':kept', ARGV[1]) or 0)
return 1
