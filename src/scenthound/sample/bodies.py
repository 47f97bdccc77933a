"""The text of a page by its kind. Every function returns blocks of HTML, top to bottom."""

from __future__ import annotations

import random
from collections.abc import Callable

from scenthound.sample.prose import Speaker, paragraphs

Blocks = list[str]
NICKNAMES = (
    "quietfox", "two_left_boots", "marmalade", "oldcompass", "pebble99", "northwindow",
    "tin_whistle", "half_past", "lampreader", "grey_owl", "saltandrain", "thirdbench",
)  # fmt: skip
MONTHS = ("January", "March", "May", "June", "August", "October", "November")
GREETINGS = (
    "Hello all, this is my first post here, so please be patient with me.",
    "Good evening, long-time reader and first-time writer.",
    "I hope this is the right board, otherwise please move it.",
    "Sorry if this has been asked before, the search found nothing.",
    "Back again after a long break, and with a question.",
)
REQUESTS = (
    "That much I know from the books, but what is your own experience?",
    "So far so good, and now I would like to hear from people who know more.",
    "What should I look out for?",
    "Any hint is welcome.",
    "Thanks in advance for every answer.",
)


def compose(kind: str, speaker: Speaker, rng: random.Random) -> Blocks:
    """Blocks of a page with a subject."""
    return _COMPOSERS[kind](speaker, rng)


def _p(sentences: list[str]) -> str:
    return f"<p>{' '.join(sentences)}</p>"


def _section(speaker: Speaker, heading: str, least: int, most: int) -> Blocks:
    sentences = speaker.pick(speaker.theme.sections[heading], least, most)
    return [f"<h2>{heading}</h2>", _p(sentences)] if sentences else []


def _headings(speaker: Speaker, rng: random.Random, count: int) -> list[str]:
    """Some headings, in the order of the theme."""
    names = list(speaker.theme.sections)
    return [names[i] for i in sorted(rng.sample(range(len(names)), min(count, len(names))))]


def _article(speaker: Speaker, rng: random.Random) -> Blocks:
    blocks = [_p(speaker.facts())]
    for heading in _headings(speaker, rng, rng.randint(3, 4)):
        blocks += _section(speaker, heading, 3, 5)
    if rng.random() < 0.3:
        named = speaker.pick(speaker.theme.pools["accented"], 1, 2)
        blocks += ["<h2>Names and places</h2>", _p(named)]
    return blocks


def _news(speaker: Speaker, rng: random.Random) -> Blocks:
    report = speaker.pick(speaker.theme.pools["news"], 5, 8)
    blocks = [f"<p>{text}</p>" for text in paragraphs(report, rng, 2)]
    return [*blocks, "<h3>Background</h3>", _p(speaker.facts()), *_aside(speaker, rng)]


def _aside(speaker: Speaker, rng: random.Random) -> Blocks:
    heading = _headings(speaker, rng, 1)[0]
    sentences = speaker.pick(speaker.theme.sections[heading], 2, 4)
    return [_p(sentences)] if sentences else []


def _blog(speaker: Speaker, rng: random.Random) -> Blocks:
    story = speaker.pick(speaker.theme.pools["blog"], 5, 8)
    told = [f"<p>{text}</p>" for text in paragraphs(story, rng, 3)]
    explained = [_p(speaker.facts(2)), *_aside(speaker, rng)]
    return [told[0], *explained, *told[1:]]


def _faq(speaker: Speaker, rng: random.Random) -> Blocks:
    blocks = [_p(speaker.facts())]
    for pair in speaker.pick(speaker.theme.pools["faq"], 4, 6):
        question, _, answer = pair.partition(" :: ")
        blocks += [f"<h3>{question}</h3>", f"<p>{answer}</p>"]
    return blocks + _section(speaker, _headings(speaker, rng, 1)[0], 3, 4)


def _forum(speaker: Speaker, rng: random.Random) -> Blocks:
    """A question and its answers, day after day; some answers add what is generally known."""
    answers = speaker.pick(speaker.theme.pools["forum"], 5, 8)
    names = rng.sample(NICKNAMES, 4)
    days = sorted(rng.choices(range(1, 29), k=len(answers) + 1))
    month = rng.choice(MONTHS)
    opening = [rng.choice(GREETINGS), *speaker.facts(), rng.choice(REQUESTS)]
    blocks = [_post(names[0], f"{days[0]} {month}", opening)]
    for day, text in zip(days[1:], answers, strict=True):
        heading = _headings(speaker, rng, 1)[0]
        known = speaker.pick(speaker.theme.sections[heading], 1, 1) if rng.random() < 0.35 else []
        blocks.append(_post(rng.choice(names), f"{day} {month}", [text, *known]))
    return blocks


def _post(name: str, when: str, sentences: list[str]) -> str:
    text = " ".join(sentences)
    return f'<div class="post"><b>{name}</b> wrote on {when}:<blockquote>{text}</blockquote></div>'


_COMPOSERS: dict[str, Callable[[Speaker, random.Random], Blocks]] = {
    "article": _article,
    "news": _news,
    "blog": _blog,
    "faq": _faq,
    "forum": _forum,
}
