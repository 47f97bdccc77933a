"""Topics as a crawl reads them, edits them and describes them."""
