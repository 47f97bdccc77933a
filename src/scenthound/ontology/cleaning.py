"""Texts as every kind of ontology file can hold them."""

from __future__ import annotations

import re

_NOT_XML = re.compile("[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped, and the other control characters."""


def one_line(text: str) -> str:
    """The text with single blanks, and without what no file can hold.

    Examples
    --------
    >>> one_line("a term\\n of a page")
    'a term of a page'
    """
    return " ".join(_NOT_XML.sub("\ufffd", text).split())
