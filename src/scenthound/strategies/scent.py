"""``scent``, the default strategy: combines all evidence for a link, with weights learned during
the crawl.

Four texts (the page that holds the link, its anchor, the block around it, the words of its URL)
have up to three representations: by their **words**, with WordNet's help; by their **meaning**,
the vectors of their terms; and, where MiniLM is installed, as **sentences**. The score of a link is
the weighted sum of all similarities, plus a part for how many pages link there; several inlinks
count in the mean. The weights are equal at first, which did better than weights learned from the
labels of other topics. Evidence that turns out to mislead loses its weight during the crawl.
docs/scent.md says what was tried.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from scenthound.core.errors import SettingsError
from scenthound.core.model import INLINKS, Document, FetchedPage, Link, Parts, Score, inlink_share
from scenthound.core.parameters import check_name, check_unit_interval
from scenthound.core.protocols import FittedWeights, SharesTermCounts, State
from scenthound.core.urls import url_words
from scenthound.similarity.bert import NEURAL_VARIABLE, is_minilm_there, is_switched_off
from scenthound.similarity.sentence_models import SentenceModel, TermVectorModel, load_static
from scenthound.similarity.text_models import MERGED, TERMS, TopicModel
from scenthound.similarity.word_similarity import FLOOR
from scenthound.strategies.spec import StrategyContext
from scenthound.strategies.text_model_builders import soft_svsm_form
from scenthound.strategies.vector_models import sentence_encoder
from scenthound.strategies.weight_learning import MIN_CHANGE, WeightFitter, WeightLearner
from scenthound.text.analyzer import Analyzer
from scenthound.text.rules import is_english

Features = tuple[float, ...]
PAGE, ANCHOR, CONTEXT, ADDRESS = TEXTS = ("page", "anchor", "context", "address")
WORDS, MEANING, SENTENCES = REPRESENTATIONS = ("words", "meaning", "sentence")
TEXTS_READ_AS = {WORDS: TEXTS, MEANING: TEXTS, SENTENCES: (PAGE, ANCHOR, ADDRESS)}
"""The texts of each representation. MiniLM does not read the blocks: they are most of the text, and
tell it nothing that the anchors do not (docs/scent.md)."""
_IN_WORDS = {MEANING: "vectors of terms", SENTENCES: "sentence vectors (MiniLM)"}


def evidence_names(representations: Sequence[str]) -> tuple[str, ...]:
    """The names of the parts of a score, text by text.

    Examples
    --------
    >>> evidence_names(["words"])
    ('page words', 'anchor words', 'context words', 'address words', 'inlinks')
    """
    return (*(f"{text} {name}" for text, name in _pairs(representations)), INLINKS)


def _pairs(representations: Sequence[str]) -> list[tuple[str, str]]:
    return [
        (text, name) for text in TEXTS for name in representations if text in TEXTS_READ_AS[name]
    ]


class LinkEvidence:
    """The evidence for the links of a page, as numbers; terms are counted once for all models.

    ``meaning`` and ``sentences`` may be None, which leaves that representation out.
    """

    def __init__(
        self, analyzer: Analyzer, words: TopicModel, meaning: TermVectorModel | None = None,
        sentences: SentenceModel | None = None,
    ) -> None:  # fmt: skip
        self._analyzer = analyzer
        self.words, self._meaning, self._sentences = words, meaning, sentences
        models = zip(REPRESENTATIONS, (words, meaning, sentences), strict=True)
        self._read_by([representation for representation, model in models if model is not None])
        self._last: tuple[Document, Features] | None = None

    def _read_by(self, representations: Sequence[str]) -> None:
        self.representations = tuple(representations)
        self.names = evidence_names(self.representations)
        self._read = _pairs(self.representations)

    def learn(self, document: Document) -> None:
        """Count the words of a fetched page, for their document frequencies."""
        self._last = None
        self.words.learn(document)

    def relevance(self, document: Document) -> float:
        """Relevance of a page, in [0, 1]: the mean over its representations.

        It costs nothing for the page whose links were scored last.
        """
        if self._last is None or self._last[0] is not document:
            self.of_links(document, ())
        assert self._last is not None
        read = self._last[1]
        return sum(read) / len(read)

    def of_links(
        self, document: Document, links: Sequence[Link]
    ) -> tuple[Features, list[Features]]:
        """The similarities of the page, and those of each link, in the order of ``names``."""
        texts = {
            PAGE: [document.full],
            ANCHOR: [link.anchor for link in links],
            CONTEXT: [link.context for link in links],
            ADDRESS: [url_words(link.url) for link in links],
        }
        found = self._compared(texts, document)
        self._last = document, tuple([found[name][document.full] for name in self.representations])
        of_links = self._read[len(self.representations) :]
        columns = [
            [found[representation][own] for own in texts[text]] for text, representation in of_links
        ]
        return self._last[1], list(zip(*columns, strict=True))

    def _compared(
        self, texts: Mapping[str, Sequence[str]], page: Document
    ) -> dict[str, dict[str, float]]:
        """The similarity of every distinct text to the topic, by each representation."""
        every = list(dict.fromkeys(chain.from_iterable(texts[name] for name in TEXTS)))
        bags = self._analyzer.reader(page).bags(every)
        found = {WORDS: dict(zip(every, self.words.of_bags(bags).tolist(), strict=True))}
        if self._meaning is not None:
            found[MEANING] = dict(zip(every, self._meaning.of_bags(bags).tolist(), strict=True))
        if self._sentences is not None:
            names = TEXTS_READ_AS[SENTENCES]
            read = list(dict.fromkeys(chain.from_iterable(texts[name] for name in names)))
            similarities = self._sentences.similarities(read, page)
            found[SENTENCES] = dict(zip(read, similarities, strict=True))
        return found

    def state(self) -> State:
        """What was learned of words, and the representations."""
        sentences = None if self._sentences is None else self._sentences.state()
        ways = list(self.representations)
        return {"words": self.words.state(), "ways": ways, "sentences": sentences}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned, with the same representations and no others.

        SettingsError where one of them is not available.
        """
        representations, sentences = state["ways"], state["sentences"]
        missing = [str(name) for name in representations if name not in self.representations]
        if missing:
            vectors = " and ".join(_IN_WORDS.get(name, name) for name in missing)
            switch = f", and resume without {NEURAL_VARIABLE}=no" if is_switched_off() else ""
            raise SettingsError(
                f"this crawl scores links with {vectors}, which are not available here; install "
                f"what they need (pip install 'scenthound[neural]'){switch}."
            )
        self._read_by([name for name in self.representations if name in representations])
        self._meaning = self._meaning if MEANING in self.representations else None
        self._sentences = self._sentences if SENTENCES in self.representations else None
        self.words.restore(state["words"])
        if self._sentences is not None and isinstance(sentences, dict):
            self._sentences.restore(sentences)


