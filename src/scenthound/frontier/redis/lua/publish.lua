-- Publish weights, if this owner is the learner and knows the last ones: {1, version}.
-- {0, version} where not: nothing is changed.
-- KEYS[1]     the crawl, scenthound:{NAME}
-- ARGV[1..4]  the owner, the version it knows, the weights, milliseconds until its lock expires
local at, call = KEYS[1], redis.call
local version = tonumber(call('HGET', at .. ':learning', 'version') or 0)
if call('GET', at .. ':lock:learner') ~= ARGV[1] or version ~= tonumber(ARGV[2]) then
  return { 0, version }
end
call('HSET', at .. ':learning', 'version', version + 1, 'fitted', ARGV[3])
call('PEXPIRE', at .. ':lock:learner', ARGV[4])
return { 1, version + 1 }
