-- The rows of URLs, nil for one never seen.
-- KEYS[1]  the partition, scenthound:{CRAWL/NUMBER}
-- ARGV[2]  the digests, 10 bytes each; as one text, since many arguments cost the client more
local digests = {}
for first = 1, #ARGV[2], 10 do digests[#digests + 1] = string.sub(ARGV[2], first, first + 9) end
return redis.call('HMGET', KEYS[1] .. ':rows', unpack(digests))
