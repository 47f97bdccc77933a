"""Everything on disk: crawl folders, the journal, WARC files, archives, caches."""
