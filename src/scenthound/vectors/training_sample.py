"""A bounded sample of the pages of a crawl, as words in order: what models are trained on."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import State

Passage = Sequence[str]
"""The words of a sentence, or of any run of text, in order."""

LONGEST_PAGE = 20_000
"""Words of a page that are read, so that one page cannot drive out all the others."""
_WORD, _PASSAGE, _PAGE = "\n", "\x1e", "\x1d"
"""What stands between two of them. Words that hold such a character are left out."""


class PageSample:
    """A fair sample of pages that holds at most so many words in all.

    A page draws a number, which its place in the crawl and the seed decide. Those with the
    smallest numbers stay, as many as there is room for: each page has the same chance, short or
    long (bottom-k sampling: Cohen and Kaplan 2007, with the room counted in words).

    Parameters
    ----------
    most : words that are kept in all.
    seed : decides whose.
    """

    def __init__(self, most: int, seed: int = 0) -> None:
        if most < 0:
            raise SettingsError(f"a sample of {most} words cannot be; give 0 or more.")
        self.seen = 0
        """Pages with a word that were added so far, kept or not."""
        self.words = 0
        """Words that are kept now."""
        self._most, self._seed = most, seed
        self._pages: dict[int, str] = {}
        self._largest: list[tuple[float, int]] = []
        """A heap of the numbers that the kept pages drew, negated, with their places."""
        self._bar = 1.0

    def add(self, page: Sequence[Passage]) -> None:
        """Take in a page just fetched; one without words changes nothing."""
        text = _joined(page, min(LONGEST_PAGE, self._most))
        if not text:
            return
        self.seen += 1
        drawn = _drawn(self._seed, self.seen)
        if drawn < self._bar:
            self._pages[self.seen] = text
            self.words += _size(text)
            heapq.heappush(self._largest, (-drawn, self.seen))
            self._make_room()

    def passages(self) -> Iterator[list[str]]:
        """The passages of the pages that were kept, in the order of the crawl."""
        for text in self._pages.values():
            yield from (passage.split(_WORD) for passage in text.split(_PASSAGE))

    def state(self) -> State:
        """The pages that were kept, as one text."""
        text = _PAGE.join(self._pages.values()).encode("utf-8", "surrogatepass")
        return {
            "seen": self.seen,
            "bar": self._bar,
            "places": np.fromiter(self._pages, np.int64, len(self._pages)),
            "text": np.frombuffer(text, np.uint8),
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        seen, bar, places, text = state["seen"], state["bar"], state["places"], state["text"]
        assert isinstance(seen, int) and isinstance(bar, float)
        assert isinstance(places, np.ndarray) and isinstance(text, np.ndarray)
        pages = text.tobytes().decode("utf-8", "surrogatepass").split(_PAGE) if text.size else []
        self.seen, self._bar = seen, bar
        self._pages = dict(zip(places.tolist(), pages, strict=True))
        self._largest = [(-_drawn(self._seed, place), place) for place in self._pages]
        heapq.heapify(self._largest)
        self.words = sum(map(_size, pages))

    def _make_room(self) -> None:
        """Let the largest numbers go.

        What draws a larger one later stays out even where there is room for it: otherwise short
        pages would be preferred.
        """
        while self.words > self._most:
            negated, place = heapq.heappop(self._largest)
            self._bar = -negated
            self.words -= _size(self._pages.pop(place))


def _drawn(seed: int, place: int) -> float:
    return random.Random(f"{seed}/{place}").random()


def _joined(page: Sequence[Passage], most: int) -> str:
    """The first ``most`` words of a page as one text, which takes far less memory than a list."""
    texts, room = [], most
    for passage in page:
        words = list(islice((w for w in passage if w and w.isprintable()), room))
        room -= len(words)
        if words:
            texts.append(_WORD.join(words))
    return _PASSAGE.join(texts)


def _size(text: str) -> int:
    return text.count(_WORD) + text.count(_PASSAGE) + 1
