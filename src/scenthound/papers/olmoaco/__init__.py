"""The olmoaco paper: ontology learning and a multi-objective ant colony."""
