-- Enter shapes; one that is there stays.
-- KEYS[1]  HASH of shapes: number -> names and weights
-- ARGV     number and text of each
for i = 1, #ARGV, 2 do
  if redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1]) == 0 and
    redis.call('HGET', KEYS[1], ARGV[i]) ~= ARGV[i + 1] then
    return redis.error_reply('two shapes have the number ' .. ARGV[i])
  end
end
return #ARGV / 2
