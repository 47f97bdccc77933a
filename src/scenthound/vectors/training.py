"""Models that are trained on the pages of a crawl, and again as it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Generic, Protocol, TypeVar

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import State
from scenthound.vectors.training_sample import PageSample, Passage

EVERY = 100
"""Pages from one training to the next, at first."""
MOST_WORDS = 200_000
"""Words of fetched pages that are kept: what a training costs at most."""
GROWTH = 10
"""In the long run a model is trained whenever the crawl has grown by one part in so many.

A crawl of ten times the pages then has some twenty trainings more, not ten times as many."""


class Trained(Protocol):
    """What a training gives."""

    def state(self) -> State:
        """All it takes to make the same model again."""
        ...


Model = TypeVar("Model", bound=Trained)


class Retrained(Generic[Model]):
    """The newest model of a crawl: trained on the example pages, then on the fetched ones as well.

    Nothing is trained before the model is asked for, so that a crawl that is resumed does not
    train what it then restores.

    Parameters
    ----------
    train : makes a model of passages (words in order) and a seed: the same ones, the same model.
        It must take no passages at all, too.
    rebuild : makes a model of what its ``state`` gave.
    examples : the topic's example pages, each as its passages; all are kept, and not saved.
    every : fetched pages from one training to the next, at least; see ``GROWTH``.
    most : words of fetched pages that are kept, a fair sample (:class:`PageSample`).
    seed : of the sample, and handed to ``train``.
    """

    def __init__(
        self,
        train: Callable[[Sequence[Passage], int], Model],
        rebuild: Callable[[State], Model],
        examples: Sequence[Sequence[Passage]] = (),
        *,
        every: int = EVERY,
        most: int = MOST_WORDS,
        seed: int = 0,
    ) -> None:
        if every < 1:
            raise SettingsError(f"every must be 1 page or more, not {every}.")
        self.fetched = 0
        """Pages added so far, with words or without."""
        self.trained_at = 0
        """Pages that were fetched when the newest model was trained."""
        self._train, self._rebuild = train, rebuild
        self._examples = [list(passage) for page in examples for passage in page if passage]
        self._sample = PageSample(most, seed)
        self._every, self._seed = every, seed
        self._model: Model | None = None

    @property
    def is_due(self) -> bool:
        """Is it time to train again?"""
        since = self.fetched - self.trained_at
        return since >= max(self._every, self.trained_at // GROWTH)

    def newest(self) -> Model:
        """The newest model; asked for the first time, it is trained on what there is by then."""
        return self._trained() if self._model is None else self._model

    def add(self, page: Sequence[Passage]) -> None:
        """Take in the passages of a page just fetched."""
        self.fetched += 1
        self._sample.add(page)

    def renew(self) -> bool:
        """Train again if it is time; True where there is a new model."""
        if self.is_due:
            self._trained()
            return True
        return False

    def state(self) -> State:
        """The pages that were kept, and the model: a crawl that is resumed trains nothing."""
        return {
            "sample": self._sample.state(),
            "fetched": self.fetched,
            "trained_at": self.trained_at,
            "model": None if self._model is None else self._model.state(),
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        sample, model = state["sample"], state["model"]
        fetched, trained_at = state["fetched"], state["trained_at"]
        assert isinstance(sample, dict) and (model is None or isinstance(model, dict))
        assert isinstance(fetched, int) and isinstance(trained_at, int)
        self._sample.restore(sample)
        self.fetched, self.trained_at = fetched, trained_at
        self._model = None if model is None else self._rebuild(model)

    def _trained(self) -> Model:
        passages = list(chain(self._examples, self._sample.passages()))
        self._model = self._train(passages, self._seed)
        self.trained_at = self.fetched
        return self._model
