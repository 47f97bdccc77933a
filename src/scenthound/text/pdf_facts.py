"""What a PDF states about itself, as far as it can be believed."""

from __future__ import annotations

import re
from datetime import date

_PROGRAM = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel|office word)|powerpoint presentation) *-? *",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"\S+\.(?:docx?|dotx?|rtf|odt|indd|tex|dvi|ps|pdf|pptx?|xlsx?|qxd|fm)", re.IGNORECASE
)
_NO_TITLE = frozenset({"untitled", "untitled document", "title", "document", "none", "slide 1"})
_DATE = re.compile(r"(?:D:)?(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?")


def stated_title(stated: str) -> str:
    """The stated title, or nothing where a program has put the name of a file in its place."""
    title = _PROGRAM.sub("", stated.strip()).strip()
    if title.lower() in _NO_TITLE or _FILE_NAME.fullmatch(title):
        return ""
    return title if any(map(str.isalpha, title)) else ""


def iso_date(stated: str) -> str:
    """``2024-03-01`` of ``D:20240301120000+01'00'``; nothing for what is no date.

    A year or a month alone stay what they are.
    """
    match = _DATE.match(stated.strip())
    if match is None:
        return ""
    year, month, day = match.groups()
    try:
        date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return ""
    return "-".join(part for part in (year, month, day) if part)
