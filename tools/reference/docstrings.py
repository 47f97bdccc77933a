"""Docstrings of this project, taken apart as the program itself does."""

from scenthound.core.parameters import Docstring, parse_docstring

__all__ = ["Docstring", "parse_docstring"]
