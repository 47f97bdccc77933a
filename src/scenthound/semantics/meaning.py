"""What words mean by a model of them: the same everywhere, or what a page makes of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from scenthound.core.model import Briefing, Document
from scenthound.core.protocols import State, Stateful
from scenthound.semantics.in_context import InContext
from scenthound.semantics.vector_similarity import Table, TermSimilarities, VectorSimilarity
from scenthound.semantics.word_sources import WordSource
from scenthound.text.analyzer import Analyzer
from scenthound.text.occurrences import Occurrences
from scenthound.vectors.protocols import NothingKept, VectorCache, WordEncoder, WordVectors

AnyModel = TypeVar("AnyModel")
AnySimilarity = TypeVar("AnySimilarity", bound=TermSimilarities)
MOST_WORDS = 5_000
"""Words of a page that are read in company; those of the rest of a longer page are read alone."""


class Meaning(TermSimilarities, Stateful, Protocol):
    """Similarities of terms that may change with the page they stand on, and with the crawl."""

    def learn(self, document: Document) -> bool:
        """A page was fetched; True where what was compared before no longer holds."""
        ...

    def read(self, page: Document) -> bool:
        """Terms are those of this page from now on; True where that makes a difference."""
        ...


class _OfModel(ABC, Generic[AnyModel, AnySimilarity]):
    """What both kinds share: similarities by the newest model of a source."""

    def __init__(self, source: WordSource[AnyModel]) -> None:
        self._source = source
        self._similarity: AnySimilarity | None = None

    def learn(self, document: Document) -> bool:
        """True where the model was trained again."""
        is_new = self._source.learn(document)
        if is_new:
            self._similarity = None
        return is_new

    def similarities(self, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
        """Of each term to each topic term."""
        return self._newest().similarities(terms, topic_terms)

    def among(self, topic_terms: Sequence[str]) -> Table:
        """Of the topic's terms to one another."""
        return self._newest().among(topic_terms)

    def state(self) -> State:
        """What the source has learnt."""
        return self._source.state()

    def restore(self, state: State) -> None:
        """Give it back to the source."""
        self._source.restore(state)
        self._similarity = None

    def _newest(self) -> AnySimilarity:
        """Made when first needed: a crawl that is resumed need not train what it restores."""
        if self._similarity is None:
            self._similarity = self._made(self._source.newest())
        return self._similarity

    @abstractmethod
    def _made(self, model: AnyModel) -> AnySimilarity:
        """Similarities by this model."""


class Alone(_OfModel[WordVectors, VectorSimilarity]):
    """A word means the same wherever it stands.

    Parameters
    ----------
    source : of the vectors.
    """

    def read(self, page: Document) -> bool:
        """It makes no difference."""
        return False

    def _made(self, model: WordVectors) -> VectorSimilarity:
        return VectorSimilarity(model)


class InCompany(_OfModel[WordEncoder, InContext]):
    """A word means what the page makes of it (bsvsm-ha Eq. 1: vectors of a word in its text).

    All texts of a link stand on the page that holds it, so its words are read there.

    Parameters
    ----------
    source : of the model that reads words.
    briefing : the topic, whose texts say what it means by its words.
    analyzer : finds the terms.
    most : words read of a page.
    cache : keeps what was read.
    """

    def __init__(
        self, source: WordSource[WordEncoder], briefing: Briefing, analyzer: Analyzer,
        most: int = MOST_WORDS, cache: VectorCache | None = None,
    ) -> None:  # fmt: skip
        super().__init__(source)
        self._briefing = briefing
        self._analyzer = analyzer
        self._most = most
        self._cache = cache or NothingKept()
        self._page: Document | None = None

    def read(self, page: Document) -> bool:
        """Read it, unless it is the one read last."""
        if page is self._page and self._similarity is not None:
            return False
        self._newest().read_page(self._analyzer.reader(page).occurrences(page.full))
        self._page = page
        return True

    def _made(self, model: WordEncoder) -> InContext:
        found = InContext(model, self._analyzer.vocabulary, self._most, self._cache)
        found.read_topic(self._topic_texts())
        return found

    def _topic_texts(self) -> list[Occurrences]:
        """The example pages, and each keyword as a text of its own."""
        reader = self._analyzer.reader
        pages = [reader(page).occurrences(page.full) for page in self._briefing.examples]
        keywords = [self._analyzer.occurrences(word) for word in self._briefing.keywords]
        return [*pages, *keywords]
