"""Ontologies learnt from texts: formal concepts, WordNet, topics of words, association rules."""
