"""From a topic to proposed seeds: search everywhere, filter, score, read the best, choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from scenthound.core.errors import MalformedUrlError, SettingsError, warn_caller
from scenthound.core.model import Document, Topic, TopicProfile
from scenthound.core.urls import canonical
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
from scenthound.crawler.search_providers import ARCHIVE, queries_of
from scenthound.crawler.seed_proposals import (
    ALREADY_IN_TOPIC,
    NO_TOPIC_WORD,
    NOT_FETCHED,
    OFF_TOPIC,
    OVER_LIMIT,
    Kind,
    Proposal,
    SeedReport,
    SourceOutcome,
    chosen,
    grouped,
    spread,
)
from scenthound.crawler.seed_scoring import Scorer, proposal_of
from scenthound.crawler.seed_search import (
    ProgressReporter,
    SearchError,
    SearchProvider,
    SearchResources,
    SearchResult,
    SeedSearchOptions,
)
from scenthound.crawler.seed_sources import Source, check_sources, default_sources, provider_source
from scenthound.crawler.topic_reading import Warn, read_topic_profile
from scenthound.fetch.fetcher import FetchFailure
from scenthound.fetch.robots import BY_ROBOTS
from scenthound.similarity.topic_file import is_url
from scenthound.text.analyzer import Analyzer
from scenthound.text.pdf import require_pdf
from scenthound.text.wordnet import WordNet


class ScopeFilter:
    """Lets through what a crawl with this topic and these options would follow.

    What the topic names already is no news.

    Parameters
    ----------
    topic, options : of the crawl.
    year : the present year; calendars far from it are traps.
    """

    def __init__(self, topic: Topic, options: CrawlOptions, year: int) -> None:
        self._known = frozenset(named_urls(topic))
        self._trial = ScopeTrial(topic, options, year)
        self._decided: dict[str, str | None] = {}
        self.left_out: Counter[str] = Counter()
        """How many URLs are left out, by reason."""

    def admitted(self, results: Iterable[SearchResult]) -> Iterator[SearchResult]:
        """Those that would be followed, under the URL that would be requested."""
        for each in results:
            url = self.admit(each.url)
            if url is not None:
                yield each if url == each.url else replace(each, url=url)

    def admit(self, url: str) -> str | None:
        """The URL as it would be requested; None where it would not be, which is counted once."""
        if url not in self._decided:  # calendars are counted, so nothing is tried twice
            self._decided[url] = self._decide(url)
        return self._decided[url]

    def _decide(self, url: str) -> str | None:
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

    Parameters
    ----------
    scorer : scores.
    resources : read pages.
    scope : has decided which URLs may be proposed, and counts the others.
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
        """The best of all, best first."""
        order, left_out = self._resources.order, self._scope.left_out
        self._resources.reporter.doing("scoring")
        archived: list[Group] = []
        others: list[Group] = []
        for group in groups:
            (archived if self._is_archived(group) else others).append(group)
        # Without --fetch these are proposed like pages that are not read.
        unscored = [proposal_of(group, 0.0) for group in archived]
        self._read(unscored, None if order.fetch else Kind.SEED)
        titled = self._by_title(others)
        self._read(chosen(titled, order.fetch), None)
        self._report()
        rest = [each for each in titled if each.url not in {*self._tried, *self._judged}]
        candidates = [*self._judged.values(), *rest]
        best = (chosen if order.fetch else spread)(candidates, order.count)
        left_out[OVER_LIMIT] += len(candidates) - len(best)
        return best

    def _is_archived(self, group: Group) -> bool:
        """Is it a result of the search in the archive, and stored there?"""
        archive = self._resources.archive
        found = any(each.source == ARCHIVE for each in group)
        return found and archive is not None and group[0].url in archive

    def _by_title(self, groups: Sequence[Group]) -> list[Proposal]:
        """Scored by title and snippet; what a robots.txt that was read forbids is left out."""
        scored = self._scorer.by_title(groups)
        allowed = [each for each in scored if not self._resources.forbids(each.url)]
        self._scope.left_out[NO_TOPIC_WORD] += len(groups) - len(scored)
        self._scope.left_out[BY_ROBOTS] += len(scored) - len(allowed)
        return allowed

    def _read(self, proposals: Sequence[Proposal], otherwise: Kind | None) -> None:
        """Read and judge each; ``otherwise`` is the kind of a page that is no seed or example."""
        for number, proposal in enumerate(proposals, start=1):
            self._resources.reporter.doing(f"reading {number} of {len(proposals)}: {proposal.url}")
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
        tried, failed, off_topic = len(self._tried), len(self._unfetched), self._off_topic
        warn = self._resources.reporter.warn
        self._scope.left_out[NOT_FETCHED] += failed
        self._scope.left_out[OFF_TOPIC] += off_topic
        if failed:
            first = self._unfetched[0]
            warn(
                f"{_share(failed, tried)} cannot be fetched and {_is(failed)} left out, "
                f"e.g. {first.url} ({first.reason})"
            )
        if off_topic:
            warn(f"{_share(off_topic, tried)} {_is(off_topic)} not about the topic and left out")


def _share(count: int, total: int) -> str:
    return f"{count} of {total} page{'' if total == 1 else 's'}"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


MAX_EXAMPLES = 20
"""Example pages fetched to judge by."""


def _search(
    source: Source, resources: SearchResources, outcomes: list[SourceOutcome]
) -> Iterator[SearchResult]:
    """The results of a source; a failure is reported, and the next source follows."""
    urls: set[str] = set()
    failure = ""
    try:
        for each in source.find(resources):
            urls.add(each.url)
            yield each
    except SearchError as error:
        failure = str(error)
        rest = "what it found is kept" if urls else "the search goes on without it"
        resources.reporter.warn(f"{failure}; {rest}")
    outcomes.append(SourceOutcome(source.name, len(urls), failure))


def _profile(resources: SearchResources, wordnet: WordNet | None) -> TopicProfile:
    """The topic to score by. Example pages count for pages, so only where those are read."""
    order, topic, archive = resources.order, resources.order.topic, resources.archive
    has_words = any(len(resources.analyzer.bag(word)) for word in topic.keywords)
    if not order.fetch and archive is None and has_words:
        topic = replace(topic, examples=())
    fetched: Mapping[str, Document] | None = {} if has_words and archive is not None else None
    if order.fetch:
        fetched = _examples(resources)
    return read_topic_profile(
        topic, archive, resources.reporter.warn, wordnet=wordnet, fetched=fetched
    )


def _examples(resources: SearchResources) -> Mapping[str, Document]:
    """The example pages that are URLs, fetched, by the URL as it is written."""
    documents: dict[str, Document] = {}
    examples = [each for each in resources.order.topic.examples if is_url(each)]
    for example in examples[:MAX_EXAMPLES]:
        try:
            url = canonical(example)
        except MalformedUrlError:
            continue  # reported when the topic is read, as any example that cannot be read
        if resources.archive is None or url not in resources.archive:
            resources.reporter.doing(f"reading {url}")
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
    warn: Warn | None = None,
    report: Callable[[SeedReport], None] | None = None,
) -> list[Proposal]:
    """Proposals for seeds and example pages, best first, for a person to choose from.

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
    doing : called with what is being done, in words.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.
    report : called at the end with what each source found, and why the rest is no proposal.

    A source that does not respond is reported through ``warn`` and passed over; where nothing is
    found the list is empty, and ``report`` says whether every source failed.
    """
    check_topic(topic)
    if isinstance(sources, str):
        raise SettingsError(f"sources takes a list of names, not the text {sources!r}.")
    check_path("archive", archive)
    check_number("count", count, whole=True)
    check_number("fetch", fetch, whole=True)
    check_options(options)
    check_path("wordnet", wordnet)
    warn = warn or warn_caller
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
        warn(advice)
    reporter = ProgressReporter(warn, doing or (lambda what: None))
    proposals, summary = _propose(order, reporter, providers, load_lexicon(wordnet, warn))
    if report is not None:
        report(summary)
    return proposals


def _propose(
    order: SeedSearchOptions,
    reporter: ProgressReporter,
    providers: Sequence[SearchProvider],
    wordnet: WordNet | None,
) -> tuple[list[Proposal], SeedReport]:
    """The best proposals, best first, and what became of the rest."""
    sources = check_sources(order, len(providers))
    if order.options.pdf:
        require_pdf()
    if order.fetch or order.archive is not None:  # else no page is read
        refuse_judge(order.options.judge, order.topic)
    analyzer = Analyzer(order.topic.language, wordnet, order.topic.keywords)
    scope = ScopeFilter(order.topic, order.options, datetime.now(UTC).year)
    outcomes: list[SourceOutcome] = []
    with ExitStack() as stack:
        resources = SearchResources(order, analyzer, reporter, stack)
        profile = _profile(resources, wordnet)
        resources.queries = queries_of(profile, analyzer)
        every = [*map(provider_source, providers), *sources]
        results = (each for one in every for each in _search(one, resources, outcomes))
        groups = grouped(scope.admitted(results))
        name, threshold = order.options.judge, order.options.threshold
        judge = partial(build_judge, name, profile, analyzer, threshold, reporter.warn)
        scorer = Scorer(profile, analyzer, judge)
        proposals = ProposalSelection(scorer, resources, scope).proposals(groups)
    left_out = {reason: count for reason, count in scope.left_out.items() if count}
    return proposals, SeedReport(tuple(outcomes), left_out)
