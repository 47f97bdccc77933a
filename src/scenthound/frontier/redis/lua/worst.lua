-- needs base
-- The worst URL that waits in the partition, as negative score and number; nothing for none.
local last = call('ZRANGE', WORST, -1, -1, 'WITHSCORES')
return { totals.waiting, last[2] or '', last[1] and sub(last[1], 1, 6) or '' }
