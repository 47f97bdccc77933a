"""Which URL is fetched next and when its host may be asked: in memory, in SQLite, on Redis."""
