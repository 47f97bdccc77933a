"""One crawl, many workers: what they share lies in a Redis or Valkey server."""
