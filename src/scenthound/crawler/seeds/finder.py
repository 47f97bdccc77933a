"""From a topic to proposed seeds: ask all sources, filter by scope, score, choose the best.

Where to look is in ``sources`` and ``sitemaps``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import islice
from pathlib import Path

import numpy as np

from scenthound.core.command_options import ONTOLOGY
from scenthound.core.errors import SettingsError, warn_caller
from scenthound.core.model import Document, Page, Topic, TopicProfile
from scenthound.core.protocols import Judge
from scenthound.core.urls import url_words
from scenthound.crawler.argument_checks import check_options, check_topic, load_lexicon
from scenthound.crawler.judges import build_judge
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.scope import ScopeTrial, example_urls, named_urls, scope_advice
from scenthound.crawler.seeds.proposals import (
    ALREADY_IN_TOPIC,
    NO_TOPIC_WORD,
    OFF_TOPIC,
    OVER_LIMIT,
    Basis,
    Kind,
    Proposal,
    SeedReport,
    SourceOutcome,
    best,
)
from scenthound.crawler.seeds.search import (
    DEFAULT_COUNT,
    LONGEST_TITLE,
    SearchError,
    SearchProvider,
    SearchResources,
    SearchResult,
    SeedOptions,
)
from scenthound.crawler.seeds.sources import (
    ARCHIVE,
    Find,
    chosen_sources,
    provider_sources,
    queries_of,
)
from scenthound.crawler.topics.reading import read_topic_profile
from scenthound.fetch.fetcher import FetchFailure
from scenthound.fetch.robots import BY_ROBOTS
from scenthound.papers.olmoaco.topic_ontology import check_topic_ontology
from scenthound.similarity.judge import SimilarityJudge
from scenthound.similarity.text_models import keyword_text
from scenthound.similarity.topic_senses import topic_terms
from scenthound.text.analyzer import Analyzer
from scenthound.text.pdf import require_pdf
from scenthound.text.terms import words
from scenthound.text.wordnet import WordNet

MAX_EXAMPLES = 20
"""Example pages fetched to judge by."""


def find_seeds(
    topic: Topic,
    sources: Sequence[str] | None = None,
    *,
    providers: Sequence[SearchProvider] = (),
    searxng: str | None = None,
    archive: str | Path | None = None,
    count: int = DEFAULT_COUNT,
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
    check_options(options)
    search = SeedOptions.from_arguments(
        sources=sources, searxng=searxng, archive=archive, count=count, fetch=fetch, wordnet=wordnet
    )
    options = options or CrawlOptions()
    asked = [*provider_sources(providers), *chosen_sources(search, topic)]
    if not asked:
        raise SettingsError(
            f"there is nowhere to look: {topic} has no seeds; give --searxng or --archive."
        )
    if options.pdf:
        require_pdf()
    reads_pages = bool(search.fetch) or search.archive is not None
    if reads_pages and options.judge == ONTOLOGY:
        check_topic_ontology(topic)
    for advice in scope_advice(topic, options):
        warn_caller(advice)
    lexicon = load_lexicon(search.wordnet)
    analyzer = Analyzer(topic.language, lexicon, topic.keywords)
    scope = ScopeFilter(topic, options)
    with ExitStack() as stack:
        on_progress = doing or (lambda what: None)
        resources = SearchResources(topic, search, options, on_progress, stack)
        profile = _profile(resources, analyzer, lexicon)
        resources.queries = queries_of(profile, analyzer)
        groups: dict[str, list[SearchResult]] = {}  # of each URL, as they were found
        outcomes = [_outcome(name, find, resources, scope, groups) for name, find in asked]
        judge = partial(build_judge, options.judge, profile, analyzer, options.threshold)
        scorer = Scorer(profile, analyzer, judge)
        proposals = _propose(list(groups.values()), scorer, resources, scope)
    if report is not None:
        report(SeedReport(outcomes, {reason: n for reason, n in scope.left_out.items() if n}))
    return proposals


def _outcome(
    name: str,
    find: Find,
    resources: SearchResources,
    scope: ScopeFilter,
    groups: dict[str, list[SearchResult]],
) -> SourceOutcome:
    """Add what a source finds to the groups; a failure is a warning, and what came is kept."""
    urls: set[str] = set()
    failure = ""
    try:
        for each in find(resources):
            urls.add(each.url)
            url = scope.admit(each.url)
            if url is not None:
                groups.setdefault(url, []).append(replace(each, url=url))
    except SearchError as error:
        failure = str(error)
        warn_caller(f"{failure}; the search goes on with {len(urls)} URLs of {name}")
    return SourceOutcome(name, len(urls), failure)


def _propose(
    groups: Sequence[Sequence[SearchResult]],
    scorer: Scorer,
    resources: SearchResources,
    scope: ScopeFilter,
) -> list[Proposal]:
    """Return the best proposals for URLs, each with all its results.

    Pages of the archive are scored by their text. Of the others the best are fetched and scored
    by theirs, as many as the options say.
    """
    search, left_out = resources.search, scope.left_out
    resources.on_progress("scoring")
    archived, titled = list[Proposal](), list[Proposal]()
    for group in groups:
        proposal = scorer.by_title(group)
        if any(each.source == ARCHIVE for each in group):
            archived.append(proposal or Proposal(group[0].url, sources=(ARCHIVE,)))
        elif proposal is None:
            left_out[NO_TOPIC_WORD] += 1
        elif resources.forbids(proposal.url):
            left_out[BY_ROBOTS] += 1
        else:
            titled.append(proposal)
    to_read = {each.url: each for each in (*archived, *best(titled, search.fetch))}
    judged: dict[str, Proposal] = {}
    for url, proposal in to_read.items():
        page = resources.page(url)
        if isinstance(page, FetchFailure):
            left_out[page.reason] += 1
        elif page.url == url or scope.admit(page.url) is not None:  # else it is counted there
            found = scorer.by_text(proposal, page)
            if found is None:
                left_out[OFF_TOPIC] += 1
            else:
                judged.setdefault(found.url, found)
    rest = [each for each in titled if each.url not in to_read and each.url not in judged]
    proposals = best([*judged.values(), *rest], search.count)
    left_out[OVER_LIMIT] += len(judged) + len(rest) - len(proposals)
    return proposals


def _profile(
    resources: SearchResources, analyzer: Analyzer, wordnet: WordNet | None
) -> TopicProfile:
    """Read the topic to score by. Example pages count only where pages are read."""
    topic, archive, fetch = resources.topic, resources.archive, resources.search.fetch
    has_words = any(len(analyzer.bag(word)) for word in topic.keywords)
    if has_words and not fetch and archive is None:
        topic = replace(topic, examples=())
    fetched = {} if has_words and not fetch else _examples(resources)
    return read_topic_profile(topic, archive, wordnet=wordnet, fetched=fetched)


def _examples(resources: SearchResources) -> Mapping[str, Document]:
    """Fetch the example pages that are URLs; returns them by the URL as it is written."""
    documents: dict[str, Document] = {}
    for example, url in islice(example_urls(resources.topic).items(), MAX_EXAMPLES):
        if resources.archive is None or url not in resources.archive:
            page = resources.page(url)
            if not isinstance(page, FetchFailure):
                documents[example] = page.document
    return documents


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
