-- needs hosts
-- Forget the worst URLs that wait. How many were, and the worst that is left.
-- ARGV[2]  how many at most
-- ARGV[3..4]  the worst of another partition, as negative score and number: stop at better ones
local most, bound, count = tonumber(ARGV[2]), tonumber(ARGV[3]), 0
local last = call('ZRANGE', WORST, -1, -1, 'WITHSCORES')
while count < most and last[1] do
  local worst, number = tonumber(last[2]), sub(last[1], 1, 6)
  if bound and (worst < bound or (worst == bound and number < ARGV[4])) then break end
  local host = host_of(sub(last[1], 7))
  local member = call('ZRANGE', ready_of(host.name), -1, -1)[1]
  unready(host, member)
  call('HDEL', ROWS, sub(member, 7))
  totals.waiting = totals.waiting - 1
  count = count + 1
  settle(host)
  last = call('ZRANGE', WORST, -1, -1, 'WITHSCORES')
end
if count > 0 then call('HINCRBY', TOTALS, 'dropped', count) end
save()
return { count, last[2] or '', last[1] and sub(last[1], 1, 6) or '' }
