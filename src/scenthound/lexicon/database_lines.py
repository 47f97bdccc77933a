"""Lines of WordNet's own files (format: ``man wndb``). A ValueError or IndexError tells damage."""

from __future__ import annotations

from typing import NamedTuple

_KIND_OF = ("@", "@i")
"""Pointers to the concept this is a kind of, or an instance of."""
_PART_OF, _HAS_PART = "#p", "%p"
"""Pointers to a whole and to a part. Members and substances have others, which are not read."""
NOWHERE = -1
"""Stands for the target of a pointer between part and whole that is no number."""


class Synset(NamedTuple):
    """A concept: its number, the words that name it, what it is a kind of, its wholes and parts."""

    number: int
    words: tuple[str, ...]
    above: tuple[int, ...]
    wholes: tuple[int, ...]
    parts: tuple[int, ...]


def synset(line: str) -> Synset:
    """A line of ``data.*``.

    ``offset file type w_cnt [word id]... p_cnt [symbol offset part source/target]...``, where
    ``w_cnt`` is hexadecimal. What follows (verb frames, definition) is not read.
    """
    fields = line.partition("|")[0].split()
    first = 5 + 2 * int(fields[3], 16)
    end = first + 4 * int(fields[first - 1])
    if not 5 <= first <= end <= len(fields):
        raise ValueError("fewer fields than announced")
    pointers = [
        (fields[at], fields[at + 1]) for at in range(first, end, 4) if fields[at + 2] == fields[2]
    ]
    above = [int(target) for symbol, target in pointers if symbol in _KIND_OF]
    return Synset(
        int(fields[0]),
        tuple(map(spelled, fields[4 : first - 1 : 2])),
        tuple(dict.fromkeys(above)),
        tuple(_place(target) for symbol, target in pointers if symbol == _PART_OF),
        tuple(_place(target) for symbol, target in pointers if symbol == _HAS_PART),
    )


def _place(target: str) -> int:
    """A bad target costs one fact about parts, not the whole folder."""
    return int(target) if target.isdecimal() else NOWHERE


def lemma(line: str) -> tuple[str, tuple[int, ...]]:
    """A lemma and its synsets, the most frequent sense first, from a line of ``index.*``.

    ``lemma part synset_cnt p_cnt [symbol]... sense_cnt tagsense_cnt offset...``
    """
    fields = line.split()
    count, first = int(fields[2]), 6 + int(fields[3])
    if count < 1 or first < 6 or len(fields) != first + count:
        raise ValueError("not as many synsets as announced")
    return spelled(fields[0]), tuple(map(int, fields[first:]))


def inflection(line: str) -> tuple[str, tuple[str, ...]]:
    """An inflected form and its base forms, from a line of ``*.exc``: ``inflected base...``."""
    inflected, *bases = map(spelled, line.split())
    if not bases:
        raise ValueError("no base form")
    return inflected, tuple(bases)


def spelled(word: str) -> str:
    """Lower case, the words of a phrase apart by one blank."""
    plain = " ".join(word.lower().replace("_", " ").split())
    if not plain:
        raise ValueError("an empty word")
    return plain
