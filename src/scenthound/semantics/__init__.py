"""How similar are two words? Measures over a taxonomy of concepts."""