AUTO, YES, NO = SENTENCE_MODES = ("auto", "yes", "no")
PRIOR_WEIGHT = 1_500.0
"""The weights at the start count as if so many links agreed with them."""
INLINKS_WEIGHT = 0.08
_POWER = 4.0
_MIN_WEIGHT = 1e-9
"""Texts that weigh less in all say nothing about proportions."""
_GROWTH = 2
"""The topic's terms are chosen again when half as many pages again are known."""


class Scent(WeightFitter):
    """Scores links by all the evidence for them; see :func:`scent`.

    ``why_fewer`` says why a representation is missing; it is empty where none is.
    """

    predicts = True

    def __init__(
        self, evidence: LinkEvidence, prior_weight: float = PRIOR_WEIGHT,
        inlinks: float = INLINKS_WEIGHT, why_fewer: str = "",
    ) -> None:  # fmt: skip
        self._evidence = evidence
        self.why_fewer = why_fewer
        self._prior_weight, self._inlinks = prior_weight, inlinks
        self._begin()
        self._pending_link: tuple[Document, tuple[float, ...]] | None = None
        """The last page and the evidence for its link, until the relevance of the page is known."""

    def _begin(self) -> None:
        """Start with equal weights for all texts."""
        texts = self._evidence.names[:-1]
        self.weights = {**dict.fromkeys(texts, 1.0 / len(texts)), INLINKS: self._inlinks}
        self._start = dict(self.weights)
        self._learner = WeightLearner(self.weights, prior_weight=self._prior_weight, moved=0.0)

    @property
    def representations(self) -> tuple[str, ...]:
        """The representations of texts."""
        return self._evidence.representations

    def observe(self, fetched: FetchedPage) -> None:
        """Learn from the page, and from the links that led to it."""
        self._learn_link()
        document, parts = fetched.page.document, Parts.of(fetched.candidate.score.parts)
        self._evidence.learn(document)
        self._learner.count_page()
        if parts.names == self._evidence.names:  # a seed was found by no link
            self._pending_link = document, parts.values

    def score(self, fetched: FetchedPage, links: Sequence[Link]) -> Sequence[Score]:
        """One score a link; links whose texts are alike share one."""
        page, of_links = self._evidence.of_links(fetched.page.document, links)
        names, weights, one = self._evidence.names, tuple(self.weights.values()), inlink_share(1)
        known = {
            values: Parts(names, (*page, *values, one), weights).score() for values in set(of_links)
        }
        return [known[values] for values in of_links]

    def _update_weights(self) -> bool:
        """Only the proportions of weights count, which decide the order: all texts weigh 1."""
        found = self._learner.fit() or {}
        texts = sum(weight for name, weight in found.items() if name != INLINKS)
        if texts < _MIN_WEIGHT:
            return False
        proportions = {name: weight / texts for name, weight in found.items()}
        if max(abs(proportions[name] - old) for name, old in self.weights.items()) < MIN_CHANGE:
            return False
        self.weights = proportions
        return True

    def reweighed(self, score: Score) -> Score:
        """The score with the current weights; that of a seed, which has no parts, stays."""
        parts = Parts.of(score.parts)
        if parts.names != self._evidence.names:
            return score
        return Parts(parts.names, parts.values, tuple(self.weights.values())).score()

    @property
    def why_not(self) -> str | None:
        """Why the weights are still those at the start; None where they are not."""
        moved = self.weights != self._start
        return None if moved else self._learner.why_not or "their proportions did not move."

    @property
    def counting(self) -> SharesTermCounts:
        """The part that counts the words of pages."""
        return self._evidence.words

    def fitted(self) -> FittedWeights:
        """The current weights, for other workers."""
        return {**self._learner.fitted(), "proportions": dict(self.weights)}

    def follow(self, fitted: FittedWeights | None) -> None:
        """Use the weights of another worker, or those at the start (None)."""
        self._learner.follow(fitted)
        proportions: Any = self._start if fitted is None else fitted["proportions"]
        self.weights = {name: float(proportions[name]) for name in self._start}

    def state(self) -> State:
        """What was learned of words and of weights."""
        self._learn_link()
        return {
            "evidence": self._evidence.state(),
            "learnt": self._learner.state(),
            "weights": dict(self.weights),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        before, shares = self.representations, self._learner.shares
        self._evidence.restore(state["evidence"])
        if self.representations != before:
            self.why_fewer = "the crawl began so"
        self._begin()
        if shares:
            self._learner.share()
        self._learner.restore(state["learnt"])
        self.weights = {name: float(state["weights"][name]) for name in self.weights}
        self._pending_link = None

    def _learn_link(self) -> None:
        """Learn from the link to the last page, whose relevance is known by now.

        Put off until the links of the page were read, since the page itself is read with them.
        """
        if self._pending_link is not None:
            document, values = self._pending_link
            self._learner.add(values, self._evidence.relevance(document))
            self._pending_link = None


def scent(
    context: StrategyContext, *, sentences: str = AUTO, prior_weight: float = PRIOR_WEIGHT,
    inlinks: float = INLINKS_WEIGHT,
) -> Scent:  # fmt: skip
    """Combines all evidence for a link, with weights learned during the crawl.

    Parameters
    ----------
    context : topic, analyzer, and what models work with.
    sentences : "auto" reads texts as sentences too where the extra ``neural`` is installed, "yes"
        insists on it, "no" does without.
    prior_weight : the weights at the start count as if so many links agreed with them.
    inlinks : weight at the start of how many pages link there; all texts together weigh 1.
    """
    check_name("sentences", sentences, SENTENCE_MODES)
    check_unit_interval(inlinks=inlinks)
    if not 0.0 <= prior_weight < math.inf:
        raise SettingsError(
            f"prior_weight must be a number of links, 0 or more, not {prior_weight}."
        )
    profile, analyzer = context.profile, context.analyzer
    form = soft_svsm_form(context, "lin", "informative", FLOOR, _POWER, supported=True)
    words = TopicModel(profile, analyzer, form, TERMS, MERGED, _GROWTH)
    english = is_english(profile.language)
    meaning = TermVectorModel(profile, analyzer, load_static()) if english else None
    missing = "" if sentences == YES else _missing_reason(sentences, english)
    read = None
    if not missing:
        encoder = sentence_encoder(context.equipment)
        read = SentenceModel(profile, encoder, MERGED, keywords_apart=True)
    return Scent(LinkEvidence(analyzer, words, meaning, read), prior_weight, inlinks, missing)


def _missing_reason(sentences: str, english: bool) -> str:
    """Why texts are not read as sentences; empty where they are."""
    if sentences == NO:
        return "sentences=no"
    if not english:
        return "the topic is not in English"
    if is_minilm_there():
        return ""
    return f"{NEURAL_VARIABLE}=no" if is_switched_off() else "the extra neural is not installed"
