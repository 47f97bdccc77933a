"""How well ``scent`` harvests beside everything else, and what it costs: ``make bench-scent``."""
