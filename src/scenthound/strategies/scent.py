"""The strategy one gets without asking: all evidence there is, weighed as the crawl learns to.

Every text of a link is read in several ways (:mod:`~scenthound.strategies.evidence`); the worth
of a link is the weighted sum, in the mean over the pages that link there, and more for a link that
many pages have. It begins with equal weights, which did better than weights learnt from the labels
of other topics, and lets go of evidence that turns out to mislead. What was tried is in
docs/scent.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import INLINKS, Document, Link, Score, Visit, inlink_share
from scenthound.core.parts import Parts
from scenthound.core.protocols import State
from scenthound.core.sharing import Counting, Fitted
from scenthound.relevance.model import TopicModel
from scenthound.relevance.sentences import SentenceModel
from scenthound.relevance.term_vectors import TermVectorModel
from scenthound.semantics.senses import FLOOR
from scenthound.strategies.equipping import remembered_texts
from scenthound.strategies.evidence import LinkEvidence
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.shared_weights import SharedWeights
from scenthound.strategies.text_forms import soft_form, within_0_and_1
from scenthound.strategies.weight_learning import MOVED, WeightLearner
from scenthound.text.rules import is_english
from scenthound.topics.coverage import TERMS
from scenthound.topics.model import MERGED
from scenthound.vectors.bert import SWITCH, is_minilm_there, is_switched_off, load_bert
from scenthound.vectors.static import load_static

AUTO, YES, NO = SENTENCES = ("auto", "yes", "no")
HOLD = 1_500.0
INLINKS_WEIGHT = 0.08
_POWER = 4.0
_NOTHING = 1e-9
_GROWTH = 2
"""The topic's terms are chosen anew when half as many pages again are known."""


