-- needs leases
-- Close a URL for good, wherever it stands, unknown ones too; 1 if its host is exhausted by it.
-- One that another worker has leased is left to that: it may be asking the host for it now.
-- ARGV[2..6]  digest, host, 1 if it was fetched or 0 if given up, the row of one never seen, who
local digest, host = ARGV[2], host_of(ARGV[3])
local row, worker, awaited = call('HGET', ROWS, digest), lease_of(digest)
if not row then
  call('HSET', ROWS, digest, ARGV[5])
  return 0
end
local state = state_of(row)
if state == CLOSED or state == EXHAUSTED or (worker and worker ~= ARGV[6]) then return 0 end
call('HSET', ROWS, digest, sub(moved(row, CLOSED), 1, KEPT))
if worker then
  release(host, digest, awaited)
  if ARGV[4] == '1' then
    host.had = host.had + 1
    totals.pages = totals.pages + 1
  end
else
  totals.waiting = totals.waiting - 1
  if state == READY then
    unready(host, sub(row, 6, 11) .. digest)
  else
    call('ZREM', DUE, digest .. host.name)
    host.retries = host.retries - 1
  end
end
local exhausted = worker and ARGV[4] == '1' and is_exhausted(host)
if exhausted then call('SADD', EXHAUSTED_HOSTS, host.name) end
settle(host)
save()
return exhausted and 1 or 0
