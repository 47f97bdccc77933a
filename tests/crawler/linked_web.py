"""A generated web whose pages are all reachable and all different, for crawls that run dry."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from crawler.live_replies import page

TOPIC_WORDS = ("storm", "hurricane", "cyclone", "rainfall", "thunder", "weather", "wind", "flood")
FEWEST_LINKS, MOST_LINKS = 5, 12
_TREE_LINKS = 4
_SYLLABLES = "ba de fi go hu ka le mi no pu ra se ti vo wu za bel dor fin gar hol".split()
_VOCABULARY = 4_000

Place = tuple[str, str]
"""Host and path."""


def linked_web(
    address: Callable[[str, str], str], hosts: Sequence[str], pages: int = 1_000, seed: int = 0
) -> dict[Place, str]:
    """The pages by place; every one can be reached from the first, and no two are alike.

    Parameters
    ----------
    address : URL of a host and path.
    hosts : the hosts the pages are spread over.
    pages : how many; at least 13.
    seed : another seed gives another web.
    """
    rng = random.Random(seed)
    places = [(hosts[n % len(hosts)], f"/page/{n}.html" if n else "/") for n in range(pages)]
    vocabulary = _words(rng)
    links = _links(pages, rng)
    written = {}
    for number, place in enumerate(places):
        targets = [(address(*places[n]), _anchor(vocabulary, rng)) for n in links[number]]
        title = f"Page {number} {_anchor(vocabulary, rng)}"
        written[place] = page(title, _text(vocabulary, rng), targets)
    return written


def _links(pages: int, rng: random.Random) -> list[list[int]]:
    """A tree from page 0 over all pages, then links anywhere up to a number drawn for each."""
    links: list[list[int]] = [[] for _ in range(pages)]
    room = [0] * _TREE_LINKS
    for number in range(1, pages):
        parent = room.pop(rng.randrange(len(room)))
        links[parent].append(number)
        room += [number] * _TREE_LINKS
    for number, own in enumerate(links):
        wanted = rng.randint(FEWEST_LINKS, MOST_LINKS)
        others = [n for n in rng.sample(range(pages), MOST_LINKS + 1) if n != number]
        own += [n for n in others if n not in own][: max(0, wanted - len(own))]
        rng.shuffle(own)
    return links


def _words(rng: random.Random) -> list[str]:
    made = ("".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))) for _ in range(_VOCABULARY))
    return sorted(set(made))


def _anchor(vocabulary: Sequence[str], rng: random.Random) -> str:
    words = rng.choices(vocabulary, k=2)
    return " ".join([*words, rng.choice(TOPIC_WORDS)] if rng.random() < 0.3 else words)


def _text(vocabulary: Sequence[str], rng: random.Random) -> str:
    share = rng.choice((0.0, 0.0, 0.02, 0.05, 0.1, 0.3))
    size = rng.randint(80, 200)
    return " ".join(
        rng.choice(TOPIC_WORDS) if rng.random() < share else rng.choice(vocabulary)
        for _ in range(size)
    )
