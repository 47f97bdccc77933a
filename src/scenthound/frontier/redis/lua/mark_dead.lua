-- Mark a worker dead: what it claimed and has not stored is free again.
-- 0 where it has sent a heartbeat meanwhile: nothing is changed.
-- KEYS[1]     the crawl, scenthound:{NAME}
-- ARGV[1..3]  the worker, its entry at the last heartbeat, its entry from now on
local at, call = KEYS[1], redis.call
if call('HGET', at .. ':workers', ARGV[1]) ~= ARGV[2] then return 0 end
call('HSET', at .. ':workers', ARGV[1], ARGV[3])
call('HSET', at .. ':allowed', ARGV[1], call('HGET', at .. ':kept', ARGV[1]) or 0)
return 1
