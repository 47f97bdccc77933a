"""The contributions of the five papers, each with its equations in order. See docs/papers.md."""
