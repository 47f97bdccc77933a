"""What is proposed, and with which score: URLs that a crawl would follow, scored by their title and
snippet, and pages by their text, as the judge of a crawl does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from scenthound.core.model import Document, Page, Topic, TopicProfile
from scenthound.core.protocols import Judge
from scenthound.core.urls import url_words
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.scope import ScopeTrial, named_urls
from scenthound.crawler.seed_proposals import ALREADY_IN_TOPIC, Basis, Kind, Proposal
from scenthound.crawler.seed_search import LONGEST_TITLE, SearchResult
from scenthound.similarity.judge import SimilarityJudge
from scenthound.similarity.text_models import keyword_text
from scenthound.similarity.topic_senses import topic_terms
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import words


class ScopeFilter:
    """Lets through what a crawl with this topic and these options would follow.

    URLs that the topic names already are left out.
    """

    def __init__(self, topic: Topic, options: CrawlOptions) -> None:
        self._known = frozenset(named_urls(topic))
        self._trial = ScopeTrial(topic, options, datetime.now(UTC).year)
        self._decided: dict[str, str | None] = {}
        self.left_out: Counter[str] = Counter()
        """How many URLs are left out, by reason."""

    def admit(self, url: str) -> str | None:
        """Return the URL as it would be requested; None, counted once, where it would not be."""
        if url not in self._decided:  # calendars are counted, so nothing is tried twice
            verdict = self._trial.verdict(url, depth=0)  # it would be a seed
            reason = ALREADY_IN_TOPIC if url in self._known else verdict.reason
            self._decided[url] = None if reason else verdict.queued
            self.left_out.update([reason] if reason else [])
        return self._decided[url]


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
        terms = keyword_text(profile.keywords)
        if len(analyzer.bag(terms)):
            profile = replace(profile, examples=())
        else:
            terms = "\n".join(topic_terms(profile, analyzer, _TERMS))
        self._titles = SimilarityJudge(profile, analyzer, 0.0)
        self._terms = analyzer.bag(terms).ids
        """The numbers of the terms that a link about the topic would have one of."""

    def by_title(self, group: Sequence[SearchResult]) -> Proposal | None:
        """Return the proposal for all results of a URL, scored by title and snippet.

        Where there is neither, the words in the URL count. None for a URL with no word of the
        topic, unless a search engine has ranked it: that has seen its text.
        """
        title = _first(each.title for each in group)
        snippet = _first(each.snippet for each in group)
        description = f"{title} {snippet}".strip()
        text = description or url_words(group[0].url)
        score = self._titles.similarity(Document(title=text))
        if not score and not any(each.rank for each in group):
            return None
        return Proposal(
            url=group[0].url,
            score=score,
            basis=Basis.TITLE if description else Basis.ADDRESS,
            title=title,
            sources=tuple(dict.fromkeys(each.source for each in group)),
            modified=_first(each.modified for each in group),
        )

    def by_text(self, proposal: Proposal, page: Page) -> Proposal | None:
        """Return the proposal judged by its page; None where it is neither seed nor example.

        A page as similar to the topic as a relevant page must be, and not too short, is an
        example; one with :data:`HUB_LINKS` links that have a word of the topic is a seed.
        """
        similarity = self._judge.similarity(page.document)
        anchors = {link.url: link.anchor for link in page.links if link.url != page.url}
        bags = self._analyzer.bags(list(anchors.values()))
        links = sum(bool(np.isin(bags[row].ids, self._terms).any()) for row in range(len(bags)))
        enough = len(words(page.document.text)) >= LEAST_WORDS
        is_example = similarity >= self._judge.threshold and enough
        is_seed = links >= HUB_LINKS
        if not is_example and not is_seed:
            return None
        both = is_example and is_seed
        return replace(
            proposal,
            url=page.url,
            kind=Kind.BOTH if both else Kind.EXAMPLE if is_example else Kind.SEED,
            score=similarity,
            basis=Basis.TEXT,
            title=page.document.title[:LONGEST_TITLE] or proposal.title,
            topical_links=links,
        )

    @cached_property
    def _judge(self) -> Judge:
        return self._make_judge()


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")
