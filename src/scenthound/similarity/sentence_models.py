"""Similarity of a text to the topic by one vector for each text. Ours.

bsvsm-ha names it as future work: one vector for a document in place of one for each word. The
topic is the mean direction of its example pages and its keywords.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document, TopicProfile
from scenthound.core.parameters import check_at_least
from scenthound.core.protocols import State
from scenthound.similarity.encoders import (
    TextEncoder,
    Vectors,
    check_files,
    package_folder,
    require,
)
from scenthound.similarity.text_models import MERGED, PAGES
from scenthound.similarity.training import check_same_model
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Bags, TermRows, Weights, unit_rows

if TYPE_CHECKING:
    from tokenizers import Tokenizer


LONGEST = 20_000
"""Characters of a text that are read."""
_MODULE, _PACKAGE = "wordllama", "wordllama==0.4.0.post1"
_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_PINNED = {
    _WEIGHTS: "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    _TOKENIZER: "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
}
_MISSING = f"Comparing sentences needs wordllama; install it with: pip install {_PACKAGE}."


def encodable(text: str) -> str:
    """``text`` with a question mark for each half of a character, which no tokenizer takes.

    Pages have them, by escapes in scripts and in JSON.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _row_sums(
    counts: Vectors, places: npt.NDArray[Any], bounds: npt.NDArray[np.int64], table: Vectors
) -> Vectors:
    """For each text the sum of the rows of its terms, as often as it has them."""
    from scipy.sparse import csr_array

    shape = (len(bounds) - 1, len(table))
    found: Vectors = csr_array((counts, places, bounds), shape=shape) @ table
    return found


class StaticEncoder:
    """Makes a vector of a text out of those of its tokens (a ``TextEncoder``).

    No token weighs more than another and none is left out, as wordllama does it.
    """

    def __init__(self, name: str, tokenizer: Tokenizer, table: Vectors) -> None:
        self.name, self.dimensions = f"{name}-{LONGEST}", table.shape[1]
        self._tokenizer, self._table = tokenizer, table

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each text, in order; zeros for an empty or blank one."""
        shown = [encodable(text[:LONGEST]) for text in texts]
        encode = self._tokenizer.encode
        tokens = [
            encode(text, add_special_tokens=False).ids if text.strip() else [] for text in shown
        ]
        ends = np.cumsum([0, *map(len, tokens)])
        places = np.fromiter(chain.from_iterable(tokens), np.int64, ends[-1])
        ones = np.ones(len(places), np.float32)
        return unit_rows(_row_sums(ones, places, ends, self._table))


@lru_cache(maxsize=1)
def load_static() -> StaticEncoder:
    """The vectors inside wordllama; loaded once in a process. Nothing is fetched.

    SettingsError: wordllama, or a library that reads its files, is missing, or they are not those
    we know.
    """
    folder = package_folder(_MODULE, _MISSING)
    check_files(folder, tuple(_PINNED.items()), _PACKAGE)
    for library in ("safetensors", "tokenizers"):
        require(library, "Comparing sentences", f"pip install {library}")
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    table = load_file(folder / _WEIGHTS)["embedding.weight"].astype(np.float32)
    tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
    return StaticEncoder(f"static-{_PINNED[_WEIGHTS][:16]}", tokenizer, table)


# The topic as one direction, or as one for each page.

NEAREST = 5
"""Keywords and example pages that a text is compared with, of those that are nearest to it."""
LEAD = 600
"""Characters of a page's text that are read after its title: some hundred words."""
_CACHED_TEXTS = 100_000
"""Texts whose similarity is cached: what stands on every page is compared once."""


def page_lead(page: Document, most: int = LEAD) -> str:
    """Title and beginning of a page: what it is about is said there first."""
    return f"{page.title}. {page.text[:most]}" if page.title else page.text[:most]


