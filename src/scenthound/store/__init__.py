"""What is written to disk: the crawl folder, its journal, its state, its pages and database."""
