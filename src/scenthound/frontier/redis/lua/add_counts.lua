-- Add what a worker has learned to what all have; the last of its pages that is in it then.
-- KEYS[1]     the crawl, scenthound:{NAME}
-- ARGV[1..3]  the worker, the last page it had shared before, the last one it shares now
-- ARGV[4..6]  documents, in how many each term occurs (packed), sums over links (packed)
local at, call = KEYS[1], redis.call
local known = tonumber(call('HGET', at .. ':shared_pages', ARGV[1]) or 0)
if known > tonumber(ARGV[2]) then return known end -- an answer was lost: it has been added
call('HSET', at .. ':shared_pages', ARGV[1], ARGV[3])

if tonumber(ARGV[4]) > 0 then
  call('HINCRBY', at .. ':learning', 'documents', ARGV[4])
  local number = call('HINCRBY', at .. ':learning', 'updates', 1)
  call('XADD', at .. ':updates', number .. '-0', 'worker', ARGV[1], 'documents', ARGV[4],
    'terms', ARGV[5])
end

if #ARGV[6] > 0 then
  local links, sums = call('HGET', at .. ':learning', 'links'), {}
  for place = 1, #ARGV[6], 8 do
    local sum = struct.unpack('<d', ARGV[6], place)
    if links then sum = sum + struct.unpack('<d', links, place) end
    sums[#sums + 1] = struct.pack('<d', sum)
  end
  call('HSET', at .. ':learning', 'links', table.concat(sums))
end
return tonumber(ARGV[3])
