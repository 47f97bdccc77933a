"""WordNet as facts: words, their senses, what is a kind of what, how words inflect."""
