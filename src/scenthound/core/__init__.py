"""Values, protocols and the crawl itself: no I/O, no engine."""
