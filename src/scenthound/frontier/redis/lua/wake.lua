-- needs waking
-- Let everything wake that is due by now, and tell how the partition stands.
-- ARGV[2]  now
wake(tonumber(ARGV[2]))
save()
return standing()
