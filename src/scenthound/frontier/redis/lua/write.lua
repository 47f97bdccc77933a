-- needs hosts
-- Write rows that are new, or whose evidence has changed since they were read.
-- ARGV[2]  1 if rows that are leased may change too
-- ARGV[3]  the rows, each packed: digest, version when read, 1 if new, lengths, host, row
-- Returns how many URLs wait, and for each row: 0 written, 1 changed meanwhile, 2 host is exhausted.
local outcomes, digests, names, rows, ranks_of = {}, {}, {}, {}, {}
local incoming, start = {}, 1
while start <= #ARGV[3] do
  local digest, version, is_new, host_length, length, first =
    struct.unpack('<c10c2BI2I4', ARGV[3], start)
  local name = sub(ARGV[3], first, first + host_length - 1)
  start = first + host_length + length
  local row = sub(ARGV[3], first + host_length, start - 1)
  incoming[#incoming + 1] = { name = name, row = row, version = version, is_new = is_new == 1 }
  digests[#digests + 1] = digest
  if not ranks_of[name] then
    ranks_of[name] = {}
    names[#names + 1] = name
  end
end
local found = call('HMGET', ROWS, unpack(digests))
for i, packed in ipairs(call('HMGET', HOSTS, unpack(names))) do read_host(names[i], packed) end

local function rank(host, row, digest, is_new)
  local ranks, score, number = ranks_of[host.name], -score_of(row), sub(row, 6, 11)
  ranks[#ranks + 1] = score
  ranks[#ranks + 1] = number .. digest
  ranked(host, score, number, is_new)
end

local function written(new, before, digest)
  local host, row = hosts[new.name], new.row
  if is_exhausted(host) then return 2 end
  if new.is_new then
    if before then return 1 end
    totals.waiting = totals.waiting + 1
    rank(host, row, digest, true)
  else
    if not before or new.version ~= sub(before, 1, 2) then return 1 end
    local state = state_of(before)
    if state >= CLOSED or (state == LEASED and ARGV[2] ~= '1') then return 1 end
    local tried = sub(before, 3, 5) -- state and attempts, which others may have changed
    if tried ~= sub(row, 3, 5) then row = sub(row, 1, 2) .. tried .. sub(row, 6) end
    if state == READY and score_of(row) ~= score_of(before) then rank(host, row, digest, false) end
  end
  rows[#rows + 1] = digest
  rows[#rows + 1] = row
  return 0
end

for i, digest in ipairs(digests) do outcomes[i] = written(incoming[i], found[i], digest) end
if #rows > 0 then call('HSET', ROWS, unpack(rows)) end
for name, ranks in pairs(ranks_of) do
  local host = hosts[name]
  if #ranks > 0 then call('ZADD', ready_of(name), unpack(ranks)) end
  local was = host.was
  if host.stale or host.ready ~= was.ready or host.top ~= was.top or host.best ~= was.best
    or host.bottom ~= was.bottom or host.worst ~= was.worst then
    settle(host)
  end
end
save()
return { totals.waiting, outcomes }
