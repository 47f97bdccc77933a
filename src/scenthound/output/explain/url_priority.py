"""Why a URL was fetched when it was, or still waits: its score part by part, the links that gave it
that score, and the path from a seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scenthound.core.command_options import INLINK_RULES
from scenthound.core.model import Candidate, Part, local_page_number, worker_of
from scenthound.output.explain.explanation import InlinkScore, Priority, Step, WeightsOrigin
from scenthound.output.explain.journal_search import Revision, weights_origin
from scenthound.output.explain.score_parts import describe_gist, describe_parts
from scenthound.storage.stored_crawl import PageRecord
from scenthound.strategies.baselines import Unscored
from scenthound.strategies.catalogue import STRATEGIES, parse_inlink_rule
from scenthound.strategies.spec import StrategySpec

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


def page_priority(
    record: PageRecord,
    candidate: Candidate | None,
    pages: Pages,
    spec: StrategySpec | None,
    revisions: Sequence[Revision],
) -> Priority:
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
    order = record.chosen or _order(record.priority, record.depth == 0, spec)
    origin = weights_origin(record.parts, revisions, before=record.n)
    linked_from = record.linked_from
    return _priority(record.priority, order, record.parts, linked_from, inlinks, origin, spec)


def waiting_priority(
    candidate: Candidate, pages: Pages, spec: StrategySpec | None, revisions: Sequence[Revision]
) -> Priority:
    """The priority of a URL in the frontier."""
    score, inlinks = candidate.score, _from_frontier(candidate, pages)
    # Scores of a strategy that does not say whether they estimate relevance are taken to.
    predicts = spec is None or getattr(spec.scorer, "predicts", True)
    value = score.value if predicts and not candidate.is_seed else None
    order, origin = _order(value, candidate.is_seed, spec), weights_origin(score.parts, revisions)
    return _priority(value, order, score.parts, candidate.linked_from, inlinks, origin, spec)


def _priority(
    value: float | None,
    order: str,
    parts: Parts,
    linked_from: int,
    inlinks: tuple[InlinkScore, ...],
    origin: WeightsOrigin | None,
    spec: StrategySpec | None,
) -> Priority:
    described = describe_parts(parts, value)
    total = sum(part.contribution for part in described)
    rest = 0.0 if value is None or not described else value - total
    return Priority(
        value=value,
        order=order,
        parts=described,
        combination="" if spec is None else spec.combination.value,
        linked_from=linked_from,
        inlinks=inlinks,
        rest=rest if abs(rest) > _SCORE_ROUNDING else 0.0,
        scored=spec is None or spec.scorer is not Unscored,
        revised=origin,
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
