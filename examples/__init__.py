"""Topics, ontologies and experiments to begin with."""
