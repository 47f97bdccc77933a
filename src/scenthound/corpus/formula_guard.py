"""Text of strangers in a spreadsheet: what would run as a formula is given an apostrophe."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet may take for the start of a formula, full-width signs too."""


def guarded(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would run it."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def unguarded(text: str) -> str:
    """The text as it was before it was guarded."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text
