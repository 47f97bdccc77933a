"""WordNet as facts: words, their senses, what is a kind or a part of what, how words inflect."""
