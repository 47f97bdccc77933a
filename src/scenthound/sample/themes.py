"""The themes of the sample web, eight topics and five kinds of noise: their words and sentences.

The prose lies in ``data/`` as plain text, one file a theme, because prose is easier to write and
to judge as prose than as nested tuples. The format, line by line:

* ``# text`` is a comment;
* ``@slot: one; two; three`` gives the values of ``{slot}``; ``@keywords`` names the topic;
* ``* Title | phrase | Wiki_name`` starts a subject; the sentences under it are about it alone
  (the first one defines it); the wiki name is optional;
* ``*~`` starts a side subject: it has articles, but the sentences with ``{s}`` do not fit it
  (in the theme of cars, a tyre has no top speed);
* ``## Heading`` starts a section of sentences that fit any subject of the theme;
* ``%% name`` starts a pool for one kind of page (``news``, ``blog``, ``faq``, ``forum``, ...);
* every other line is a sentence; a line that starts with blanks continues the one before.

In a sentence ``{s}`` and ``{S}`` are the subject (mid-sentence, and at the start of one),
``{T}`` its title, ``{o}`` another subject of the theme.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

KEYWORDS = "keywords"
TOPICS = (
    "storms", "rainforest", "coffee", "programming", "big cats", "cars", "snakes", "astronomy",
)  # fmt: skip
NOISE = ("town", "cooking", "sports", "gossip", "myth")


@dataclass(frozen=True, slots=True)
class Subject:
    """Something a page can be about: its title, how a sentence calls it, facts on it alone."""

    title: str
    phrase: str
    wiki: str
    facts: tuple[str, ...]
    side: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """All the words of one theme. A topic is a theme with keywords; noise has none."""

    name: str
    subjects: tuple[Subject, ...]
    sections: Mapping[str, tuple[str, ...]]
    pools: Mapping[str, tuple[str, ...]]
    slots: Mapping[str, tuple[str, ...]]

    @property
    def main_subjects(self) -> tuple[Subject, ...]:
        """The subjects that every sentence of the theme fits."""
        return tuple(subject for subject in self.subjects if not subject.side)

    @property
    def keywords(self) -> tuple[str, ...]:
        """Words that name the topic; empty for noise."""
        return self.slots.get(KEYWORDS, ())


@dataclass(slots=True)
class _Draft:
    """A theme while it is being read; ``current`` is where the next sentence goes."""

    slots: dict[str, tuple[str, ...]] = field(default_factory=dict)
    subjects: dict[str, list[str]] = field(default_factory=dict)
    sections: dict[str, list[str]] = field(default_factory=dict)
    pools: dict[str, list[str]] = field(default_factory=dict)
    current: list[str] = field(default_factory=list)

    def take(self, line: str) -> None:
        """Read one logical line."""
        mark, _, rest = line.partition(" ")
        if mark == "#":
            return
        if mark in ("*", "*~"):
            self.current = self.subjects.setdefault(line, [])
        elif mark == "##":
            self.current = self.sections.setdefault(rest, [])
        elif mark == "%%":
            self.current = self.pools.setdefault(rest, [])
        elif line.startswith("@"):
            name, _, values = line[1:].partition(": ")
            self.slots[name] = tuple(value.strip() for value in values.split(";"))
        else:
            self.current.append(line)


def topic_themes() -> tuple[Theme, ...]:
    """The themes a crawl can be about."""
    return tuple(_load(name) for name in TOPICS)


def noise_themes() -> tuple[Theme, ...]:
    """The themes no topic asks for."""
    return tuple(_load(name) for name in NOISE)


def _load(name: str) -> Theme:
    """The theme in its data file."""
    return read_theme(name, data_text(f"{name.replace(' ', '-')}.txt"))


@cache
def data_text(name: str) -> str:
    """Text of a data file of the package."""
    return (resources.files("scenthound.sample") / "data" / name).read_text(encoding="utf-8")


def read_theme(name: str, text: str) -> Theme:
    """The theme written in ``text``."""
    draft = _Draft()
    for line in _logical_lines(text):
        draft.take(line)
    return Theme(
        name=name,
        subjects=tuple(_subject(head, facts) for head, facts in draft.subjects.items()),
        sections={head: tuple(lines) for head, lines in draft.sections.items()},
        pools={head: tuple(lines) for head, lines in draft.pools.items()},
        slots=draft.slots,
    )


def _logical_lines(text: str) -> Iterator[str]:
    """Lines with their continuations joined on, blank lines left out."""
    pending = ""
    for line in text.splitlines():
        if line.startswith(" "):
            pending += " " + line.strip()
            continue
        if pending:
            yield pending
        pending = line.strip()
    if pending:
        yield pending


def _subject(head: str, facts: list[str]) -> Subject:
    mark, _, names = head.partition(" ")
    title, phrase, *wiki = (piece.strip() for piece in names.split("|"))
    name = wiki[0] if wiki else title.replace(" ", "_")
    return Subject(title, phrase, name, tuple(facts), side=mark == "*~")
