"""The dashboard: crawls watched in a browser."""
