"""Relevance of pages and anchors by the concepts of an ontology (olmoaco Eq. 5-8); the judge."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from scenthound.core.model import Document, TopicProfile
from scenthound.core.parameters import check_name
from scenthound.core.protocols import State
from scenthound.similarity.judge import Judgement, TermShare, calibrate
from scenthound.similarity.text_models import CountedPages, quotients
from scenthound.text.analyzer import NO_TERM, Analyzer, Phrases, Reader
from scenthound.text.extract import GROUPS
from scenthound.text.rules import rules_for_page
from scenthound.text.terms import Bag, DocumentFrequencies, Vocabulary, Weights, unit

_MOST_LANGUAGES = 20


class ClosedVocabulary(Vocabulary):
    """A vocabulary that takes no new terms: whatever is not in it is no term."""

    def __init__(self, terms: Sequence[str]) -> None:
        super().__init__()
        for term in terms:
            super().number(term)

    def number(self, term: str) -> int:
        """Return the number of ``term``; -1 if it is none."""
        found = self.find(term)
        return NO_TERM if found is None else found


class ConceptCounter:
    """Counts concepts by the base forms of their words.

    "storm surges" is one "storm surge" and no "storm". Labels that read alike ("flood" and
    "floods") are one: the first stands for both.
    """

    def __init__(self, labels: Sequence[str], analyzer: Analyzer) -> None:
        rules = analyzer.rules
        self._analyzer = analyzer
        bases = [" ".join(rules.bases(label)) for label in labels]
        self._terms = ClosedVocabulary(list(dict.fromkeys(filter(None, bases))))
        self._columns = len(labels)
        column: dict[str, int] = {}
        for place, base in enumerate(bases):
            column.setdefault(base, place)
        self._column = np.array([column[term] for term in self._terms.terms()], np.intp)
        self.stands_for = np.array([column[base] for base in bases], np.intp)
        """For each label the place of the one that is counted for it: its own, or one alike."""
        phrases = [term for term in self._terms.terms() if " " in term]
        self._inside = [
            (self._terms.number(phrase), [self._terms.number(word) for word in phrase.split(" ")])
            for phrase in phrases
        ]
        self._tables = [Phrases(phrases, rules.base)] if phrases else []
        self._own = Reader(rules, self._terms, self._tables)
        self._reader_of = lru_cache(_MOST_LANGUAGES)(self._language_reader)

    def in_texts(self, texts: Sequence[str], page: Document) -> Weights:
        """Return one row a text, one column a concept. ``page`` is where the texts stand."""
        bags = self._reader_of(self._analyzer.language_of(page)).bags(texts)
        counts = np.zeros((len(texts), len(self._terms)))
        rows = np.repeat(np.arange(len(bags)), [len(bags[row]) for row in range(len(bags))])
        counts[rows, bags.ids] = bags.counts
        for phrase, words in self._inside:
            for word in words:
                if word != NO_TERM:
                    counts[:, word] -= counts[:, phrase]
        found = np.zeros((len(texts), self._columns))
        found[:, self._column] = np.maximum(counts, 0.0)  # a stop word in a phrase was not counted
        return found

    def _language_reader(self, language: str | None) -> Reader:
        """That of a page's language, where it is not the topic's."""
        own = self._analyzer.rules
        rules = own if language is None else rules_for_page(own, language)
        return self._own if rules is own else Reader(rules, self._terms, self._tables)


# Equations 5-8 (olmoaco section 3.2). Counts come as arrays with one column for each concept of the
# topic vector ``TK``. The topic itself is one weight for each concept (Eq. 4).

GROUP_WEIGHTS = (2.0, 1.5, 1.2, 1.0, 0.2)
"""W_1..W_5 (olmoaco 3.2.1): title and first heading; second and third; others and bold; body;
the rest."""
OVER_GROUPS, IN_GROUP = "word", "group"
NORMS = (OVER_GROUPS, IN_GROUP)


def page_weights(counts: Weights, norm: str = OVER_GROUPS) -> Weights:
    """Return the weight of each concept on a page (olmoaco Eq. 5).

    Parameters
    ----------
    counts : how often each concept (columns) stands in each group of tags (rows).
    norm : what ``max f_il`` runs over, which the paper leaves open. "word": the groups in which
        that word stands, as it is printed, so that a word of one group weighs ``W_l`` whether it
        stands there once or a hundred times; "group": the words of that group.

    Examples
    --------
    >>> page_weights(np.array([[1.0, 0], [0, 0], [0, 0], [2, 4], [0, 0]])).tolist()
    [2.0, 1.0]
    """
    check_name("norm", norm, NORMS)
    highest = counts.max(axis=0 if norm == OVER_GROUPS else 1, initial=0.0)
    largest = highest[None, :] if norm == OVER_GROUPS else highest[:, None]
    shares = np.divide(counts, largest, out=np.zeros_like(counts), where=largest > 0.0)
    weights: Weights = np.array(GROUP_WEIGHTS) @ shares
    return weights


def anchor_weights(counts: Weights, pages: int, containing: Weights) -> Weights:
    """Return the weight of each concept in some anchors (olmoaco Eq. 7), one row an anchor.

    ``f_i / sum f`` and the base of the logarithm are factors of a whole row and cancel in the
    cosine of Eq. 8: they are left out. ``pages`` is N, ``containing`` N_i; at least 1 is taken of
    both.
    """
    share = max(1, pages) / np.maximum(containing, 1.0)
    return counts * np.log(np.maximum(share, 1.0) + 0.01)


def cosines(rows: Weights, topic: Weights) -> Weights:
    """Return the cosine of each row with the topic vector (olmoaco Eq. 6 and 8); 0 for no concept.

    Examples
    --------
    >>> cosines(np.array([[2.0, 0.0], [0.0, 0.0]]), np.array([3.0, 4.0])).tolist()
    [0.6, 0.0]
    """
    return quotients(rows @ topic, np.linalg.norm(rows, axis=1) * np.linalg.norm(topic))


_ENTRIES = 500_000
"""Texts times concepts that are weighed at once: some megabytes, however many links a page has."""


class ConceptModel(CountedPages):
    """A text model over the concepts of a topic: the text of a whole page by its groups of tags.

    ``topic`` has the weight of each concept (W_TK, Eq. 4); for ``norm`` see :func:`page_weights`.
    """

    def __init__(
        self, topic: Mapping[str, float], analyzer: Analyzer, norm: str = OVER_GROUPS
    ) -> None:
        self._labels = list(topic)
        self._counter = ConceptCounter(self._labels, analyzer)
        self._topic = np.zeros(len(topic))  # labels that read alike are one, with the larger weight
        np.maximum.at(self._topic, self._counter.stands_for, np.array(list(topic.values())))
        self._norm = norm
        vocabulary = Vocabulary()
        self._ids = np.array(vocabulary.numbers(self._labels), np.int32)
        super().__init__(DocumentFrequencies(vocabulary))
        self._last: tuple[Document, Weights] | None = None

    @property
    def pages(self) -> int:
        """Pages counted so far (N in Eq. 7)."""
        return self._frequencies.documents

    def concepts_on(self, document: Document) -> int:
        """Return how many of the concepts the page names."""
        return int(np.count_nonzero(self.counts_on(document).any(axis=0)))

    def learn(self, document: Document) -> None:
        """Count a fetched page and the concepts on it."""
        named = self._ids[self.counts_on(document).any(axis=0)]
        self._frequencies.add(Bag(named, np.ones_like(named)))

    def page_relevance(self, document: Document) -> float:
        """Return R(P), olmoaco Eq. 5-6; 0 for a page that names no concept."""
        weights = page_weights(self.counts_on(document), self._norm)
        return float(cosines(weights[None, :], self._topic)[0])

    def anchor_relevances(self, texts: Sequence[str], page: Document) -> list[float]:
        """Return R(A) of each text, olmoaco Eq. 7-8; 0 for one that names no concept."""
        at_once = max(1, _ENTRIES // max(1, len(self._topic)))
        found: list[float] = []
        for start in range(0, len(texts), at_once):
            counts = self._counter.in_texts(texts[start : start + at_once], page)
            weights = anchor_weights(counts, self.pages, self._containing())
            found += cosines(weights, self._topic).tolist()
        return found

    def similarities(self, texts: Sequence[str], page: Document) -> list[float]:
        """Return the relevance of each text; the full text of the page by its tags."""
        others = iter(self.anchor_relevances([t for t in texts if t is not page.full], page))
        return [self.page_relevance(page) if text is page.full else next(others) for text in texts]

    def state(self) -> State:
        """Return in how many pages each concept stood."""
        return {"pages": self.pages, "containing": self._containing()}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        counts = state["containing"].astype(np.int32)
        self._frequencies.restore(
            {"documents": state["pages"], "terms": self._labels, "counts": counts}
        )

    def _containing(self) -> Weights:
        return self._frequencies.containing(self._ids).astype(np.float64)

    def counts_on(self, document: Document) -> Weights:
        """Return how often each concept (columns) stands in each group of tags (rows).

        A page without groups is all body.
        """
        if self._last is None or self._last[0] is not document:
            groups = document.groups or {"title": document.title, "body": document.text}
            texts = [groups.get(name, "") for name in GROUPS]
            self._last = (document, self._counter.in_texts(texts, document))
        return self._last[1]


# The judge of olmoaco. Eq. 5-6 need no other page, so a page gets the same relevance whenever and
# by whichever crawler it is fetched.

DEFAULT_SIGMA = 0.4
"""About what the example pages of six topics gave. olmoaco has 0.67 and 0.70 for its two
ontologies; how it weighs concepts is not printed, and with our weights few pages get there."""


class OntologyJudge:
    """R(P) of a page, by the concepts that it names; relevant is what is above sigma.

    ``concepts`` has the weight of each concept (W_TK, olmoaco Eq. 4). ``threshold`` is sigma; None
    to calibrate it with the example pages of the profile.
    """

    def __init__(
        self,
        concepts: Mapping[str, float],
        profile: TopicProfile,
        analyzer: Analyzer,
        threshold: float | None = None,
    ) -> None:
        self._analyzer = analyzer
        self._model = ConceptModel(concepts, analyzer)
        self._labels = tuple(concepts)
        self._topic = unit(np.array(list(concepts.values()), np.float64))
        own = [self._model.page_relevance(page) for page in profile.examples if page.full.strip()]
        alike = "example pages name no concept of the ontology"
        self.calibration = calibrate(own, threshold, DEFAULT_SIGMA, alike=alike)
        # The least number above sigma: olmoaco asks for R > sigma, a record for R >= threshold.
        self.threshold = math.nextafter(self.calibration.value, math.inf)

    def similarity(self, document: Document) -> float:
        """Return R(P), olmoaco Eq. 5-6; 0 for a page that names no concept."""
        return self._model.page_relevance(document)

    def judgement(self, document: Document) -> Judgement:
        """Return the relevance with the concepts that make it up."""
        counts = self._model.counts_on(document)
        weights = unit(page_weights(counts))
        shares = [
            TermShare(self._labels[place], int(total), on_page, in_topic)
            for place, (total, on_page, in_topic) in enumerate(
                zip(counts.sum(axis=0), weights.tolist(), self._topic.tolist(), strict=True)
            )
            if on_page * in_topic > 0.0
        ]
        shares.sort(key=lambda share: (-share.contribution, share.term))
        return Judgement(self.similarity(document), None, tuple(shares))

    def language(self, document: Document) -> str | None:
        """Return the language of a page that is clearly not in the topic's; None for any other."""
        return self._analyzer.language_of(document)
