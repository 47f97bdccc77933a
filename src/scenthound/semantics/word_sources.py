"""Where the vectors of words come from: a model that is given, or one that the crawl trains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from scenthound.core.model import Document
from scenthound.core.protocols import State
from scenthound.vectors.training import Model, Retrained
from scenthound.vectors.training_sample import Passage

AnyModel = TypeVar("AnyModel", covariant=True)
Passages = Callable[[Document], Sequence[Passage]]
"""The words of a page, as a model is trained on them."""


class WordSource(Protocol[AnyModel]):
    """The model that words are compared by, as it is now."""

    def newest(self) -> AnyModel:
        """The model."""
        ...

    def learn(self, document: Document) -> bool:
        """A page was fetched; True where there is a new model since."""
        ...

    def state(self) -> State:
        """What was learnt so far."""
        ...

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        ...


class Given(Generic[AnyModel]):
    """A model that does not change.

    Parameters
    ----------
    model : the model.
    """

    def __init__(self, model: AnyModel) -> None:
        self._model = model

    def newest(self) -> AnyModel:
        """The model."""
        return self._model

    def learn(self, document: Document) -> bool:
        """Nothing is learnt."""
        return False

    def state(self) -> State:
        """Nothing to save."""
        return {}

    def restore(self, state: State) -> None:
        """Nothing comes back."""


class Learnt(Generic[Model]):
    """A model that is trained on the example pages, and again as the crawl goes on.

    Parameters
    ----------
    retrained : keeps the pages, and trains.
    passages : what it is trained on of a page.
    """

    def __init__(self, retrained: Retrained[Model], passages: Passages) -> None:
        self._retrained = retrained
        self._passages = passages

    def newest(self) -> Model:
        """The newest model; the first is trained when it is first asked for."""
        return self._retrained.newest()

    def learn(self, document: Document) -> bool:
        """Keep the page, and train again if it is time."""
        self._retrained.add(self._passages(document))
        return self._retrained.renew()

    def state(self) -> State:
        """The pages that were kept, and the model."""
        return self._retrained.state()

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        self._retrained.restore(state)
