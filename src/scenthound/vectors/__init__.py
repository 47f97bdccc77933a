"""Words and texts as vectors: the models, the batches they work in, and what is remembered."""
