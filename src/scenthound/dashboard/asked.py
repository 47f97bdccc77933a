"""What a request asks for, checked: numbers in range, texts not too long."""

from __future__ import annotations

from collections.abc import Mapping

_LAST_BYTE = 2**62
LONGEST_QUERY = 200


class Refused(Exception):  # noqa: N818  it is an answer, not a fault of ours
    """A request that gets an error: the HTTP status, and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def asked_number(
    given: Mapping[str, str], name: str, default: int | None, least: int, most: int = _LAST_BYTE
) -> int | None:
    """A whole number within bounds; Refused (400) for anything else, ``default`` where it is not
    given."""
    text = given.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        above = f" to {most}" if most < _LAST_BYTE else " on"
        raise Refused(400, f"{name} takes a whole number from {least}{above}.")
    return int(text)


def asked_text(given: Mapping[str, str], name: str) -> str:
    """A text of some words; Refused (400) for one that is too long, "" where it is not given."""
    text = given.get(name, "")
    if len(text) > LONGEST_QUERY:
        raise Refused(400, f"{name} takes at most {LONGEST_QUERY} letters.")
    return text
