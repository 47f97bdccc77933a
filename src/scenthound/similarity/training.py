"""Models of words that are trained on the pages of a crawl, and where the vectors of words come
from.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document
from scenthound.core.parameters import check_at_least
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
    """

    def __init__(self, most: int, seed: int = 0) -> None:
        check_at_least(0, most=most)
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
        """Add a fetched page; one without words changes nothing."""
        text = _joined(page, min(LONGEST_PAGE, self._most))
        if not text:
            return
        self.seen += 1
        drawn = _draw(self._seed, self.seen)
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
        """Restore what :meth:`state` returned."""
        places, text = state["places"], state["text"]
        pages = text.tobytes().decode("utf-8", "surrogatepass").split(_PAGE) if text.size else []
        self.seen, self._bar = state["seen"], state["bar"]
        self._pages = dict(zip(places.tolist(), pages, strict=True))
        self._largest = [(-_draw(self._seed, place), place) for place in self._pages]
        heapq.heapify(self._largest)
        self.words = sum(map(_size, pages))

    def _make_room(self) -> None:
        """Drop the pages with the largest numbers.

        What draws a larger one later stays out even where there is room for it: otherwise short
        pages would be preferred.
        """
        while self.words > self._most:
            negated, place = heapq.heappop(self._largest)
            self._bar = -negated
            self.words -= _size(self._pages.pop(place))


def _draw(seed: int, place: int) -> float:
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


# Models that are trained on the pages of a crawl, and again as it grows.

EVERY = 100
"""Pages from one training to the next, at first."""
MAX_WORDS = 200_000
"""Words of fetched pages in the sample: this bounds the cost of a training."""
GROWTH = 10
"""In the long run a model is trained whenever the crawl has grown by one part in so many.

A crawl of ten times the pages then has some twenty trainings more, not ten times as many."""
Passages = Callable[[Document], Sequence[Passage]]
"""The words of a page, as a model is trained on them."""


class RetrainedModel:
    """The newest model of a crawl: trained on the example pages, then on the fetched ones as well.

    Nothing is trained before the model is asked for, so that a crawl that is resumed does not
    train what it then restores.

    Parameters
    ----------
    train : makes a model of passages (words in order) and a seed: the same ones, the same model.
        It must take no passages at all, too.
    examples : the topic's example pages, each as its passages; all are kept, and not saved.
    every : fetched pages from one training to the next, at least; see ``GROWTH``.
    most : words of fetched pages that are kept, a fair sample (:class:`PageSample`).
    """

    def __init__(
        self,
        train: Callable[[Sequence[Passage], int], Any],
        rebuild: Callable[[State], Any],
        examples: Sequence[Sequence[Passage]] = (),
        *,
        every: int = EVERY,
        most: int = MAX_WORDS,
        seed: int = 0,
        passages: Passages,
    ) -> None:
        check_at_least(1, every=every)
        self.fetched = 0
        """Pages added so far, with words or without."""
        self.trained_at = 0
        """Pages that were fetched when the newest model was trained."""
        self._train, self._rebuild, self._passages = train, rebuild, passages
        self._examples = [list(passage) for page in examples for passage in page if passage]
        self._sample = PageSample(most, seed)
        self._every, self._seed = every, seed
        self._model: Any = None

    def newest(self) -> Any:
        """The newest model; asked for the first time, it is trained on what there is by then."""
        return self._trained() if self._model is None else self._model

    def learn(self, document: Document) -> bool:
        """Add a fetched page to the sample; True where it was time to train again."""
        self.fetched += 1
        self._sample.add(self._passages(document))
        since = self.fetched - self.trained_at
        is_due = since >= max(self._every, self.trained_at // GROWTH)
        if is_due:
            self._trained()
        return is_due

    def state(self) -> State:
        """The pages that were kept, and the model: a crawl that is resumed trains nothing."""
        return {
            "sample": self._sample.state(),
            "fetched": self.fetched,
            "trained_at": self.trained_at,
            "model": None if self._model is None else self._model.state(),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        model = state["model"]
        self._sample.restore(state["sample"])
        self.fetched, self.trained_at = state["fetched"], state["trained_at"]
        self._model = None if model is None else self._rebuild(model)

    def _trained(self) -> Any:
        passages = list(chain(self._examples, self._sample.passages()))
        self._model = self._train(passages, self._seed)
        self.trained_at = self.fetched
        return self._model


# Sources of word vectors: a pretrained model, or a :class:`RetrainedModel`.


class PretrainedSource:
    """A named model that does not change; a resumed crawl must have the one it began with."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def newest(self) -> Any:
        """The model."""
        return self._model

    def learn(self, document: Document) -> bool:
        """Learn nothing."""
        return False

    def state(self) -> State:
        """Which model it is."""
        return {"model": self._model.name}

    def restore(self, state: State) -> None:
        """SettingsError where it was another."""
        check_same_model(str(state["model"]), self._model.name)


WordSource = PretrainedSource | RetrainedModel
"""The model that words are compared by, as it is now."""


def check_same_model(before: str, now: str) -> None:
    """SettingsError where a crawl would be resumed with another model than it began with."""
    if before != now:
        raise SettingsError(
            f"the crawl began with another model, {before}, than the one that is there now, {now}: "
            "what waits was scored by the old one; put it back, or begin a new crawl."
        )
