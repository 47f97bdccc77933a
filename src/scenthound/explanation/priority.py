"""Why a URL came when it came: its score, part by part and link by link, and the way to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scenthound.core.model import Candidate, Part
from scenthound.core.page_numbers import page_in, worker_of
from scenthound.corpus.record import PageRecord, Reference
from scenthound.explanation.evidence_told import gist, parts_told
from scenthound.explanation.model import InlinkTold, Priority, Step
from scenthound.explanation.revisions import Revision, revised
from scenthound.strategies.given_inlinks import INLINKS, inlinks_named
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.installed import STRATEGIES
from scenthound.strategies.unscored import Unscored

Parts = Sequence[Part]
Pages = Mapping[int, PageRecord]
_ROUNDING = 1e-4
"""The journal keeps five decimals of every part."""
_NAMED = "a person named it, as a seed or an example page; such pages come first, in their order"
_GONE = "(not in the journal)"
_ELSEWHERE = "(in the folder of that worker)"


def recipe_of(strategy: str, inlinks: object = None) -> Recipe | None:
    """The recipe of that name; None for one that is nowhere, or cannot be loaded by now.

    ``inlinks`` is how the crawl combined them by its settings; None for those of older folders.
    """
    recipe = STRATEGIES.known(strategy)
    if recipe is None or inlinks not in INLINKS:
        return recipe
    return replace(recipe, combination=inlinks_named(str(inlinks)))


def predicts(recipe: Recipe | None) -> bool:
    """Do the strategy's scores estimate relevance? One of one's own is taken to."""
    return recipe is None or bool(getattr(recipe.scorer, "predicts", True))


def page_priority(
    record: PageRecord, candidate: Candidate | None, pages: Pages, recipe: Recipe | None,
    revisions: Sequence[Revision] = (),
) -> Priority:  # fmt: skip
    """The priority of a fetched page: by the journal, with the frontier's parts of each inlink.

    Parameters
    ----------
    record : the page.
    candidate : the frontier's entry for it; None for a replay, which keeps what waits alone.
    pages : by number, to name those that link here.
    recipe : of the strategy.
    revisions : weights that the crawl learnt, the last first.
    """
    inlinks = _from_frontier(candidate, pages) or _from_journal(record.inlinks, pages)
    named = record.depth == 0
    told = _priority(record.priority, record.parts, named, record.linked_from, inlinks, recipe)
    order = record.chosen or told.order
    return replace(told, order=order, revised=revised(record.parts, revisions, before=record.n))


def waiting_priority(
    candidate: Candidate, pages: Pages, recipe: Recipe | None, revisions: Sequence[Revision] = ()
) -> Priority:
    """The priority of a URL in the frontier."""
    score, predicted = candidate.score, predicts(recipe) and not candidate.is_seed
    inlinks = _from_frontier(candidate, pages)
    value = score.value if predicted else None
    named = candidate.is_seed
    told = _priority(value, score.parts, named, candidate.linked_from, inlinks, recipe)
    return replace(told, revised=revised(score.parts, revisions))


def _priority(
    value: float | None,
    parts: Parts,
    named: bool,
    linked_from: int,
    inlinks: tuple[InlinkTold, ...],
    recipe: Recipe | None,
) -> Priority:
    told = parts_told(parts, value)
    total = sum(part.contribution for part in told)
    rest = 0.0 if value is None or not told else value - total
    return Priority(
        value=value,
        order=_order(value, named, recipe),
        parts=told,
        combination="" if recipe is None else recipe.combination.value,
        linked_from=linked_from,
        inlinks=inlinks,
        rest=rest if abs(rest) > _ROUNDING else 0.0,
        scored=recipe is None or recipe.scorer is not Unscored,
        gist=gist(told, total if value is None else value),
    )


def _order(value: float | None, named: bool, recipe: Recipe | None) -> str:
    if named:
        return _NAMED
    if value is not None:
        if recipe is None or recipe.is_greedy:
            return "the best score first"
        return f"{recipe.name}: {recipe.summary}"
    if recipe is None:
        return "the strategy estimates no relevance"
    return f"{recipe.name} estimates no relevance: {recipe.summary}"


def _from_frontier(candidate: Candidate | None, pages: Pages) -> tuple[InlinkTold, ...]:
    if candidate is None:
        return ()
    return tuple(
        InlinkTold(
            page_in(each.source),
            url_of(each.source, pages),
            each.anchor,
            each.score.value,
            parts_told(each.score.parts),
            worker_of(each.source),
        )
        for each in candidate.inlinks
    )


def _from_journal(inlinks: Sequence[Reference], pages: Pages) -> tuple[InlinkTold, ...]:
    return tuple(
        InlinkTold(
            page_in(each.source),
            url_of(each.source, pages),
            each.anchor,
            each.score,
            worker=worker_of(each.source),
        )
        for each in inlinks
    )


def url_of(number: int, pages: Pages) -> str:
    """The URL of a page."""
    if number in pages:
        return pages[number].url
    return _ELSEWHERE if worker_of(number) else _GONE


def way_to(record: PageRecord, pages: Pages) -> tuple[Step, ...]:
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
        here = None if best is None or best.source >= here.n else pages.get(best.source)
    return tuple(reversed(steps))


def _elsewhere(number: int) -> Step:
    return Step(page_in(number), _ELSEWHERE, worker=worker_of(number))


def way_to_waiting(candidate: Candidate, pages: Pages) -> tuple[Step, ...]:
    """The pages that led to a URL in the frontier, and that URL."""
    if not candidate.inlinks:
        return (Step(None, candidate.url, redirects=candidate.redirects),)
    best = candidate.inlinks[0]
    last = Step(None, candidate.url, best.anchor, best.score.value, candidate.redirects)
    if worker_of(best.source):
        return (_elsewhere(best.source), last)
    source = pages.get(best.source)
    return (last,) if source is None else (*way_to(source, pages), last)
