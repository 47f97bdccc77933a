"""What models of words and texts as vectors find, and what they cost: ``make bench-neural``."""
