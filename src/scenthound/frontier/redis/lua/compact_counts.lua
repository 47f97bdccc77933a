-- Store the sum of all counts up to an update; older updates are dropped, but for the last ones.
-- KEYS[1]     the crawl, scenthound:{NAME}
-- ARGV[1..3]  the number, documents, in how many each term occurs (packed)
-- ARGV[4]     how many old updates are kept for workers that have not read them
local at, call = KEYS[1], redis.call
local found = call('HMGET', at .. ':learning', 'updates', 'folded')
local last, upto = tonumber(found[1] or 0), tonumber(ARGV[1])
if upto > last or upto <= tonumber(found[2] or 0) then return 0 end
call('SET', at .. ':terms', ARGV[3])
call('HSET', at .. ':learning', 'folded', upto, 'folded_documents', ARGV[2])
call('XTRIM', at .. ':updates', 'MAXLEN', last - upto + ARGV[4])
return 1
