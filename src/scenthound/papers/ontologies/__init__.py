"""Ontologies: what they are, their files (indented text, OWL, SKOS), and what may be wrong."""
