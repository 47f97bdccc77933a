-- What all workers have counted: {summed terms, {last update, summed up to, documents}, updates}.
-- KEYS[1]  the crawl, scenthound:{NAME}
local at, call = KEYS[1], redis.call
return { call('GET', at .. ':terms'),
  call('HMGET', at .. ':learning', 'updates', 'folded', 'documents'),
  call('XRANGE', at .. ':updates', '-', '+') }