class Scent(SharedWeights):
    """Scores links by all that speaks for them.

    Parameters
    ----------
    evidence : reads the links of a page.
    hold : the weights at the start count as if so many links agreed with them.
    inlinks : weight of how many pages link there; all the texts together weigh 1.
    why_fewer : why texts are not read in all the ways there are; empty where they are.
    """

    predicts = True

    def __init__(
        self,
        evidence: LinkEvidence,
        hold: float = HOLD,
        inlinks: float = INLINKS_WEIGHT,
        why_fewer: str = "",
    ) -> None:
        self._evidence = evidence
        self.why_fewer = why_fewer
        self._hold, self._inlinks = hold, inlinks
        self._begin()
        self._taught_by: tuple[Document, tuple[float, ...]] | None = None
        """The last page, and what spoke for the link to it, until it is known what it is worth."""

    def _begin(self) -> None:
        """With equal weights for all that is read."""
        texts = self._evidence.names[:-1]
        self.weights = {**dict.fromkeys(texts, 1.0 / len(texts)), INLINKS: self._inlinks}
        self._start = dict(self.weights)
        self._learner = WeightLearner(self.weights, hold=self._hold, moved=0.0)

    @property
    def ways(self) -> tuple[str, ...]:
        """In which ways texts are read."""
        return self._evidence.ways

    def observe(self, visit: Visit) -> None:
        """Learn from the page, and from the links that led to it."""
        self._learn_link()
        document, parts = visit.page.document, Parts.of(visit.candidate.score.parts)
        self._evidence.learn(document)
        self._learner.count_page()
        if parts.names == self._evidence.names:  # a seed was found by no link
            self._taught_by = document, parts.values

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score]:
        """One score a link; links whose texts are alike share one."""
        page, of_links = self._evidence.of_links(visit.page.document, links)
        names, weights, one = self._evidence.names, tuple(self.weights.values()), inlink_share(1)
        known: dict[tuple[float, ...], Score] = {}
        for values in of_links:
            if values not in known:
                known[values] = Parts(names, (*page, *values, one), weights).score()
        return [known[values] for values in of_links]

    def _refitted(self) -> bool:
        """Only the proportions of weights count, which decide the order: all texts weigh 1."""
        found = self._learner.fit()
        proportions = None if found is None else _in_proportion(found)
        if proportions is None:
            return False
        moved = max(abs(proportions[name] - weight) for name, weight in self.weights.items())
        if moved < MOVED:
            return False
        self.weights = proportions
        return True

    def reweighed(self, score: Score) -> Score:
        """The same parts with the weights of now; a seed that waits has none, and stays."""
        parts = Parts.of(score.parts)
        if parts.names != self._evidence.names:
            return score
        return Parts(parts.names, parts.values, tuple(self.weights.values())).score()

    @property
    def why_not(self) -> str | None:
        """Why the weights are still those at the start; None where they are not."""
        if self.weights != self._start:
            return None
        return self._learner.why_not or "their proportions did not move."

    @property
    def counting(self) -> Counting:
        """What counts the words of pages."""
        return self._evidence.counting

    def fitted(self) -> Fitted:
        """The weights of now, for others to take over."""
        return {**self._learner.fitted(), "proportions": dict(self.weights)}

    def follow(self, fitted: Fitted | None) -> None:
        """Weigh links as another worker has learnt to, or as at the start (None)."""
        self._learner.follow(fitted)
        proportions = self._start if fitted is None else fitted["proportions"]
        assert isinstance(proportions, dict)
        self.weights = {name: float(proportions[name]) for name in self._start}

    def state(self) -> State:
        """What was learnt of words and of weights."""
        self._learn_link()
        return {
            "evidence": self._evidence.state(),
            "learnt": self._learner.state(),
            "weights": dict(self.weights),
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        evidence, learnt, weights = state["evidence"], state["learnt"], state["weights"]
        assert isinstance(evidence, dict) and isinstance(learnt, dict)
        assert isinstance(weights, dict)
        before, shares = self.ways, self._learner.shares
        self._evidence.restore(evidence)
        if self.ways != before:
            self.why_fewer = "the crawl began so"
        self._begin()
        if shares:
            self._learner.share()
        self._learner.restore(learnt)
        self.weights = {name: float(str(weights[name])) for name in self.weights}
        self._taught_by = None

    def _learn_link(self) -> None:
        """What spoke for the link to the last page, and what the page is worth.

        Put off until its links were read, since the page itself is read with them.
        """
        if self._taught_by is not None:
            document, values = self._taught_by
            self._learner.add(values, self._evidence.relevance(document))
            self._taught_by = None


def _in_proportion(weights: Mapping[str, float]) -> dict[str, float] | None:
    """The same proportions, with all texts together 1; None where no text weighs anything."""
    texts = sum(weight for name, weight in weights.items() if name != INLINKS)
    if texts < _NOTHING:
        return None
    return {name: weight / texts for name, weight in weights.items()}


def scent(
    ingredients: Ingredients, *, sentences: str = AUTO, hold: float = HOLD,
    inlinks: float = INLINKS_WEIGHT,
) -> Scent:  # fmt: skip
    """All the evidence there is, weighed as the crawl learns to.

    Parameters
    ----------
    ingredients : topic, texts, what models work with.
    sentences : "auto" reads texts as sentences too where the extra ``neural`` is installed, "yes"
        insists on it, "no" does without.
    hold : the weights at the start count as if so many links agreed with them.
    inlinks : weight at the start of how many pages link there; all texts together weigh 1.
    """
    if sentences not in SENTENCES:
        raise UnknownNameError("sentences", sentences, SENTENCES)
    within_0_and_1(inlinks=inlinks)
    if not 0.0 <= hold < math.inf:
        raise SettingsError(f"hold must be a number of links, 0 or more, not {hold}.")
    briefing, analyzer = ingredients.briefing, ingredients.analyzer
    form = soft_form(ingredients, "lin", "informative", FLOOR, _POWER, vouched=True)
    words = TopicModel(briefing, analyzer, form, TERMS, MERGED, _GROWTH)
    english = is_english(briefing.language)
    meaning = TermVectorModel(briefing, analyzer, load_static()) if english else None
    fewer = "" if sentences == YES else _why_fewer(sentences, english)
    read = None if fewer else _sentences(ingredients)
    return Scent(LinkEvidence(analyzer, words, meaning, read), hold, inlinks, fewer)


def _why_fewer(sentences: str, english: bool) -> str:
    """Why texts are not read as sentences; empty where they are."""
    if sentences == NO:
        return "sentences=no"
    if not english:
        return "the topic is not in English"
    if is_minilm_there():
        return ""
    return f"{SWITCH}=no" if is_switched_off() else "the extra neural is not installed"


def _sentences(ingredients: Ingredients) -> SentenceModel:
    equipment = ingredients.equipment
    encoder = remembered_texts(load_bert(equipment=equipment), equipment.cache)
    return SentenceModel(ingredients.briefing, encoder, MERGED, keywords_apart=True)
