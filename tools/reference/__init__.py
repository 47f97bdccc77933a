"""The reference, written from the code, so that it cannot drift."""
