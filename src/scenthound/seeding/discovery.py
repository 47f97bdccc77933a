"""From a topic to proposals: look everywhere, leave out, score, read the best, choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Briefing, Document
from scenthound.core.urls import canonical
from scenthound.experiments.judges import judge_of, refuse_judge
from scenthound.experiments.topic_reading import read_briefing
from scenthound.lexicon.wordnet import WordNet
from scenthound.live.errands import Unfetched
from scenthound.seeding.admission import Admission
from scenthound.seeding.assessing import Assessment
from scenthound.seeding.found import SearchProvider
from scenthound.seeding.means import Means
from scenthound.seeding.order import Order
from scenthound.seeding.proposal import Proposal, grouped
from scenthound.seeding.report import Report
from scenthound.seeding.scoring import Scorer
from scenthound.seeding.searching import queries_of
from scenthound.seeding.sources import check
from scenthound.seeding.surveying import Survey, places_of
from scenthound.seeding.telling import Teller
from scenthound.text.analyzer import Analyzer
from scenthound.text.pdf import require_pdf
from scenthound.topics.file import is_url

MOST_EXAMPLES = 20
"""Example pages fetched to judge by."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The best proposals, best first, and what became of all the rest."""

    proposals: list[Proposal]
    report: Report


def discover(
    order: Order,
    teller: Teller,
    providers: Sequence[SearchProvider] = (),
    wordnet: WordNet | None = None,
    *,
    year: int,
) -> Discovery:
    """The best proposals for an order; none where nothing was found.

    Parameters
    ----------
    order : where to look, for what, and how much to bring.
    teller : gets what goes on and what is left out.
    providers : search providers to ask besides.
    wordnet : the one that base forms come from; None for the shipped one.
    year : the present year; calendars far from it are traps.

    Raises
    ------
    InputError
        The topic, the archive or the order cannot be used.
    """
    sources = check(order, len(providers))
    if order.options.pdf:
        require_pdf()
    if order.fetch or order.archive is not None:  # else no page is read
        refuse_judge(order.options.judge, order.topic)
    analyzer = Analyzer(order.topic.language, wordnet, order.topic.keywords)
    admission = Admission(order.topic, order.options, year)
    survey = Survey(teller)
    with ExitStack() as resources:
        means = Means(order, analyzer, teller, resources)
        briefing = _briefing(means, wordnet)
        means.queries = queries_of(briefing, analyzer)
        found = survey.found(places_of(providers, sources, means))
        groups = grouped(admission.admitted(found))
        name, threshold = order.options.judge, order.options.threshold
        judge = partial(judge_of, name, briefing, analyzer, threshold, teller.warn)
        scorer = Scorer(briefing, analyzer, judge)
        proposals = Assessment(scorer, means, admission).proposals(groups)
    left_out = {reason: count for reason, count in admission.left_out.items() if count}
    return Discovery(proposals, Report(tuple(survey.outcomes), left_out))


def _briefing(means: Means, wordnet: WordNet | None) -> Briefing:
    """The topic as it is scored by. Example pages count for pages, so only where those are read."""
    order, topic = means.order, means.order.topic
    has_words = any(len(means.analyzer.bag(word)) for word in topic.keywords)
    if not order.fetch and means.archive is None and has_words:
        topic = replace(topic, examples=())
    fetched: Mapping[str, Document] | None = {} if has_words and means.archive is not None else None
    if order.fetch:
        fetched = _examples(means)
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
        page = means.page(url)
        if not isinstance(page, Unfetched):
            documents[example] = page.document
    return documents
