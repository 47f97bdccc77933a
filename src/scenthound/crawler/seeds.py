"""From a topic to proposed seeds: search all sources, filter by scope, score by title and snippet
or by the page itself, choose the best.

``_propose``, at the end, is the whole search in order. Before it stand its parts: ``Scorer``,
``ScopeFilter`` and ``ProposalSelection``. Titles are scored in bulk, since a sitemap lists up to
50,000; only the best proposals are fetched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from scenthound.core.errors import MalformedUrlError, SettingsError, warn_caller
from scenthound.core.model import Document, Page, Topic, TopicProfile
from scenthound.core.protocols import Judge
from scenthound.core.urls import canonical, url_words
from scenthound.crawler.arguments import (
    check_number,
    check_options,
    check_path,
    check_topic,
    load_lexicon,
)
from scenthound.crawler.judges import build_judge, refuse_judge
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.scope import ScopeTrial, named_urls, scope_advice
from scenthound.crawler.seed_proposals import (
    ALREADY_IN_TOPIC,
    NO_TOPIC_WORD,
    NOT_FETCHED,
    OFF_TOPIC,
    OVER_LIMIT,
    Basis,
    Kind,
    Proposal,
    SeedReport,
    SourceOutcome,
    chosen,
    spread,
)
from scenthound.crawler.seed_search import (
    SearchError,
    SearchProvider,
    SearchResources,
    SearchResult,
    SeedSearchOptions,
)
from scenthound.crawler.seed_sources import (
    ARCHIVE,
    Source,
    check_sources,
    default_sources,
    provider_source,
    queries_of,
)
from scenthound.crawler.topic_reading import read_topic_profile
from scenthound.fetch.fetcher import FetchFailure
from scenthound.fetch.robots import BY_ROBOTS
from scenthound.similarity.topic_file import is_url
from scenthound.similarity.topic_senses import topic_terms
from scenthound.similarity.topic_vectors import keyword_text
from scenthound.text.analyzer import Analyzer
from scenthound.text.pdf import require_pdf
from scenthound.text.terms import Bags, Column, DocumentFrequencies, Weights, unit, words
from scenthound.text.wordnet import WordNet

_AT_ONCE = 2_000
"""Texts weighed together; a sitemap may have 50,000."""


class TopicSimilarity:
    """VSM similarity of texts to the nearest of ``patterns``: the judge's measure, in bulk."""

    def __init__(self, patterns: Sequence[str], analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._frequencies = DocumentFrequencies(analyzer.vocabulary)
        bags = [bag for bag in map(analyzer.bag, patterns) if len(bag)]
        for bag in bags:
            self._frequencies.add(bag)
        self._vectors = []
        for bag in bags:
            vector = Column(np.float64)
            weights = unit(bag.counts * self._frequencies.idf(bag.ids))
            vector.upto(len(analyzer.vocabulary))[bag.ids] = weights
            self._vectors.append(vector)

    def of(self, texts: Sequence[str]) -> list[float]:
        """Return the highest cosine of each text; 0 for one without terms, or without patterns."""
        found: list[float] = []
        for start in range(0, len(texts), _AT_ONCE):
            found += self._of(self._analyzer.bags(texts[start : start + _AT_ONCE])).tolist()
        return found

    def _of(self, bags: Bags) -> Weights:
        """Return the highest cosine of each bag."""
        weights = bags.counts * self._frequencies.idf(bags.ids)
        lengths = np.sqrt(bags.sums(weights**2))
        highest = np.zeros(len(bags))
        size = len(self._analyzer.vocabulary)
        for vector in self._vectors:
            products = bags.sums(weights * vector.upto(size)[bags.ids])
            np.maximum(highest, products, out=highest)
        return np.minimum(1.0, highest / np.where(lengths > 0.0, lengths, 1.0))


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


class ScopeFilter:
    """Lets through what a crawl with this topic and these options would follow.

    URLs that the topic names already are left out; calendars far from ``year`` are traps.
    """

    def __init__(self, topic: Topic, options: CrawlOptions, year: int) -> None:
        self._known = frozenset(named_urls(topic))
        self._trial = ScopeTrial(topic, options, year)
        self._decided: dict[str, str | None] = {}
        self.left_out: Counter[str] = Counter()
        """How many URLs are left out, by reason."""

    def admitted(self, results: Iterable[SearchResult]) -> Iterator[SearchResult]:
        """Yield those that would be followed, under the URL that would be requested."""
        for each in results:
            url = self.admit(each.url)
            if url is not None:
                yield each if url == each.url else replace(each, url=url)

    def admit(self, url: str) -> str | None:
        """Return the URL as it would be requested; None, counted once, where it would not be."""
        if url not in self._decided:  # calendars are counted, so nothing is tried twice
            self._decided[url] = self._decide(url)
        return self._decided[url]

    def _decide(self, url: str) -> str | None:
        """Try a URL against the scope, and count why it is left out."""
        if url in self._known:
            self.left_out[ALREADY_IN_TOPIC] += 1
            return None
        verdict = self._trial.verdict(url, depth=0)  # it would be a seed
        if not verdict.follow:
            self.left_out[verdict.reason] += 1
            return None
        return verdict.queued


Group = Sequence[SearchResult]
"""All results for one URL."""


class ProposalSelection:
    """Makes proposals.

    Results from an archive are scored by their text, which is stored there. Of the others the best
    are fetched and scored by theirs, as many as the options say.
    """

    def __init__(self, scorer: Scorer, resources: SearchResources, scope: ScopeFilter) -> None:
        self._scorer = scorer
        self._resources = resources
        self._scope = scope
        self._judged: dict[str, Proposal] = {}
        self._tried: set[str] = set()
        self._unfetched: list[FetchFailure] = []
        self._off_topic = 0

    def proposals(self, groups: Iterable[Group]) -> list[Proposal]:
        """Return the best of all, best first."""
        order, left_out = self._resources.order, self._scope.left_out
        self._resources.on_progress("scoring")
        archived: list[Group] = []
        others: list[Group] = []
        for group in groups:
            archive = self._resources.archive
            found = any(each.source == ARCHIVE for each in group)
            stored = found and archive is not None and group[0].url in archive
            (archived if stored else others).append(group)
        # Without --fetch these are proposed like pages that are not read.
        unscored = [proposal_of(group, 0.0) for group in archived]
        self._read(unscored, None if order.fetch else Kind.SEED)
        scored = self._scorer.by_title(others)
        titled = [each for each in scored if not self._resources.forbids(each.url)]
        left_out[NO_TOPIC_WORD] += len(others) - len(scored)
        left_out[BY_ROBOTS] += len(scored) - len(titled)
        self._read(chosen(titled, order.fetch), None)
        self._report()
        rest = [each for each in titled if each.url not in {*self._tried, *self._judged}]
        candidates = [*self._judged.values(), *rest]
        best = (chosen if order.fetch else spread)(candidates, order.count)
        left_out[OVER_LIMIT] += len(candidates) - len(best)
        return best

    def _read(self, proposals: Sequence[Proposal], otherwise: Kind | None) -> None:
        """Read and judge each; ``otherwise`` is the kind of a page that is no seed or example."""
        for number, proposal in enumerate(proposals, start=1):
            self._resources.on_progress(f"reading {number} of {len(proposals)}: {proposal.url}")
            self._tried.add(proposal.url)
            page = self._resources.page(proposal.url)
            if isinstance(page, FetchFailure):
                self._unfetched.append(page)
                continue
            if page.url != proposal.url and self._scope.admit(page.url) is None:
                continue  # it has moved out of the scope, and is counted there
            judged = self._scorer.by_text(proposal, page, otherwise)
            if judged is None:
                self._off_topic += 1
            elif judged.url in self._judged:
                self._scope.left_out[ALREADY_IN_TOPIC] += 1
            else:
                self._judged[judged.url] = judged

    def _report(self) -> None:
        """Warn of pages that were fetched in vain."""
        tried, failed, off_topic = len(self._tried), len(self._unfetched), self._off_topic
        self._scope.left_out[NOT_FETCHED] += failed
        self._scope.left_out[OFF_TOPIC] += off_topic
        if failed:
            first = self._unfetched[0]
            warn_caller(
                f"{_share(failed, tried)} cannot be fetched and {_is(failed)} left out, "
                f"e.g. {first.url} ({first.reason})"
            )
        if off_topic:
            share = f"{_share(off_topic, tried)} {_is(off_topic)}"
            warn_caller(f"{share} not about the topic and left out")


def _share(count: int, total: int) -> str:
    return f"{count} of {total} page{'' if total == 1 else 's'}"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


MAX_EXAMPLES = 20
"""Example pages fetched to judge by."""


def _search(
    source: Source, resources: SearchResources, outcomes: list[SourceOutcome]
) -> Iterator[SearchResult]:
    """Yield the results of a source; a failure is a warning, and the next source follows."""
    urls: set[str] = set()
    failure = ""
    try:
        for each in source.find(resources):
            urls.add(each.url)
            yield each
    except SearchError as error:
        failure = str(error)
        rest = "what it found is kept" if urls else "the search goes on without it"
        warn_caller(f"{failure}; {rest}")
    outcomes.append(SourceOutcome(source.name, len(urls), failure))


def _profile(resources: SearchResources, wordnet: WordNet | None) -> TopicProfile:
    """Read the topic to score by. Example pages count only where pages are read."""
    order, topic, archive = resources.order, resources.order.topic, resources.archive
    has_words = any(len(resources.analyzer.bag(word)) for word in topic.keywords)
    if not order.fetch and archive is None and has_words:
        topic = replace(topic, examples=())
    fetched: Mapping[str, Document] | None = {} if has_words and archive is not None else None
    if order.fetch:
        fetched = _examples(resources)
    return read_topic_profile(topic, archive, wordnet=wordnet, fetched=fetched)


def _examples(resources: SearchResources) -> Mapping[str, Document]:
    """Fetch the example pages that are URLs; returns them by the URL as it is written."""
    documents: dict[str, Document] = {}
    examples = [each for each in resources.order.topic.examples if is_url(each)]
    for example in examples[:MAX_EXAMPLES]:
        try:
            url = canonical(example)
        except MalformedUrlError:
            continue  # reported when the topic is read, as any example that cannot be read
        if resources.archive is None or url not in resources.archive:
            resources.on_progress(f"reading {url}")
            page = resources.page(url)
            if not isinstance(page, FetchFailure):
                documents[example] = page.document
    return documents


def find_seeds(
    topic: Topic,
    sources: Sequence[str] | None = None,
    *,
    providers: Sequence[SearchProvider] = (),
    searxng: str | None = None,
    archive: str | Path | None = None,
    count: int = 20,
    fetch: int = 0,
    options: CrawlOptions | None = None,
    wordnet: str | Path | None = None,
    doing: Callable[[str], None] | None = None,
    report: Callable[[SeedReport], None] | None = None,
) -> list[Proposal]:
    """Return proposals for seeds and example pages, best first, for a person to choose from.

    Parameters
    ----------
    topic : what pages should be about; the sites of its seeds are searched.
    sources : any of ``sitemaps``, ``feeds``, ``searxng``, ``archive``, and the names that
        installed packages add. By default sitemaps and feeds, and what else an address is given
        for.
    providers : search providers of your own to use besides.
    searxng : address of a SearXNG server.
    archive : a WARC file, WACZ file, or a folder of either or of HTML files, to search in.
    count : proposals wanted.
    fetch : how many of the best are fetched and judged by their text. Only those can be proposed
        as example pages.
    options : how requests are made (delay, contact, proxy, ...), and the scope of the crawl:
        what that would not follow is not proposed; see :class:`CrawlOptions`.
    wordnet : a WordNet folder to use instead of the one that is shipped.
    doing : called with what is being done.
    report : called at the end with what each source found, and why the rest is no proposal.

    A source that does not respond is a warning and passed over; where nothing is found the list is
    empty, and ``report`` says whether every source failed.
    """
    check_topic(topic)
    if isinstance(sources, str):
        raise SettingsError(f"sources takes a list of names, not the text {sources!r}.")
    check_path("archive", archive)
    check_number("count", count, whole=True)
    check_number("fetch", fetch, whole=True)
    check_options(options)
    check_path("wordnet", wordnet)
    order = SeedSearchOptions(
        topic=topic,
        sources=tuple(default_sources(topic, searxng, archive) if sources is None else sources),
        count=count,
        fetch=fetch,
        searxng=searxng,
        archive=None if archive is None else Path(archive),
        options=options or CrawlOptions(),
    )
    for advice in scope_advice(topic, order.options):
        warn_caller(advice)
    on_progress = doing or (lambda what: None)
    proposals, summary = _propose(order, on_progress, providers, load_lexicon(wordnet))
    if report is not None:
        report(summary)
    return proposals


def _propose(
    order: SeedSearchOptions,
    on_progress: Callable[[str], None],
    providers: Sequence[SearchProvider],
    wordnet: WordNet | None,
) -> tuple[list[Proposal], SeedReport]:
    """Return the best proposals, best first, and the report on the rest."""
    sources = check_sources(order, len(providers))
    if order.options.pdf:
        require_pdf()
    if order.fetch or order.archive is not None:  # else no page is read
        refuse_judge(order.options.judge, order.topic)
    analyzer = Analyzer(order.topic.language, wordnet, order.topic.keywords)
    scope = ScopeFilter(order.topic, order.options, datetime.now(UTC).year)
    outcomes: list[SourceOutcome] = []
    with ExitStack() as stack:
        resources = SearchResources(order, analyzer, on_progress, stack)
        profile = _profile(resources, wordnet)
        resources.queries = queries_of(profile, analyzer)
        every = [*map(provider_source, providers), *sources]
        results = (each for one in every for each in _search(one, resources, outcomes))
        groups: dict[str, list[SearchResult]] = {}  # of each URL, as they were found
        for each in scope.admitted(results):
            groups.setdefault(each.url, []).append(each)
        name, threshold = order.options.judge, order.options.threshold
        judge = partial(build_judge, name, profile, analyzer, threshold)
        scorer = Scorer(profile, analyzer, judge)
        proposals = ProposalSelection(scorer, resources, scope).proposals(groups.values())
    left_out = {reason: count for reason, count in scope.left_out.items() if count}
    return proposals, SeedReport(tuple(outcomes), left_out)
