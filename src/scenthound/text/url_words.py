"""What an address says in words."""

from __future__ import annotations

import re
from urllib.parse import unquote

_LAST_PARTS = 2
_ENDING = re.compile(r"\.[a-z0-9]{1,5}$", re.IGNORECASE)
_NO_LETTERS = re.compile(r"[\W\d_]+")


def url_words(url: str) -> str:
    """The words in the last parts of a canonical URL's path, without its ending.

    Empty where they hold no letter.

    Examples
    --------
    >>> url_words("http://example.org/2019/spices/Black_pepper.html?page=2")
    'spices Black pepper'
    """
    path = unquote(url.partition("?")[0].split("/", 3)[3])
    parts = [part for part in path.split("/") if part][-_LAST_PARTS:]
    return _NO_LETTERS.sub(" ", "/".join([_ENDING.sub("", part) for part in parts])).strip()
