"""Pages and the links between them, as far as a crawl has seen them, and what follows from it."""
