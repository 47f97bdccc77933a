-- A worker claims pages of the budget; what dead workers had claimed and not kept is free again.
-- KEYS[1]     the crawl, scenthound:{CRAWL}
-- ARGV[1..5]  the worker, how many pages, the budget, now, last heard of before this: dead
-- Answers how many pages the worker may have in all, and how many all workers have kept.
local at, worker, dead = KEYS[1], ARGV[1], tonumber(ARGV[5])
local ALLOWED, KEPT, CLAIMED = at .. ':allowed', at .. ':kept', at .. ':claimed'
redis.call('HSET', CLAIMED, worker, ARGV[4])
local function numbers(key)
  local found, list = {}, redis.call('HGETALL', key)
  for i = 1, #list, 2 do found[list[i]] = tonumber(list[i + 1]) end
  return found
end
local allowed, kept, claimed = numbers(ALLOWED), numbers(KEPT), numbers(CLAIMED)
local given, all = 0, 0
for name, pages in pairs(allowed) do
  if (claimed[name] or 0) < dead and name ~= worker then
    pages = kept[name] or 0
    redis.call('HSET', ALLOWED, name, pages)
  end
  given = given + pages
end
for _, pages in pairs(kept) do all = all + pages end
local mine = allowed[worker] or 0
local more = math.max(0, math.min(tonumber(ARGV[2]), tonumber(ARGV[3]) - given))
if more > 0 then redis.call('HSET', ALLOWED, worker, mine + more) end
return { mine + more, all }
