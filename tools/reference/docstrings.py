"""Docstrings of this project, taken apart as the program itself does."""

from scenthound.core.docstrings import Docstring, docstring

__all__ = ["Docstring", "docstring"]
