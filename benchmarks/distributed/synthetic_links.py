"""The links of generated pages, for measuring what a frontier costs."""

from __future__ import annotations

import random
from collections.abc import Iterator

from scenthound.core.model import Inlink, Parts, Score, ScoredLink

HOSTS, LINKS_OF_A_PAGE, KNOWN_OF_A_PAGE = 1_000, 50, 15
_NAMES, _WEIGHTS = ("full", "anchor", "context", "parent"), (0.25, 0.25, 0.25, 0.25)
_WORDS = "the history of measuring light and of those who first did it with mirrors".split()


def pages(rng: random.Random, hosts: int = HOSTS) -> Iterator[list[ScoredLink]]:
    """The links of page after page: three in ten were seen before, half stay on one host.

    Hosts are drawn from so many, evenly.
    """
    known: list[str] = []
    number = 0
    while True:
        number += 1
        own, page = rng.randrange(hosts), []
        for place in range(LINKS_OF_A_PAGE):
            if place < KNOWN_OF_A_PAGE and known:
                url = known[rng.randrange(len(known))]
            else:
                host = own if place % 2 else rng.randrange(hosts)
                url = f"https://www.host-{host}.example/section-{number % 97}/{number}-{place}.html"
                known.append(url)
                if len(known) > 50_000:
                    known[rng.randrange(len(known))] = known.pop()
            page.append(ScoredLink(url, 3, Inlink(number, _score(rng), _anchor(rng))))
        yield page


def ticks() -> Iterator[float]:
    """Every lease a little later, so that hosts have rested."""
    now = 0.0
    while True:
        now += 0.01
        yield now


def _score(rng: random.Random) -> Score:
    return Parts(_NAMES, tuple(rng.random() for _ in _NAMES), _WEIGHTS).score()


def _anchor(rng: random.Random) -> str:
    return " ".join(rng.choices(_WORDS, k=rng.randint(1, 5)))
