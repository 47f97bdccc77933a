"""How similar is a whole text to the topic, by one vector for each? Ours.

bsvsm-ha names it as future work: one vector for a document in place of one for each word. The
topic lies in the middle of its example pages and its keywords.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing, Document
from scenthound.core.protocols import State
from scenthound.semantics.word_sources import refuse_another
from scenthound.topics.model import MERGED, PAGES
from scenthound.vectors.protocols import TextEncoder, Vectors

NEAREST = 5
"""Keywords and example pages that a text is compared with, of those that are nearest to it."""
LEAD = 600
"""Characters of a page's text that are read after its title: some hundred words."""
_REMEMBERED = 100_000
"""Texts whose similarity is kept: what stands on every page is compared once."""


def lead(page: Document, most: int = LEAD) -> str:
    """Title and beginning of a page: what it is about is said there first."""
    return f"{page.title}. {page.text[:most]}" if page.title else page.text[:most]


def middle(groups: Sequence[Vectors], dimensions: int) -> Vectors:
    """The direction in the middle of groups of vectors, each group as much as another.

    A group stands by the mean of its rows; an empty one is not asked. Length 1, or zeros where
    there is nothing to go by.
    """
    means = [group.mean(axis=0) for group in groups if len(group)]
    total = np.mean(means, axis=0) if means else np.zeros(dimensions)
    length = float(np.linalg.norm(total)) or 1.0
    return (total / length).astype(np.float32)


def nearest_mean(cosines: Vectors, nearest: int) -> Vectors:
    """Mean of the ``nearest`` highest of each row, 0 where that is negative.

    Examples
    --------
    >>> nearest_mean(np.array([[0.25, 1.0, 0.5]], np.float32), 2).tolist()
    [0.75]
    """
    highest = np.sort(cosines, axis=1)[:, -nearest:]
    found: Vectors = np.clip(highest.mean(axis=1), 0.0, 1.0)
    return found


class SentenceModel:
    """Similarity of texts to the topic by the cosine of their vectors, 0 where it is negative.

    Parameters
    ----------
    briefing : what the topic is.
    encoder : makes a vector of a text.
    by : "merged": one direction in the middle of keywords and example pages; "pages": each is
        one of its own, and a text is as similar as it is to the nearest ones in the mean.
    most : characters of a page's text that are read, beside its title.
    nearest : how many nearest ones; where there are fewer, all of them.
    keywords_apart : is each keyword a text of its own, or are all of them one?
    """

    def __init__(
        self, briefing: Briefing, encoder: TextEncoder, by: str = MERGED, most: int = LEAD,
        nearest: int = NEAREST, keywords_apart: bool = False,
    ) -> None:  # fmt: skip
        if by not in (MERGED, PAGES):
            raise SettingsError(f"a topic is taken as {MERGED!r} or by {PAGES!r}, not {by!r}.")
        if most < 1:
            raise SettingsError(f"lead is a number of characters, 1 or more, not {most}.")
        if nearest < 1:
            raise SettingsError(f"nearest is a number of pages, 1 or more, not {nearest}.")
        self._encoder = encoder
        self._most = most
        examples = encoder.encode([lead(page, most) for page in briefing.examples])
        together = [", ".join(briefing.keywords)] if briefing.keywords else []
        keywords = encoder.encode(briefing.keywords if keywords_apart else together)
        apart = np.vstack([examples, keywords])
        merged = middle([examples, keywords], encoder.dimensions)
        self._topic = merged[None] if by == MERGED else apart
        self._nearest = min(nearest, len(self._topic))
        self._known: dict[str, float] = {}

    def learn(self, document: Document) -> None:
        """The topic stays what it is."""

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Of each text, in [0, 1]; of the page's full text title and beginning are read."""
        read = [lead(page, self._most) if text == page.full else text for text in texts]
        new = [text for text in dict.fromkeys(read) if text not in self._known]
        if len(self._known) + len(new) > _REMEMBERED:
            self._known, new = {}, list(dict.fromkeys(read))
        if new:
            found = nearest_mean(self._encoder.encode(new) @ self._topic.T, self._nearest)
            self._known |= dict(zip(new, found.tolist(), strict=True))
        return [self._known[text] for text in read]

    def state(self) -> State:
        """Nothing is learnt; which model it was is of interest."""
        return {"model": self._encoder.name}

    def restore(self, state: State) -> None:
        """SettingsError where it was another model."""
        refuse_another(str(state["model"]), self._encoder.name)