def mean_direction(groups: Sequence[Vectors], dimensions: int) -> Vectors:
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

    ``by``: "merged": one direction in the middle of keywords and example pages; "pages": each is
    one of its own, and a text is as similar as it is to the nearest ones in the mean.
    """

    def __init__(
        self, profile: TopicProfile, encoder: TextEncoder, by: str = MERGED, most: int = LEAD,
        nearest: int = NEAREST, keywords_apart: bool = False,
    ) -> None:  # fmt: skip
        if by not in (MERGED, PAGES):
            raise SettingsError(f"a topic is taken as {MERGED!r} or by {PAGES!r}, not {by!r}.")
        check_at_least(1, lead=most, nearest=nearest)
        self._encoder = encoder
        self._most = most
        examples = encoder.encode([page_lead(page, most) for page in profile.examples])
        together = [", ".join(profile.keywords)] if profile.keywords else []
        keywords = encoder.encode(profile.keywords if keywords_apart else together)
        apart = np.vstack([examples, keywords])
        merged = mean_direction([examples, keywords], encoder.dimensions)
        self._topic = merged[None] if by == MERGED else apart
        self._nearest = min(nearest, len(self._topic))
        self._known: dict[str, float] = {}

    def learn(self, document: Document) -> None:
        """The topic stays what it is."""

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Of each text, in [0, 1]; of the page's full text title and beginning are read."""
        read = [page_lead(page, self._most) if text == page.full else text for text in texts]
        new = [text for text in dict.fromkeys(read) if text not in self._known]
        if len(self._known) + len(new) > _CACHED_TEXTS:
            self._known, new = {}, list(dict.fromkeys(read))
        if new:
            found = nearest_mean(self._encoder.encode(new) @ self._topic.T, self._nearest)
            self._known |= dict(zip(new, found.tolist(), strict=True))
        return [self._known[text] for text in read]

    def state(self) -> State:
        """The name of the model; nothing is learned."""
        return {"model": self._encoder.name}

    def restore(self, state: State) -> None:
        """SettingsError where it was another model."""
        check_same_model(str(state["model"]), self._encoder.name)


# Similarity of a text to the topic by the vectors of its terms. Ours.
#
# A text is the sum of the vectors of its terms, as often as it has them. Stop words are left out,
# and inflection is folded. That separates texts better than a vector of all tokens does
# (docs/scent.md), and costs less, since the terms are counted anyway.

MAX_TERMS = 50_000
"""Terms whose vectors are held. At 256 dimensions they take 50 MB."""


class TermVectorModel:
    """Similarity of texts to the topic by the cosine of their vectors, 0 where it is negative.

    The topic lies in the middle of its example pages and its keywords, and stays there. The vector
    of a term is worked out when a text first has it; ``most`` of them are held.
    """

    def __init__(
        self, profile: TopicProfile, analyzer: Analyzer, encoder: TextEncoder, most: int = MAX_TERMS
    ) -> None:
        self._encoder = encoder
        self._vocabulary = analyzer.vocabulary
        self.terms = TermRows(encoder.dimensions, most)
        examples = self.vectors(Bags([analyzer.page_bag(page) for page in profile.examples]))
        keywords = self.vectors(analyzer.bags(profile.keywords))
        self._topic = mean_direction([examples, keywords], encoder.dimensions)

    def vectors(self, bags: Bags) -> Vectors:
        """Return a row of length 1 for each text; zeros for one without terms."""
        places = self.terms.places(
            bags.ids, lambda new: self._encoder.encode(self._vocabulary.terms(new.tolist()))
        )
        counts = bags.counts.astype(np.float32)
        return unit_rows(_row_sums(counts, places, bags.bounds, self.terms.table))[: len(bags)]

    def of_bags(self, bags: Bags) -> Weights:
        """Return the similarity of each text, in [0, 1]; 0 for one without terms."""
        return np.clip((self.vectors(bags) @ self._topic).astype(np.float64), 0.0, 1.0)
