"""What the headers of an answer ask of a crawler: X-Robots-Tag, Retry-After, Content-Type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime

from scenthound.text.decode import media_type
from scenthound.text.pdf import PDF_TYPES

LONGEST_RETRY_AFTER = 24 * 3600.0

_ROBOT = re.compile(r"[a-z*][\w*-]*")
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")
_MEANING = {
    "noindex": frozenset({"noindex"}),
    "nofollow": frozenset({"nofollow"}),
    "none": frozenset({"noindex", "nofollow"}),
}
_PAGES = frozenset(
    {"text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml"}
)
_NAMED = frozenset(
    {
        "application/json", "application/ld+json", "application/pdf", "application/zip",
        "application/gzip", "application/x-gzip", "application/x-tar", "application/octet-stream",
        "application/javascript", "application/msword", "application/postscript",
        "application/rss+xml", "application/atom+xml", "text/css", "text/javascript", "text/csv",
        "text/calendar",
    }
)  # fmt: skip
_FAMILIES = frozenset({"application", "audio", "font", "image", "model", "text", "video"})
_NOT_A_PAGE = re.compile(
    r"\.(pdf|jpe?g|png|gif|webp|svg|ico|mp[34]|m4[av]|og[gv]|wav|avi|mov|webm|zip|gz|tgz|bz2|xz|"
    r"7z|rar|tar|exe|dmg|iso|jar|css|js|json|woff2?|ttf|docx?|xlsx?|pptx?|odt|ods|odp|ps|eps)$",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,9})?")


def robots_tag(values: Sequence[str], agent: str = "scenthound") -> frozenset[str]:
    """``noindex`` and ``nofollow``, as far as X-Robots-Tag headers ask for them.

    Parameters
    ----------
    values : the headers, each as it came; none of them forbids nothing.
    agent : our name. What is said to all robots and what is said to us hold together; what is
        said to another robot, up to the next name in the same header, does not.
    """
    found: frozenset[str] = frozenset()
    for value in values:
        addressee = ""
        for piece in value.lower().split(","):
            head, colon, rest = piece.partition(":")
            name = head.strip()
            if colon and (name in _WITH_VALUE or not _ROBOT.fullmatch(name)):
                continue  # a value, or the time of day in a date with a comma
            if colon:
                addressee, piece = name, rest
            if addressee in ("", "*", agent.lower()):
                found |= _MEANING.get(piece.strip(), frozenset())
    return found


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds that a Retry-After header asks to wait, from 0 to a day; None for none, or dirt.

    ``now`` is the time in seconds since 1970; the header may name a date instead of a number.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return min(LONGEST_RETRY_AFTER, float(text))
    try:
        date = parsedate_to_datetime(text)
        if date.tzinfo is None:  # "-0000": UTC, from a sender that does not know its own zone
            date = date.replace(tzinfo=UTC)
        return min(LONGEST_RETRY_AFTER, max(0.0, date.timestamp() - now))
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def wanted_type(content_type: str, url: str, pdf: bool = False) -> str | None:
    """Why an answer is no page, such as ``type application/pdf``; None where it may be one.

    HTML, XHTML, XML and plain text are pages; so are PDFs with ``pdf``. Where no type is given
    the ending of the URL decides. The reasons are few, whatever servers send: a rare type is
    told by its family.
    """
    declared = media_type(content_type)
    if pdf and _is_pdf(declared, url):
        return None
    if not declared:
        ending = _NOT_A_PAGE.search(url.partition("?")[0])
        return f"type {ending[0].lower()}" if ending else None
    if declared in _PAGES:
        return None
    if declared in _NAMED:
        return f"type {declared}"
    family = declared.partition("/")[0]
    return f"type {family}/*" if family in _FAMILIES else "type unknown"


def _is_pdf(declared: str, url: str) -> bool:
    """May it be a PDF? Where the type says nothing, the ending of the URL decides."""
    if declared in ("", "application/octet-stream", "binary/octet-stream"):
        return url.partition("?")[0].lower().endswith(".pdf")
    return declared in PDF_TYPES


def retry_delay(attempts: int, base: float = 60.0, most: float = 3600.0, *, jitter: float) -> float:
    """Seconds to wait after the ``attempts``-th failure: twice as long each time.

    Parameters
    ----------
    attempts : failures so far, from 1.
    base, most : the wait after the first failure, and the longest one.
    jitter : a random number from 0 to below 1; it shortens the wait by up to a half, so that
        URLs that failed together do not come back together.
    """
    doublings = min(max(attempts - 1, 0), 60)
    return min(most, base * 2.0**doublings) * (1.0 - jitter / 2.0)
