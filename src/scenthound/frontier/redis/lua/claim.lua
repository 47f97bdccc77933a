-- A worker claims pages of the budget.
-- KEYS[1]     the crawl, scenthound:{CRAWL}
-- ARGV[1..3]  the worker, how many pages, the budget
-- Answers how many pages the worker may have in all, and how many all workers have kept.
local ALLOWED, KEPT = KEYS[1] .. ':allowed', KEYS[1] .. ':kept'
local function sum(key)
  local all = 0
  for _, pages in ipairs(redis.call('HVALS', key)) do all = all + tonumber(pages) end
  return all
end
local mine = tonumber(redis.call('HGET', ALLOWED, ARGV[1]) or 0)
local more = math.max(0, math.min(tonumber(ARGV[2]), tonumber(ARGV[3]) - sum(ALLOWED)))
if more > 0 then redis.call('HSET', ALLOWED, ARGV[1], mine + more) end
return { mine + more, sum(KEPT) }
