-- What time it is, in seconds and microseconds: as a script it has a key, and so in a cluster it is
-- always the same node that tells.
return redis.call('TIME')
