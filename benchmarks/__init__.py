"""Speed as a ratio within one run, memory as the work grows, the whole of a dirty web."""
