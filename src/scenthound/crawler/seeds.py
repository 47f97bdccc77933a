"""From a topic to proposed seeds: search all sources, filter by scope, score, choose the best.

``find_seeds`` is the function of the API, ``_propose`` the whole search step by step. Its parts
are in ``seed_sources`` (where to look), ``seed_scoring`` and ``seed_selection``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path

from scenthound.core.errors import SettingsError, warn_caller
from scenthound.core.model import Document, Topic, TopicProfile
from scenthound.crawler.argument_checks import (
    check_number,
    check_options,
    check_path,
    check_topic,
    load_lexicon,
)
from scenthound.crawler.judges import build_judge, refuse_judge
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.scope import example_urls, scope_advice
from scenthound.crawler.seed_proposals import Proposal, SeedReport, SourceOutcome
from scenthound.crawler.seed_scoring import Scorer
from scenthound.crawler.seed_search import (
    DEFAULT_COUNT,
    SearchError,
    SearchProvider,
    SearchResources,
    SearchResult,
    SeedSearchOptions,
)
from scenthound.crawler.seed_selection import ProposalSelection, ScopeFilter
from scenthound.crawler.seed_sources import (
    Source,
    check_sources,
    default_sources,
    provider_source,
    queries_of,
)
from scenthound.crawler.topic_reading import read_topic_profile
from scenthound.fetch.fetcher import FetchFailure
from scenthound.text.analyzer import Analyzer
from scenthound.text.pdf import require_pdf
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
    if isinstance(sources, str):
        raise SettingsError(f"sources takes a list of names, not the text {sources!r}.")
    check_path("archive", archive)
    check_number("count", count, whole=True)
    check_number("fetch", fetch, whole=True)
    check_options(options)
    check_path("wordnet", wordnet)
    search = SeedSearchOptions(
        topic=topic,
        sources=tuple(default_sources(topic, searxng, archive) if sources is None else sources),
        count=count,
        fetch=fetch,
        searxng=searxng,
        archive=None if archive is None else Path(archive),
        options=options or CrawlOptions(),
    )
    for advice in scope_advice(topic, search.options):
        warn_caller(advice)
    on_progress = doing or (lambda what: None)
    proposals, summary = _propose(search, on_progress, providers, load_lexicon(wordnet))
    if report is not None:
        report(summary)
    return proposals


def _propose(
    search: SeedSearchOptions,
    on_progress: Callable[[str], None],
    providers: Sequence[SearchProvider],
    wordnet: WordNet | None,
) -> tuple[list[Proposal], SeedReport]:
    """Return the best proposals, best first, and the report on the rest."""
    sources = check_sources(search, len(providers))
    if search.options.pdf:
        require_pdf()
    if search.fetch or search.archive is not None:  # else no page is read
        refuse_judge(search.options.judge, search.topic)
    analyzer = Analyzer(search.topic.language, wordnet, search.topic.keywords)
    scope = ScopeFilter(search.topic, search.options, datetime.now(UTC).year)
    outcomes: list[SourceOutcome] = []
    with ExitStack() as stack:
        resources = SearchResources(search, analyzer, on_progress, stack)
        profile = _profile(resources, wordnet)
        resources.queries = queries_of(profile, analyzer)
        every = [*map(provider_source, providers), *sources]
        results = (each for one in every for each in _search(one, resources, outcomes))
        groups: dict[str, list[SearchResult]] = {}  # of each URL, as they were found
        for each in scope.admitted(results):
            groups.setdefault(each.url, []).append(each)
        name, threshold = search.options.judge, search.options.threshold
        judge = partial(build_judge, name, profile, analyzer, threshold)
        scorer = Scorer(profile, analyzer, judge)
        proposals = ProposalSelection(scorer, resources, scope).proposals(groups.values())
    left_out = {reason: count for reason, count in scope.left_out.items() if count}
    return proposals, SeedReport(tuple(outcomes), left_out)


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
    search, topic, archive = resources.search, resources.search.topic, resources.archive
    has_words = any(len(resources.analyzer.bag(word)) for word in topic.keywords)
    if not search.fetch and archive is None and has_words:
        topic = replace(topic, examples=())
    fetched: Mapping[str, Document] | None = {} if has_words and archive is not None else None
    if search.fetch:
        fetched = _examples(resources)
    return read_topic_profile(topic, archive, wordnet=wordnet, fetched=fetched)


def _examples(resources: SearchResources) -> Mapping[str, Document]:
    """Fetch the example pages that are URLs; returns them by the URL as it is written."""
    documents: dict[str, Document] = {}
    for example, url in islice(example_urls(resources.search.topic).items(), MAX_EXAMPLES):
        if resources.archive is None or url not in resources.archive:
            resources.on_progress(f"reading {url}")
            page = resources.page(url)
            if not isinstance(page, FetchFailure):
                documents[example] = page.document
    return documents
