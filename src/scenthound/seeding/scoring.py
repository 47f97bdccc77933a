"""How well does what is said of an address fit the topic? And the page itself?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from scenthound.core.model import Briefing, Page
from scenthound.core.protocols import Judge
from scenthound.seeding.found import Found
from scenthound.seeding.likeness import Likeness
from scenthound.seeding.proposal import Basis, Kind, Proposal
from scenthound.text.analyzer import Analyzer
from scenthound.text.url_words import url_words
from scenthound.text.words import words
from scenthound.topics.coverage import topic_terms
from scenthound.topics.model import keyword_text

HUB_LINKS = 5
"""A page with so many links that have a word of the topic is a place to start from."""
LEAST_WORDS = 50
"""A page with fewer words is no example of anything."""
_TERMS = 10


class Scorer:
    """Scores addresses by what is said of them, and pages by what they say.

    Titles are compared with the keywords, which are as short as they are (with the example pages
    where there is no keyword); pages are put before the judge, as a crawl's pages are.

    Parameters
    ----------
    briefing : the topic's words and example texts.
    analyzer : counts terms.
    judge : gives the judge; called when the first page is read, since it may have to learn.
    """

    def __init__(self, briefing: Briefing, analyzer: Analyzer, judge: Callable[[], Judge]) -> None:
        self._analyzer = analyzer
        self._make_judge = judge
        keywords = keyword_text(briefing.keywords)
        has_words = len(analyzer.bag(keywords)) > 0
        patterns = [keywords] if has_words else [page.full for page in briefing.examples]
        self._titles = Likeness(patterns, analyzer)
        terms = keywords if has_words else "\n".join(topic_terms(briefing, analyzer, _TERMS))
        self._terms = analyzer.bag(terms).ids
        """The numbers of the terms that a link about the topic would have one of."""

    def by_title(self, groups: Iterable[Sequence[Found]]) -> list[Proposal]:
        """Proposals for addresses, by title and snippet, or by the address where there is none.

        An address with no word of the topic is left out, unless a search engine has ranked it:
        that has seen its text. ``groups`` has all that was found of each address.
        """
        given = list(groups)
        scores = self._titles.of([_said(group) or url_words(group[0].url) for group in given])
        return [
            _proposal(group, score)
            for group, score in zip(given, scores, strict=True)
            if score > 0.0 or any(each.rank for each in group)
        ]

    def titled(self, groups: Iterable[Sequence[Found]]) -> list[Proposal]:
        """Proposals for addresses that are yet to be scored."""
        return [_proposal(group, 0.0) for group in groups]

    def by_text(
        self, proposal: Proposal, page: Page, otherwise: Kind | None = None
    ) -> Proposal | None:
        """The proposal judged by its page; None where the page is good for nothing here.

        A page as similar to the topic as a relevant page must be, and not too short, is an
        example; one with :data:`HUB_LINKS` links that have a word of the topic is a seed.
        ``otherwise`` is what a page is that is neither, if it is like the topic at all.
        """
        similarity = self._judge.similarity(page.document)
        links = self._topical_links(page)
        enough = len(words(page.document.text)) >= LEAST_WORDS
        kind = _kind(similarity >= self._judge.threshold and enough, links >= HUB_LINKS)
        if kind is None and similarity > 0.0:
            kind = otherwise
        if kind is None:
            return None
        return replace(
            proposal,
            url=page.url,
            kind=kind,
            score=similarity,
            basis=Basis.TEXT,
            title=page.document.title[:300] or proposal.title,
            topical_links=links,
        )

    @cached_property
    def _judge(self) -> Judge:
        return self._make_judge()

    def _topical_links(self, page: Page) -> int:
        anchors = {link.url: link.anchor for link in page.links if link.url != page.url}
        bags = self._analyzer.bags(list(anchors.values()))
        return sum(bool(np.isin(bags[row].ids, self._terms).any()) for row in range(len(bags)))


def _first(texts: Iterable[str]) -> str:
    """The first that is not empty."""
    return next(filter(None, texts), "")


def _said(group: Sequence[Found]) -> str:
    """Title and snippet, of whoever has them."""
    parts = (_first(each.title for each in group), _first(each.snippet for each in group))
    return " ".join(filter(None, parts))


def _proposal(group: Sequence[Found], score: float) -> Proposal:
    return Proposal(
        url=group[0].url,
        score=score,
        basis=Basis.TITLE if _said(group) else Basis.ADDRESS,
        title=_first(each.title for each in group),
        sources=tuple(dict.fromkeys(each.source for each in group)),
        modified=_first(each.modified for each in group),
    )


def _kind(is_example: bool, is_seed: bool) -> Kind | None:
    if is_example and is_seed:
        return Kind.BOTH
    if is_example:
        return Kind.EXAMPLE
    return Kind.SEED if is_seed else None
