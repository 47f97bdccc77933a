"""What ontologies and the graph of links cost: ``make bench-ontology``."""
