"""From bytes to text, links, terms and weights."""
