-- What others have counted since: {last number read, is the worker behind, is it to compact, updates}.
-- A worker that is behind must ask for everything: what is between is gone, or never was.
-- KEYS[1]     the crawl, scenthound:{NAME}
-- ARGV[1..3]  the worker, the last number it has read, how many to read at most
-- ARGV[4..5]  fold when so many documents are not, and one in so many
local at, call = KEYS[1], redis.call
local found = call('HMGET', at .. ':learning', 'updates', 'documents', 'folded_documents')
local last, read = tonumber(found[1] or 0), tonumber(ARGV[2])
if read > last or read < last - call('XLEN', at .. ':updates') then return { last, 1, 0, {} } end

local others = {}
for _, entry in ipairs(call('XRANGE', at .. ':updates', (read + 1) .. '-0', '+', 'COUNT', ARGV[3])) do
  read = read + 1
  local fields = entry[2]
  if fields[2] ~= ARGV[1] then others[#others + 1] = { tonumber(fields[4]), fields[6] } end
end

local folds, documents, folded = 0, tonumber(found[2] or 0), tonumber(found[3] or 0)
if read == last and documents - folded >= math.max(ARGV[4], folded / ARGV[5]) then
  local folder = call('GET', at .. ':lock:folder') or ARGV[1]
  if folder == ARGV[1] then
    call('SET', at .. ':lock:folder', ARGV[1], 'PX', 60000)
    folds = 1
  end
end
return { read, 0, folds, others }
