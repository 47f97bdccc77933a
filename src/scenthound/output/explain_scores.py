"""Why a URL has its score and why a page counts as relevant: part by part, link by link, term by
term.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from scenthound.core.command_options import SIMILARITY
from scenthound.core.errors import InputError, ScenthoundWarning
from scenthound.core.model import (
    Candidate,
    Part,
    TopicProfile,
    local_page_number,
    worker_of,
)
from scenthound.crawler.judges import PageJudge, judge_with_concepts, stored_concepts
from scenthound.crawler.topic_reading import read_topic_profile
from scenthound.output.explanation import (
    InlinkScore,
    Priority,
    Relevance,
    Step,
    TermContribution,
    describe_gist,
    describe_parts,
)
from scenthound.output.journal_search import Revision, weights_origin
from scenthound.similarity.judge import Judgement
from scenthound.storage import state
from scenthound.storage.stored_crawl import ArchiveBodies, PageRecord, StoredCrawl
from scenthound.strategies.baselines import Unscored
from scenthound.strategies.catalogue import INLINK_RULES, STRATEGIES, parse_inlink_rule
from scenthound.strategies.spec import StrategySpec
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet import WordNet
from scenthound.text.wordnet_files import load_wordnet

Parts = Sequence[Part]
Pages = Mapping[int, PageRecord]
_SCORE_ROUNDING = 1e-4
"""The journal keeps five decimals of every part."""
_NAMED = "a person named it, as a seed or an example page; such pages come first, in their order"
_GONE = "(not in the journal)"
_ELSEWHERE = "(in the folder of that worker)"


def strategy_spec(strategy: str, inlinks: object = None) -> StrategySpec | None:
    """The strategy of that name; None for one that is nowhere, or cannot be loaded by now.

    ``inlinks`` is how the crawl combined them by its settings; None for those of older folders.
    """
    spec = STRATEGIES.known(strategy)
    if spec is None or inlinks not in INLINK_RULES:
        return spec
    return replace(spec, combination=parse_inlink_rule(str(inlinks)))


def predicts(spec: StrategySpec | None) -> bool:
    """Do the strategy's scores estimate relevance? One of one's own is taken to."""
    return spec is None or bool(getattr(spec.scorer, "predicts", True))


def page_priority(
    record: PageRecord, candidate: Candidate | None, pages: Pages, spec: StrategySpec | None,
    revisions: Sequence[Revision] = (),
) -> Priority:  # fmt: skip
    """The priority of a fetched page: by the journal, with the frontier's parts of each inlink.

    Parameters
    ----------
    record : the page.
    candidate : the frontier's entry for it; None for a replay, which keeps what waits alone.
    pages : by number, to name those that link here.
    spec : of the strategy.
    revisions : weights that the crawl learned, the last first.
    """
    inlinks = _from_frontier(candidate, pages) or tuple(
        _inlink(each.source, each.anchor, each.score, pages) for each in record.inlinks
    )
    named, origin = record.depth == 0, weights_origin(record.parts, revisions, before=record.n)
    found = _priority(record.priority, record.parts, named, record.linked_from, inlinks, spec)
    return replace(found, order=record.chosen or found.order, revised=origin)


def waiting_priority(
    candidate: Candidate,
    pages: Pages,
    spec: StrategySpec | None,
    revisions: Sequence[Revision] = (),
) -> Priority:
    """The priority of a URL in the frontier."""
    score, predicted = candidate.score, predicts(spec) and not candidate.is_seed
    inlinks = _from_frontier(candidate, pages)
    value, named = score.value if predicted else None, candidate.is_seed
    found = _priority(value, score.parts, named, candidate.linked_from, inlinks, spec)
    return replace(found, revised=weights_origin(score.parts, revisions))


def _priority(
    value: float | None,
    parts: Parts,
    named: bool,
    linked_from: int,
    inlinks: tuple[InlinkScore, ...],
    spec: StrategySpec | None,
) -> Priority:
    described = describe_parts(parts, value)
    total = sum(part.contribution for part in described)
    rest = 0.0 if value is None or not described else value - total
    return Priority(
        value=value,
        order=_order(value, named, spec),
        parts=described,
        combination="" if spec is None else spec.combination.value,
        linked_from=linked_from,
        inlinks=inlinks,
        rest=rest if abs(rest) > _SCORE_ROUNDING else 0.0,
        scored=spec is None or spec.scorer is not Unscored,
        gist=describe_gist(described, total if value is None else value),
    )


def _order(value: float | None, named: bool, spec: StrategySpec | None) -> str:
    if named:
        return _NAMED
    if value is not None:
        if spec is None or spec.is_greedy:
            return "the best score first"
        return f"{spec.name}: {spec.summary}"
    if spec is None:
        return "the strategy estimates no relevance"
    return f"{spec.name} estimates no relevance: {spec.summary}"


def _from_frontier(candidate: Candidate | None, pages: Pages) -> tuple[InlinkScore, ...]:
    return tuple(
        _inlink(each.source, each.anchor, each.score.value, pages, each.score.parts)
        for each in (() if candidate is None else candidate.inlinks)
    )


def _inlink(source: int, anchor: str, score: float, pages: Pages, parts: Parts = ()) -> InlinkScore:
    page, url, worker = local_page_number(source), url_of(source, pages), worker_of(source)
    return InlinkScore(page, url, anchor, score, describe_parts(parts), worker)


def url_of(number: int, pages: Pages) -> str:
    """The URL of a page."""
    if number in pages:
        return pages[number].url
    return _ELSEWHERE if worker_of(number) else _GONE


def path_to(record: PageRecord, pages: Pages) -> tuple[Step, ...]:
    """The pages that led to a page, from a seed on, by the best link to each.

    Where another worker has one of them, the way begins with that one.
    """
    steps: list[Step] = []
    here: PageRecord | None = record
    while here is not None:
        best = here.inlinks[0] if here.inlinks else None
        anchor, score = ("", None) if best is None else (best.anchor, best.score)
        steps.append(Step(here.n, here.url, anchor, score, here.redirects))
        if best is not None and worker_of(best.source):
            steps.append(_elsewhere(best.source))
        # A parent has a lower number; the check ends the walk also in a damaged journal.
        here = None if best is None or best.source >= here.n else pages.get(best.source)
    return tuple(reversed(steps))


def _elsewhere(number: int) -> Step:
    return Step(local_page_number(number), _ELSEWHERE, worker=worker_of(number))


def path_to_waiting(candidate: Candidate, pages: Pages) -> tuple[Step, ...]:
    """The pages that led to a URL in the frontier, and that URL."""
    if not candidate.inlinks:
        return (Step(None, candidate.url, redirects=candidate.redirects),)
    best = candidate.inlinks[0]
    last = Step(None, candidate.url, best.anchor, best.score.value, candidate.redirects)
    if worker_of(best.source):
        return (_elsewhere(best.source), last)
    source = pages.get(best.source)
    return (last,) if source is None else (*path_to(source, pages), last)


# Why a page counts as relevant, or not: the judge's similarity, term by term.

_ROUNDING = 1e-5
"""The journal keeps five decimals."""
_EXAMPLE_KEPT = 100
_KEYWORDS = "the keywords"
_DIFFERS = (
    "the journal's value is another one: the topic's pages, WordNet or the program have changed "
    "since, or the page was read in another way"
)


class RelevanceExplainer:
    """Judges pages of a stored crawl again, as the crawl judged them.

    Parameters
    ----------
    stored : the crawl.
    terms : how many of the terms that count most are listed one by one.
    """

    def __init__(self, stored: StoredCrawl, terms: int) -> None:
        self._stored = stored
        self._terms = terms

    def relevance(self, record: PageRecord, original: PageRecord | None) -> Relevance:
        """Of a fetched page; ``original`` is the page whose copy it is, None for none."""
        judgement = self._judgement(record, original)
        shares = () if judgement is None else judgement.terms
        shown = [TermContribution(s.term, s.count, s.contribution) for s in shares[: self._terms]]
        return Relevance(
            similarity=record.similarity,
            threshold=self._stored.threshold,
            relevant=record.relevant,
            recomputed=None if judgement is None else judgement.similarity,
            nearest="" if judgement is None else self._nearest(judgement.nearest),
            terms=tuple(shown),
            rest=sum((share.contribution for share in shares[self._terms :]), 0.0),
            rest_terms=max(0, len(shares) - self._terms),
            note=self._note(record, None if judgement is None else judgement.similarity),
            judge=self._stored.judge,
        )

    def _judgement(self, record: PageRecord, original: PageRecord | None) -> Judgement | None:
        """The page judged again; None where it, or the topic, cannot be read."""
        if not 200 <= record.status < 300:
            return None
        try:
            page = self._stored.bodies.page(record)
            if page is None and original is not None:
                page = self._stored.bodies.page(original)
            return None if page is None else self._judge.judgement(page.document)
        except InputError:
            return None

    def _note(self, record: PageRecord, recomputed: float | None) -> str:
        """What is out of the ordinary; ``recomputed`` is None for a page that cannot be read."""
        if recomputed is None:
            if not 200 <= record.status < 300:
                return "an answer that is no page has no text, so its similarity is 0"
            if record.problem == "noindex":
                return "the page asks not to be kept, so its terms are not known any more"
            return (
                "the stored page or the topic cannot be read any more, so its terms are not known"
            )
        if abs(recomputed - record.similarity) > _ROUNDING:
            return f"{_DIFFERS}."
        if record.relevant or record.similarity < self._stored.threshold:
            return ""
        if record.problem != "noindex" and record.copy_of is None:
            return ""  # as near to the threshold as five decimals tell
        why = "it asks not to be kept" if record.problem == "noindex" else "it is a copy"
        return f"similar enough, but not counted as relevant: {why}"

    def _nearest(self, place: int | None) -> str:
        if place is None:
            return _KEYWORDS if self._stored.judge == SIMILARITY else ""
        examples = self._profile.examples
        written = tuple(dict.fromkeys(self._stored.topic.examples))
        # Where some examples could not be read, it is not known how the topic writes this one.
        name = written[place] if len(written) == len(examples) else ""
        # By its title or its first words, and how the topic writes it where that is a name.
        example = examples[place]
        words = repr((example.title or " ".join(example.text.split()))[:_EXAMPLE_KEPT])
        written_as = f" ({name[:_EXAMPLE_KEPT]})" if len(name.split()) == 1 else ""
        return f"example {place + 1}: {words}{written_as}"

    @cached_property
    def _judge(self) -> PageJudge:
        stored, topic = self._stored, self._stored.topic
        concepts = stored_concepts(stored.folder.path, stored.judge)
        analyzer = Analyzer(topic.language, self._wordnet, topic.keywords)
        return judge_with_concepts(concepts, self._profile, analyzer, stored.threshold)

    @cached_property
    def _profile(self) -> TopicProfile:
        """The topic as the crawl read it: stored in its folder, or in the archive it replayed."""
        stored = state.read_topic_profile(self._stored.folder.path)
        if stored is not None:
            return stored
        bodies = self._stored.bodies
        archive = bodies.archive if isinstance(bodies, ArchiveBodies) else None
        with warnings.catch_warnings():  # the crawl has issued them
            warnings.simplefilter("ignore", ScenthoundWarning)
            return read_topic_profile(self._stored.topic, archive)

    @property
    def _wordnet(self) -> WordNet | None:
        """The one the crawl was given; None, for the shipped one, where it was given none."""
        folder = wordnet_folder(self._stored)
        if folder is None or not folder.is_dir():
            return None
        with warnings.catch_warnings():  # the crawl has issued them
            warnings.simplefilter("ignore", ScenthoundWarning)
            return load_wordnet(folder)


def wordnet_folder(stored: StoredCrawl) -> Path | None:
    """The WordNet folder that a crawl was given, which may be gone; None for the shipped one."""
    source, replayed = stored.order.get("source"), stored.settings.get("wordnet")
    given = source.get("wordnet") if isinstance(source, dict) else None
    if given is None and isinstance(replayed, dict):
        given = replayed.get("origin")
    path = Path(str(given or ""))
    return path if path.is_absolute() else None
