"""What tokenizers take."""

from __future__ import annotations


def encodable(text: str) -> str:
    """``text`` with a question mark for each half of a character, which no tokenizer takes.

    Pages have them, by escapes in scripts and in JSON.
    """
    return text.encode("utf-8", "replace").decode("utf-8")
