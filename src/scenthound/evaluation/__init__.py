"""How good a crawl or a strategy is: comparisons, samples, scores, tuning, benchmarks."""
