"""The experiments of olmoaco (2022) that can be repeated over an archive."""
