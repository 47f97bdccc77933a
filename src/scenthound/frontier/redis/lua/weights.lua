-- The weights of all: {version, version that all that waits was rescored by, weights, sums}.
-- The weights are '' where the version is known, the sums where there are none.
-- KEYS[1]     the crawl, scenthound:{NAME}
-- ARGV[1..2]  the version that is known, the version that all that waits was rescored by or 0
local key, call = KEYS[1] .. ':learning', redis.call
if tonumber(ARGV[2]) > 0 then call('HSET', key, 'rescored', ARGV[2]) end
local found = call('HMGET', key, 'version', 'rescored', 'fitted', 'links')
local version = tonumber(found[1] or 0)
local fitted = version == tonumber(ARGV[1]) and '' or found[3]
return { version, tonumber(found[2] or 0), fitted or '', found[4] or '' }
