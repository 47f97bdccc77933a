"""Where a crawl could start: sitemaps, feeds and search, scored for a person to choose from."""
