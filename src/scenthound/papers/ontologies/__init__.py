"""Ontologies: what they are, their files (indented text, OWL, SKOS), what may be wrong with them."""
