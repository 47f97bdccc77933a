"""What a strategy had learnt comes back: its last saved state, and the pages since then.

The state is saved now and then; the pages fetched after that lie in the WARC files and are
learnt again in the same order, as the crawl learnt them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scenthound.core.errors import FolderError
from scenthound.core.model import Candidate, Inlink, Part, Score, Visit
from scenthound.core.protocols import LinkRules, Revising, State
from scenthound.core.scope import DropCount, Scope
from scenthound.core.strategy import Strategy
from scenthound.core.summary import Json
from scenthound.experiments.topic_reading import Warn
from scenthound.live.desk import Desk
from scenthound.live.pages import page_of
from scenthound.store.journal import pages_after
from scenthound.store.warc_reading import read_position


def learnt_state(strategy: Strategy, rules: LinkRules, pages: int) -> State:
    """What to save: the strategy's state, the rules' counts, and how many pages they have seen."""
    return {"pages": pages, "rules": rules.state(), **strategy.state()}


def relearn(
    desk: Desk,
    strategy: Strategy,
    rules: LinkRules,
    scope: Scope,
    max_body: int,
    warn: Warn,
    pdf: bool = False,
    relearnt: Callable[[int], None] = lambda n: None,
) -> int:
    """Bring strategy and rules to where they were at the last commit.

    Parameters
    ----------
    desk : the open folder of the crawl.
    strategy, rules : fresh ones; ``scope`` asks the rules, as in the crawl.
    max_body : bytes of a decoded body that are read.
    warn : gets what is amiss, in words.
    pdf : were PDFs read as pages?
    relearnt : told the number of every page, when it was learnt again.

    Returns how many pages were read again.
    """
    known = _restore(desk, strategy, rules, warn)
    count = 0
    for event in pages_after(desk.folder.journal_path, known):
        visit = _visit(desk, event, max_body, pdf)
        if visit is not None and visit.page.ok and "copy_of" not in event:
            strategy.observe(visit)
            strategy.score(visit, scope.follow(visit.page, DropCount({})))
            if isinstance(strategy.scorer, Revising) and not desk.shares:
                strategy.scorer.revise()  # what waits was valued anew before it was kept
            count += 1
        relearnt(int(str(event["n"])))
    return count


def _restore(desk: Desk, strategy: Strategy, rules: LinkRules, warn: Warn) -> int:
    """The saved state, where there is one; returns how many pages it has seen."""
    if not desk.folder.state_path.exists():
        return 0
    try:
        state = desk.folder.load_state()
    except FolderError as error:
        warn(f"{error} What the strategy had learnt is learnt again from all the pages.")
        return 0
    pages, counts = state.pop("pages", None), state.pop("rules", None)
    if not isinstance(pages, int) or not isinstance(counts, dict):
        raise FolderError(
            f"{desk.folder.state_path} is not the state of a live crawl: take it away, and what "
            "was learnt is learnt again."
        )
    strategy.restore(state)
    rules.restore(counts)
    return pages


def candidate_in(event: Json) -> Candidate:
    """What a page event tells of the candidate, in figures of five decimals."""
    parts, inlinks, redirects = event.get("parts"), event.get("inlinks"), event.get("redirects")
    told = parts.items() if isinstance(parts, dict) else ()
    return Candidate(
        url=str(event["url"]),
        score=Score(
            float(str(event.get("priority") or 0.0)),
            tuple(Part(name, value or 0.0, weight or 0.0) for name, (value, weight) in told),
        ),
        depth=int(str(event["depth"])),
        inlinks=tuple(
            Inlink(source, Score(value or 0.0), anchor)
            for source, value, anchor in (inlinks if isinstance(inlinks, list) else ())
        ),
        linked_from=int(str(event.get("linked_from") or 0)),
        redirects=tuple(map(str, redirects)) if isinstance(redirects, list) else (),
    )


def _visit(desk: Desk, event: Json, max_body: int, pdf: bool) -> Visit | None:
    """The visit that a page event tells of; None for a page that was not stored."""
    n, url = event["n"], str(event["url"])
    assert isinstance(n, int)
    position = desk.ledger.position(n)
    candidate = candidate_in(event) if desk.shares else desk.frontier.candidate(url)
    if position is None or candidate is None:
        return None
    stored = read_position(desk.folder.path, position)
    if stored.body is None:
        return None
    headers = tuple(stored.headers.items())
    page = page_of(url, stored.status, headers, stored.body, stored.at, max_body, pdf=pdf)
    return Visit(candidate, replace(page, redirects=candidate.redirects))
