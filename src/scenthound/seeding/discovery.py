"""From a topic to proposals: look everywhere, put together, score, fetch the best, choose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Briefing, Document
from scenthound.core.urls import canonical
from scenthound.experiments.topic_reading import read_briefing
from scenthound.lexicon.wordnet import WordNet
from scenthound.live.errands import Unfetched
from scenthound.live.scoping import bounds_of, named_urls
from scenthound.seeding.found import Finder, Found, SearchError, SearchProvider
from scenthound.seeding.means import Means
from scenthound.seeding.order import Order
from scenthound.seeding.proposal import Proposal, chosen, grouped
from scenthound.seeding.scoring import Scorer
from scenthound.seeding.searching import queries_of
from scenthound.seeding.sources import Source, check, searching
from scenthound.seeding.telling import Teller
from scenthound.text.analyzer import Analyzer
from scenthound.topics.file import is_url

MOST_EXAMPLES = 20
"""Example pages fetched to judge by."""


def discover(
    order: Order,
    teller: Teller,
    providers: Sequence[SearchProvider] = (),
    wordnet: WordNet | None = None,
) -> list[Proposal]:
    """The best proposals for an order, best first; none where nothing was found.

    Parameters
    ----------
    order : where to look, for what, and how much to bring.
    teller : gets what goes on and what is left out.
    providers : search providers to ask besides.
    wordnet : the one that base forms come from; None for the shipped one.

    Raises
    ------
    InputError
        The topic, the archive or the order cannot be used.
    """
    sources = check(order, len(providers))
    analyzer = Analyzer(order.topic.language, wordnet, order.topic.keywords)
    with ExitStack() as resources:
        means = Means(order, analyzer, teller, resources)
        briefing = _briefing(means, wordnet)
        means.queries = queries_of(briefing, analyzer)
        finders = [
            *(searching(provider, means) for provider in providers),
            *_made(sources, means),
        ]
        scorer = Scorer(briefing, analyzer)
        groups = grouped(_found(finders, teller))
        teller.doing("scoring")
        proposals = scorer.by_title(_new(groups, order))
        return _fetched_and_chosen(proposals, scorer, means)


def _made(sources: Iterable[Source], means: Means) -> Iterator[Finder]:
    for source in sources:
        try:
            yield source.make(means)
        except SearchError as error:
            means.teller.warn(f"{error}; the search goes on without it")


def _briefing(means: Means, wordnet: WordNet | None) -> Briefing:
    """The topic as it is scored by. Example pages count for pages, so only where those are read."""
    order, topic = means.order, means.order.topic
    has_words = any(len(means.analyzer.bag(word)) for word in topic.keywords)
    if not order.fetch and has_words:
        topic = replace(topic, examples=())
    fetched = _examples(means) if order.fetch else None
    return read_briefing(topic, means.archive, means.teller.warn, wordnet=wordnet, fetched=fetched)


def _examples(means: Means) -> Mapping[str, Document]:
    """The example pages that are addresses, fetched, by the address as it is given."""
    documents: dict[str, Document] = {}
    for example in [each for each in means.order.topic.examples if is_url(each)][:MOST_EXAMPLES]:
        try:
            url = canonical(example)
        except MalformedUrlError:
            continue  # told by the reading of the topic, as any example that cannot be read
        if means.archive is not None and url in means.archive:
            continue
        means.teller.doing(f"reading {url}")
        answer = means.errands.page(url)
        if not isinstance(answer, Unfetched) and answer.page is not None:
            documents[example] = answer.page.document
    return documents


def _found(finders: Iterable[Finder], teller: Teller) -> Iterator[Found]:
    """All that is found; a place that cannot be asked is told and passed over."""
    for finder in finders:
        try:
            yield from finder.find()
        except SearchError as error:
            teller.warn(f"{error}; the search goes on without it")


def _new(groups: Iterable[Sequence[Found]], order: Order) -> Iterator[Sequence[Found]]:
    """Those that the topic neither has already nor leaves out."""
    bounds = bounds_of(order.topic, order.options)
    known = set(named_urls(order.topic))
    for group in groups:
        if group[0].url not in known and bounds.denial(group[0].url) is None:
            yield group


def _fetched_and_chosen(
    proposals: Sequence[Proposal], scorer: Scorer, means: Means
) -> list[Proposal]:
    """The best are fetched and judged; what they turn out not to be is told, not proposed."""
    order, teller = means.order, means.teller
    best = chosen(proposals, order.fetch)
    judged: dict[str, Proposal] = {}
    unfetched, poor = [], 0
    for number, proposal in enumerate(best, start=1):
        teller.doing(f"reading {number} of {len(best)}: {proposal.url}")
        answer = means.errands.page(proposal.url)
        if isinstance(answer, Unfetched):
            unfetched.append(answer)
            continue
        assert answer.page is not None
        found = scorer.by_text(proposal, answer.page)
        if found is None:
            poor += 1
        else:
            judged.setdefault(found.url, found)
    _tell(unfetched, poor, len(best), teller)
    tried = {proposal.url for proposal in best}
    others = [each for each in proposals if each.url not in tried and each.url not in judged]
    return chosen([*judged.values(), *others], order.count)


def _tell(unfetched: Sequence[Unfetched], poor: int, tried: int, teller: Teller) -> None:
    if unfetched:
        first = unfetched[0]
        teller.warn(
            f"{len(unfetched)} of {tried} pages cannot be fetched and are left out, "
            f"e.g. {first.url} ({first.reason})"
        )
    if poor:
        teller.warn(f"{poor} of {tried} pages are not about the topic and are left out")
