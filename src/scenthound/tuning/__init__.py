"""Weights of the texts of a link, learnt for a topic from the links of a crawl or an archive."""
