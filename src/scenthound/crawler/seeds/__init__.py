"""Seeds: found by searching, read from sitemaps and feeds, proposed by their pages."""
