"""Ontologies: concepts of a topic and how they are related; their files, checks and pictures."""
