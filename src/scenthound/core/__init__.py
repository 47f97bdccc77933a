"""The crawl itself: its model, its loop, its events, the contracts of its parts. No I/O."""
