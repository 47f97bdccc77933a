-- The time of a crawl, in seconds: the server's, which never goes back. Where its clock is put back,
-- or a replica with another clock takes over, the time of the crawl goes on from the last that was
-- reported. As a script it has a key: in a cluster it is always the same node that answers.
-- KEYS[1]  the crawl, scenthound:{NAME}
local key, time = KEYS[1] .. ':clock', redis.call('TIME')
local found = redis.call('HMGET', key, 'last', 'ahead')
local last, ahead = tonumber(found[1] or 0), tonumber(found[2] or 0)
local now = time[1] + time[2] / 1e6 + ahead
if now < last then
  ahead, now = ahead + last - now, last
end
local text = string.format('%.6f', now)
redis.call('HSET', key, 'last', text, 'ahead', string.format('%.6f', ahead))
return text
