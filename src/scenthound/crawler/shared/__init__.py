"""Crawls that several workers share over a Redis server."""
