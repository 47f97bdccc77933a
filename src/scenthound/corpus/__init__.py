"""What a crawl brought home: its pages, read back from the folder, and given to others."""
