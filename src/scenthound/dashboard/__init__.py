"""The dashboard: crawls watched and steered in a browser."""
