"""A generated web with known topics, for the demo, the tests and the benchmark."""
