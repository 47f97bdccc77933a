"""Scores of proposed seeds: a URL by its title and snippet, in bulk, since a sitemap lists up to
50,000; a page by its text, as the judge of a crawl does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from scenthound.core.model import Page, TopicProfile
from scenthound.core.protocols import Judge
from scenthound.core.urls import url_words
from scenthound.crawler.seed_proposals import Basis, Kind, Proposal
from scenthound.crawler.seed_search import SearchResult
from scenthound.similarity.text_models import Cosine, keyword_text
from scenthound.similarity.topic_senses import topic_terms
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import DocumentFrequencies, words

_AT_ONCE = 2_000
"""Texts weighed together; a sitemap may have 50,000."""


class TopicSimilarity:
    """VSM similarity of texts to the nearest of ``patterns``: the judge's measure, in bulk."""

    def __init__(self, patterns: Sequence[str], analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        frequencies = DocumentFrequencies(analyzer.vocabulary)
        bags = [bag for bag in map(analyzer.bag, patterns) if len(bag)] or [analyzer.bag("")]
        for bag in bags:
            frequencies.add(bag)
        self._idf = frequencies.idf
        ids = np.unique(np.concatenate([bag.ids for bag in bags]))
        vectors = np.zeros((len(ids), len(bags)))
        for column, bag in enumerate(bags):
            vectors[np.searchsorted(ids, bag.ids), column] = bag.counts * self._idf(bag.ids)
        self._cosine = Cosine()
        self._cosine.take(ids, vectors)

    def of(self, texts: Sequence[str]) -> list[float]:
        """Return the highest cosine of each text; 0 for one without terms, or without patterns."""
        found: list[float] = []
        for start in range(0, len(texts), _AT_ONCE):
            bags = self._analyzer.bags(texts[start : start + _AT_ONCE])
            found += self._cosine.similarities(bags, bags.counts * self._idf(bags.ids)).tolist()
        return found


HUB_LINKS = 5
"""A page with so many links that have a word of the topic is a place to start from."""

LEAST_WORDS = 50
"""A page with fewer words is no example of anything."""

_TERMS = 10


class Scorer:
    """Scores URLs by their title and snippet, and pages by their text.

    Titles are compared with the keywords, which are as short as they are (with the example pages
    where there is no keyword); pages are judged as those of a crawl are. ``judge`` is called when
    the first page is read, since it may have to learn.
    """

    def __init__(
        self, profile: TopicProfile, analyzer: Analyzer, judge: Callable[[], Judge]
    ) -> None:
        self._analyzer = analyzer
        self._make_judge = judge
        keywords = keyword_text(profile.keywords)
        has_words = len(analyzer.bag(keywords)) > 0
        patterns = [keywords] if has_words else [page.full for page in profile.examples]
        self._titles = TopicSimilarity(patterns, analyzer)
        terms = keywords if has_words else "\n".join(topic_terms(profile, analyzer, _TERMS))
        self._terms = analyzer.bag(terms).ids
        """The numbers of the terms that a link about the topic would have one of."""

    def by_title(self, groups: Iterable[Sequence[SearchResult]]) -> list[Proposal]:
        """Return proposals for URLs, by title and snippet, or by the URL where there is none.

        A URL with no word of the topic is left out, unless a search engine has ranked it: that has
        seen its text. ``groups`` has all results of each URL.
        """
        given = list(groups)
        scores = self._titles.of(
            [_description(group) or url_words(group[0].url) for group in given]
        )
        return [
            proposal_of(group, score)
            for group, score in zip(given, scores, strict=True)
            if score > 0.0 or any(each.rank for each in group)
        ]

    def by_text(
        self, proposal: Proposal, page: Page, otherwise: Kind | None = None
    ) -> Proposal | None:
        """Return the proposal judged by its page; None where it is neither seed nor example.

        A page as similar to the topic as a relevant page must be, and not too short, is an
        example; one with :data:`HUB_LINKS` links that have a word of the topic is a seed.
        ``otherwise`` is what a page is that is neither, if it is like the topic at all.
        """
        similarity = self._judge.similarity(page.document)
        anchors = {link.url: link.anchor for link in page.links if link.url != page.url}
        bags = self._analyzer.bags(list(anchors.values()))
        links = sum(bool(np.isin(bags[row].ids, self._terms).any()) for row in range(len(bags)))
        enough = len(words(page.document.text)) >= LEAST_WORDS
        is_example = similarity >= self._judge.threshold and enough
        kind = otherwise if similarity > 0.0 else None
        if is_example or links >= HUB_LINKS:
            both = is_example and links >= HUB_LINKS
            kind = Kind.BOTH if both else Kind.EXAMPLE if is_example else Kind.SEED
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


def proposal_of(group: Sequence[SearchResult], score: float) -> Proposal:
    """Return the proposal for all results of one URL."""
    return Proposal(
        url=group[0].url,
        score=score,
        basis=Basis.TITLE if _description(group) else Basis.ADDRESS,
        title=_first(each.title for each in group),
        sources=tuple(dict.fromkeys(each.source for each in group)),
        modified=_first(each.modified for each in group),
    )


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")


def _description(group: Sequence[SearchResult]) -> str:
    """Return the first title and the first snippet of the results."""
    return f"{_first(e.title for e in group)} {_first(e.snippet for e in group)}".strip()
