-- needs schedule
-- Lease the best URLs of hosts that may be asked; their rows, and the status of the partition then.
-- ARGV[2..6]  now, when the leases expire, the worker, how many at most, the state of the hosts
-- ARGV[7..8]  what another partition offers, as negative score and number: stop at worse ones
-- ARGV[9]     the name of this request: sent again, as its answer was lost, it is answered the same
wake(tonumber(ARGV[2]))
local answer, length = call('HGET', REQUESTS, ARGV[4]), #ARGV[9]
if answer and sub(answer, 1, length) == ARGV[9] then
  local rows = {}
  for first = length + 1, #answer, DIGEST do
    rows[#rows + 1] = call('HGET', ROWS, sub(answer, first, first + DIGEST - 1))
  end
  save()
  return { status(), rows }
end

local most, set = tonumber(ARGV[5]), SETS[tonumber(ARGV[6])]
local bound, leased, digests = tonumber(ARGV[7]), {}, { ARGV[9] }
while #leased < most do
  local first = call('ZRANGE', set, 0, 0, 'WITHSCORES')
  if not first[1] then break end
  local best, number = tonumber(first[2]), sub(first[1], 1, 6)
  if bound and (best > bound or (best == bound and number > ARGV[8])) then break end
  local host = host_of(sub(first[1], 7))
  local digest = sub(call('ZRANGE', ready_of(host.name), 0, 0)[1], 7)
  local row = call('HGET', ROWS, digest)
  lease(host, digest, row, ARGV[4], ARGV[3])
  leased[#leased + 1] = row
  digests[#digests + 1] = digest
end
if #leased > 0 then call('HSET', REQUESTS, ARGV[4], table.concat(digests)) end
save()
return { status(), leased }
