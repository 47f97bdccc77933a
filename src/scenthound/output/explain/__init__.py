"""Explanations: why a page was fetched, and why another was not."""
