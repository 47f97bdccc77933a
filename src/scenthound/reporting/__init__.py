"""Reports: one HTML file for a crawl, a comparison or a tuning, with its plots and tables."""
