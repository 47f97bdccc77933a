"""Grids of runs: what is compared, how it is run and shared, and what the figures say."""
