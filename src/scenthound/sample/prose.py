"""The text of a page: sentences that fill the patterns of a theme, never the same one twice, and
blocks of HTML by the kind of the page.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape

from scenthound.sample.themes import WORDS, Subject, Target, Theme

_SLOT = re.compile(r"\{(\w+)\}")
_NEEDS_MAIN_SUBJECT = re.compile(r"\{(?:[sST]|place)\}")


class SentenceWriter:
    """Speaks about one subject of a theme.

    Parameters
    ----------
    theme, subject : what is spoken of.
    rng : decides every choice.
    mentions : pages that may be linked where another subject is named; each is used once and
        taken out of the list, so what remains afterwards still has to be linked elsewhere.
    href : spells the address of a target as it stands in the page.
    title : title of the page; a place it names is the place the page speaks of.
    """

    def __init__(
        self,
        theme: Theme,
        subject: Subject,
        rng: random.Random,
        mentions: list[Target] | None = None,
        href: dict[str, str] | None = None,
        title: str = "",
    ) -> None:
        self.theme = theme
        self.subject = subject
        self._rng = rng
        self._mentions = [] if mentions is None else mentions
        self._href = href or {}
        self._said: set[str] = set()
        self._choices = {
            name: next((value for value in values if value in title), rng.choice(values))
            for name, values in theme.slots.items()
        }

    def plain(self, pattern: str) -> str:
        """The filled pattern as text, without links."""
        return re.sub(r"<[^>]+>", "", self.say(pattern)).replace("&amp;", "&")

    def say(self, pattern: str) -> str:
        """The filled pattern as HTML."""
        filled = _SLOT.sub(lambda match: self._value(match[1]), escape(pattern, quote=False))
        return capitalised(filled)

    def pick(self, patterns: Sequence[str], least: int, most: int) -> list[str]:
        """Some of the patterns, filled, in the order they were written in.

        The order is kept because sections were written to be read from top to bottom.
        Patterns that have been used on the page, or do not fit its subject, are left out.
        """
        fitting = [p for p in patterns if p not in self._said and self._fits(p)]
        count = min(len(fitting), self._rng.randint(least, most))
        chosen = sorted(self._rng.sample(range(len(fitting)), count))
        self._said.update(fitting[index] for index in chosen)
        return [self.say(fitting[index]) for index in chosen]

    def facts(self, most: int = 3) -> list[str]:
        """What is true of the subject alone, its definition first."""
        first, *rest = self.subject.facts
        return [*self.pick([first], 1, 1), *self.pick(rest, most - 1, most - 1)]

    def _fits(self, pattern: str) -> bool:
        return not (self.subject.side and _NEEDS_MAIN_SUBJECT.search(pattern))

    def _value(self, slot: str) -> str:
        if slot in ("s", "S"):
            return capitalised(self.subject.phrase) if slot == "S" else self.subject.phrase
        if slot == "T":
            return self.subject.title
        if slot == "o":
            return self._other()
        if slot == "weekday":
            return self._rng.choice(WORDS["weekdays"])
        if slot.endswith("_cap"):
            return capitalised(self._choice(slot.removesuffix("_cap")))
        return self._choice(slot)

    def _choice(self, slot: str) -> str:
        """A page keeps to one place and one institution, but for now and then."""
        if self._rng.random() < 0.12:
            return self._rng.choice(self.theme.slots[slot])
        return self._choices[slot]

    def _other(self) -> str:
        for index, target in enumerate(self._mentions):
            if target.phrase and target.phrase != self.subject.phrase:
                del self._mentions[index]
                return f'<a href="{escape(self._href[target.url])}">{escape(target.phrase)}</a>'
        others = [s.phrase for s in self.theme.main_subjects if s.phrase != self.subject.phrase]
        return self._rng.choice(others)


def capitalised(text: str) -> str:
    """``text`` with its first letter in upper case, tags skipped."""
    return re.sub(r"^((?:<[^>]+>)*)(\w)", lambda m: m[1] + m[2].upper(), text, count=1)


def paragraphs(sentences: Iterable[str], rng: random.Random, size: int = 3) -> list[str]:
    """Sentences gathered into paragraphs of about ``size``."""
    waiting = list(sentences)
    made: list[str] = []
    while waiting:
        count = max(1, size + rng.choice((-1, 0, 0, 1)))
        made.append(" ".join(waiting[:count]))
        waiting = waiting[count:]
    return made


# The text of a page by its kind. Every function returns blocks of HTML, top to bottom.

Blocks = list[str]


def _paragraph(sentences: list[str]) -> str:
    return f"<p>{' '.join(sentences)}</p>"


def _section(speaker: SentenceWriter, heading: str, least: int, most: int) -> Blocks:
    sentences = speaker.pick(speaker.theme.sections[heading], least, most)
    return [f"<h2>{heading}</h2>", _paragraph(sentences)] if sentences else []


def _headings(speaker: SentenceWriter, rng: random.Random, count: int) -> list[str]:
    """Some headings, in the order of the theme."""
    names = list(speaker.theme.sections)
    return [names[i] for i in sorted(rng.sample(range(len(names)), min(count, len(names))))]


def _article(speaker: SentenceWriter, rng: random.Random) -> Blocks:
    blocks = [_paragraph(speaker.facts())]
    for heading in _headings(speaker, rng, rng.randint(3, 4)):
        blocks += _section(speaker, heading, 3, 5)
    if rng.random() < 0.3:
        named = speaker.pick(speaker.theme.pools["accented"], 1, 2)
        blocks += ["<h2>Names and places</h2>", _paragraph(named)]
    return blocks


def _news(speaker: SentenceWriter, rng: random.Random) -> Blocks:
    report = speaker.pick(speaker.theme.pools["news"], 5, 8)
    blocks = [f"<p>{text}</p>" for text in paragraphs(report, rng, 2)]
    return [*blocks, "<h3>Background</h3>", _paragraph(speaker.facts()), *_aside(speaker, rng)]


def _aside(speaker: SentenceWriter, rng: random.Random) -> Blocks:
    heading = _headings(speaker, rng, 1)[0]
    sentences = speaker.pick(speaker.theme.sections[heading], 2, 4)
    return [_paragraph(sentences)] if sentences else []


def _blog(speaker: SentenceWriter, rng: random.Random) -> Blocks:
    story = speaker.pick(speaker.theme.pools["blog"], 5, 8)
    story_blocks = [f"<p>{text}</p>" for text in paragraphs(story, rng, 3)]
    explained = [_paragraph(speaker.facts(2)), *_aside(speaker, rng)]
    return [story_blocks[0], *explained, *story_blocks[1:]]


def _faq(speaker: SentenceWriter, rng: random.Random) -> Blocks:
    blocks = [_paragraph(speaker.facts())]
    for pair in speaker.pick(speaker.theme.pools["faq"], 4, 6):
        question, _, answer = pair.partition(" :: ")
        blocks += [f"<h3>{question}</h3>", f"<p>{answer}</p>"]
    return blocks + _section(speaker, _headings(speaker, rng, 1)[0], 3, 4)


def _forum(speaker: SentenceWriter, rng: random.Random) -> Blocks:
    """A question and its answers, day after day; some answers add what is generally known."""
    answers = speaker.pick(speaker.theme.pools["forum"], 5, 8)
    names = rng.sample(WORDS["nicknames"], 4)
    days = sorted(rng.choices(range(1, 29), k=len(answers) + 1))
    month = rng.choice(WORDS["post_months"])
    opening = [rng.choice(WORDS["greetings"]), *speaker.facts(), rng.choice(WORDS["requests"])]
    blocks = [_post(names[0], f"{days[0]} {month}", opening)]
    for day, text in zip(days[1:], answers, strict=True):
        heading = _headings(speaker, rng, 1)[0]
        known = speaker.pick(speaker.theme.sections[heading], 1, 1) if rng.random() < 0.35 else []
        blocks.append(_post(rng.choice(names), f"{day} {month}", [text, *known]))
    return blocks


def _post(name: str, when: str, sentences: list[str]) -> str:
    text = " ".join(sentences)
    return f'<div class="post"><b>{name}</b> wrote on {when}:<blockquote>{text}</blockquote></div>'


COMPOSERS: dict[str, Callable[[SentenceWriter, random.Random], Blocks]] = {
    "article": _article,
    "news": _news,
    "blog": _blog,
    "faq": _faq,
    "forum": _forum,
}
