-- needs base
-- The rows of the best ready URLs, best first, whatever the states of their hosts.
-- ARGV[2]  how many at most
local most, found = tonumber(ARGV[2]), {}

local function before(one, other)
  if one[1] ~= other[1] then return one[1] < other[1] end
  return one[2] < other[2]
end

local tops = call('ZRANGE', TOPS, 0, most - 1, 'WITHSCORES')
for i = 1, #tops, 2 do
  local top = { tonumber(tops[i + 1]), sub(tops[i], 1, 6) }
  if #found >= most and before(found[most], top) then break end
  local members = call('ZRANGE', ready_of(sub(tops[i], 7)), 0, most - 1, 'WITHSCORES')
  for j = 1, #members, 2 do found[#found + 1] = { tonumber(members[j + 1]), members[j] } end
  table.sort(found, before)
  for j = #found, most + 1, -1 do found[j] = nil end
end
local rows = {}
for i, each in ipairs(found) do rows[i] = call('HGET', ROWS, sub(each[2], 7)) end
return rows
