"""What comes out of a crawl: exports, explanations, reports, the dashboard."""
