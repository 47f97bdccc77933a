"""Exports: rows and files of a corpus, WACZ and WARC copies."""
