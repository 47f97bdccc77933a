"""Baseline scorers: all links alike, oracle, best-first, fish search and shark search."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.core.crawl_loop import Stateless
from scenthound.core.errors import SettingsError
from scenthound.core.model import FetchedPage, Link, Part, Rejection, Score
from scenthound.core.parameters import check_unit_interval
from scenthound.similarity.judge import DEFAULT_THRESHOLD, calibrated_threshold
from scenthound.similarity.link_priority import ModelScorer
from scenthound.similarity.text_models import Cosine, TopicModel
from scenthound.strategies.spec import StrategyContext

_SAME = Score(0.0)
_LABELLED = Score(1.0, (Part("labelled", 1.0),))
_UNLABELLED = Score(0.0, (Part("labelled", 0.0),))


class Unscored(Stateless):
    """Every link is worth the same, so that the frontier is first in, first out."""

    predicts = False

    def __init__(self, context: StrategyContext) -> None:
        del context  # nothing is known about a link

    def observe(self, fetched: FetchedPage) -> None:
        """Nothing is learned."""

    def score(self, fetched: FetchedPage, links: Sequence[Link]) -> Sequence[Score]:
        """The same score for each."""
        return [_SAME] * len(links)


class Oracle(Unscored):
    """Links to labelled pages first, each group in order of discovery. For evaluation only.

    It looks one step ahead, so it bounds what a crawler that scores single links can reach;
    it does not plan a way through unlabelled pages.
    """

    def __init__(self, context: StrategyContext) -> None:
        super().__init__(context)
        self._labels = context.labels

    def score(self, fetched: FetchedPage, links: Sequence[Link]) -> Sequence[Score]:
        """1 for a link to a labelled page, otherwise 0."""
        return [_LABELLED if link.url in self._labels else _UNLABELLED for link in links]


class BestFirst(ModelScorer):
    """Every link inherits the relevance of its page (OPS in olmoaco).

    olmoaco gives OPS one sentence; VSM with the merged topic vector is our reading.
    """

    def __init__(self, context: StrategyContext) -> None:
        super().__init__(TopicModel(context.profile, context.analyzer, Cosine()))

    def score(self, fetched: FetchedPage, links: Sequence[Link]) -> Sequence[Score]:
        """The page's similarity, for all links alike."""
        similarity = self.page_similarity(fetched.page.document)
        score = Score(similarity, (Part("page", similarity),))
        return [score] * len(links)


class Fish(ModelScorer):
    """Fish search: schools that find food breed, those that do not die out.

    De Bra and Post (1994), cited by olmoaco; from the cited source, with the width limit left
    out: links of a relevant page go to the front with ``depth`` steps to live; links of
    another page go behind, with one step less than their page had; a page without steps left
    has no offspring. "Relevant" is VSM similarity of at least ``threshold``; the default 0
    takes the 5th percentile of the example pages' own similarity to the topic.

    Parameters
    ----------
    depth : steps a link of a relevant page may lead through pages that are not.
    threshold : similarity from which a page is relevant; 0 to calibrate.
    """

    predicts = False

    def __init__(self, context: StrategyContext, *, depth: int = 3, threshold: float = 0.0) -> None:
        super().__init__(TopicModel(context.profile, context.analyzer, Cosine()))
        if depth < 1 or not 0.0 <= threshold <= 1.0:
            raise SettingsError("depth must be 1 or more and threshold within 0 and 1.")
        self._depth = depth
        own = [self.page_similarity(example) for example in context.profile.examples]
        self._threshold = threshold or calibrated_threshold(own) or DEFAULT_THRESHOLD

    def score(self, fetched: FetchedPage, links: Sequence[Link]) -> Sequence[Score | Rejection]:
        """Steps left over all steps; refusal when none is left."""
        similarity = self.page_similarity(fetched.page.document)
        before = fetched.candidate.score.part("steps", self._depth)
        left = self._depth if similarity >= self._threshold else before - 1
        if left <= 0:
            return [Rejection("no steps left")] * len(links)
        parts = (Part("page", similarity, 0.0), Part("steps", left, 1.0 / self._depth))
        return [Score(left / self._depth, parts)] * len(links)


def inherited_score(page_similarity: float, page_inherited: float, decay: float) -> float:
    """What a link inherits: its page's similarity, or what that page itself inherited."""
    return decay * (page_similarity if page_similarity > 0.0 else page_inherited)


def context_score(anchor: float, context: float) -> float:
    """An anchor that says anything about the topic speaks for its context too."""
    return 1.0 if anchor > 0.0 else context


class Shark(ModelScorer):
    """Inherited relevance, which fades with distance, plus the words in and around the link.

    The constants are those of the cited source as we have them; similarity is VSM. What a
    page inherited is read from the score it was fetched for, so nothing has to be kept.

    Parameters
    ----------
    decay : share of the relevance that a link inherits.
    inherited_weight : weight of the inherited part; the neighbourhood has the rest.
    anchor_weight : weight of the anchor within the neighbourhood; the context has the rest.
    """

    def __init__(
        self, context: StrategyContext, *, decay: float = 0.5, inherited_weight: float = 0.5,
        anchor_weight: float = 0.8,
    ) -> None:  # fmt: skip
        check_unit_interval(
            decay=decay, inherited_weight=inherited_weight, anchor_weight=anchor_weight
        )
        super().__init__(TopicModel(context.profile, context.analyzer, Cosine()))
        self._decay = decay
        self._inherited_weight, self._anchor_weight = inherited_weight, anchor_weight

    def score(self, fetched: FetchedPage, links: Sequence[Link]) -> Sequence[Score]:
        """One score a link: what it inherits, and its neighbourhood of anchor and context."""
        similarity = self.page_similarity(fetched.page.document)
        before = fetched.candidate.score.part("inherited", 0.0)
        inherited = inherited_score(similarity, before, self._decay)
        known = self.text_similarities(
            (text for link in links for text in (link.anchor, link.context)), fetched.page.document
        )
        around = 1.0 - self._inherited_weight
        scores = []
        for link in links:
            anchor, context = known[link.anchor], known[link.context]
            rest = around * (1.0 - self._anchor_weight)
            parts = (
                Part("inherited", inherited, self._inherited_weight),
                Part("anchor", anchor, around * self._anchor_weight),
                Part("context", context_score(anchor, context), rest),
            )
            scores.append(Score(sum(p.value * p.weight for p in parts), parts))
        return scores
