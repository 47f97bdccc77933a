-- The states of URLs, one byte each; 255 for one never seen.
-- KEYS[1]  the partition, scenthound:{CRAWL/NUMBER}
-- ARGV[2]  the digests, 10 bytes each
local digests, states = {}, {}
for first = 1, #ARGV[2], 10 do digests[#digests + 1] = string.sub(ARGV[2], first, first + 9) end
for i, row in ipairs(redis.call('HMGET', KEYS[1] .. ':rows', unpack(digests))) do
  states[i] = row and string.sub(row, 3, 3) or '\255'
end
return table.concat(states)
