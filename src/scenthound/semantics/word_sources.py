"""Where the vectors of words come from: a model that is given, or one that the crawl trains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document
from scenthound.core.protocols import State
from scenthound.vectors.training import Model, Retrained
from scenthound.vectors.training_sample import Passage

AnyModel = TypeVar("AnyModel", covariant=True)


class Named(Protocol):
    """A model that says which one it is."""

    @property
    def name(self) -> str:
        """Two of one name are the same."""
        ...


NamedModel = TypeVar("NamedModel", bound=Named)
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


class Given(Generic[NamedModel]):
    """A model that does not change; a crawl that goes on must have the one it began with.

    Parameters
    ----------
    model : the model.
    """

    def __init__(self, model: NamedModel) -> None:
        self._model = model

    def newest(self) -> NamedModel:
        """The model."""
        return self._model

    def learn(self, document: Document) -> bool:
        """Nothing is learnt."""
        return False

    def state(self) -> State:
        """Which model it is."""
        return {"model": self._model.name}

    def restore(self, state: State) -> None:
        """SettingsError where it was another."""
        refuse_another(str(state["model"]), self._model.name)


def refuse_another(before: str, now: str) -> None:
    """SettingsError where a crawl would go on with another model than it began with."""
    if before != now:
        raise SettingsError(
            f"the crawl began with another model, {before}, than the one that is there now, {now}: "
            "what waits was scored by the old one; put it back, or begin a new crawl."
        )


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
