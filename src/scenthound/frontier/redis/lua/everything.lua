-- What all workers have counted: {terms folded, {last news, folded up to, documents}, news}.
-- KEYS[1]  the crawl, scenthound:{NAME}
local at, call = KEYS[1], redis.call
return { call('GET', at .. ':terms'),
  call('HMGET', at .. ':learning', 'news', 'folded', 'documents'),
  call('XRANGE', at .. ':news', '-', '+') }
