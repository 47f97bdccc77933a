"""Language codes as pages and people write them, and as we compare them."""

from __future__ import annotations

import re

_PRIMARY = re.compile(r"\s*([a-z]{2,3})(?![a-z0-9])")
"""The first subtag of a BCP 47 tag: ``de`` of ``de-AT``; also of ``de_AT`` and ``de, en``."""
_SAME = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "cmn": "zh", "jp": "ja"}
"""Former and narrower codes, and one that is often taken for the right one."""
_LONGEST = 20
"""Characters of a declaration that are kept."""
_NONE = frozenset({"und", "mul", "zxx", "xx", "mis"})
"""Codes that name no language."""


def single_language(declared: str) -> str | None:
    """What a page or a header declares, in lower case; None for nothing and for several."""
    code = declared.strip().lower()[:_LONGEST]
    return None if "," in code else code or None


def primary_language(code: str | None) -> str | None:
    """``de`` of ``de-AT``, ``DE``, ``de_AT``; None for what names no language."""
    match = _PRIMARY.match((code or "")[:40].lower())
    found = _SAME.get(match[1], match[1]) if match else None
    return None if found in _NONE else found
