-- needs schedule
-- Let everything wake that is due by now, and return the status of the partition.
-- ARGV[2]  now
wake(tonumber(ARGV[2]))
save()
return status()
