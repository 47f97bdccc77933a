"""The learned state of a strategy after a resume: the saved state is restored, and the pages that
came after it are learned from again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scenthound.core.crawl import Strategy
from scenthound.core.errors import FolderError, warn_caller
from scenthound.core.events import Json
from scenthound.core.model import Candidate, FetchedPage, Inlink, Part, Score
from scenthound.core.protocols import SupportsRevision
from scenthound.core.scope import DropCount, LiveLinkRules, Scope
from scenthound.crawler.checkpoint import CrawlStorage
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.storage.journal import pages_after
from scenthound.storage.pages import page_of
from scenthound.storage.warc_reader import read_response


def relearn(
    storage: CrawlStorage,
    strategy: Strategy,
    rules: LiveLinkRules,
    scope: Scope,
    max_body: int,
    pdf: bool = False,
    relearned: Callable[[int], None] | None = None,
) -> int:
    """Bring a fresh strategy and fresh rules to where they were at the last commit.

    Parameters
    ----------
    storage : the open folder of the crawl.
    strategy, rules : to restore.
    scope : asks the rules, as in the crawl.
    max_body : bytes of a decoded body that are read.
    pdf : were PDFs read as pages?
    relearned : gets the number of every page, when it was learned again.

    Returns how many pages were read again.
    """
    known = _restore(storage, strategy, rules)
    count = 0
    for event in pages_after(storage.folder.journal_path, known):
        fetched = _stored_page(storage, event, max_body, pdf)
        # As in Crawl.observe: neither errors nor copies teach the strategy anything.
        if fetched is not None and fetched.page.ok and "copy_of" not in event:
            strategy.observe(fetched)
            # The scores are dropped, but both calls have side effects: some scorers learn from the
            # links that they score, and follow() counts the dates of calendars, which are traps.
            strategy.score(fetched, scope.follow(fetched.page, DropCount({})))
            if isinstance(strategy.scorer, SupportsRevision) and not storage.shares:
                strategy.scorer.revise()  # what waits was rescored before it was stored
            count += 1
        if relearned is not None:
            relearned(int(str(event["n"])))
    return count


def _restore(storage: CrawlStorage, strategy: Strategy, rules: LiveLinkRules) -> int:
    """Restore the saved state, where there is one; returns how many pages it has seen."""
    if not storage.folder.state_path.exists():
        return 0
    try:
        state = storage.folder.load_state()
    except FolderError as error:
        warn_caller(f"{error} What the strategy had learned is learned again from all the pages.")
        return 0
    pages, counts = state.pop("pages", None), state.pop("rules", None)
    if not isinstance(pages, int) or not isinstance(counts, dict):
        raise FolderError(
            f"{storage.folder.state_path} is not the state of a live crawl: take it away, and what "
            "was learned is learned again."
        )
    strategy.restore(state)
    rules.restore(counts)
    return pages


def candidate_in(event: dict[str, Any]) -> Candidate:
    """Return the candidate of a page event, in figures of five decimals."""
    parts = event.get("parts", {}).items()
    return Candidate(
        url=event["url"],
        score=Score(
            event.get("priority") or 0.0,
            tuple(Part(name, value or 0.0, weight or 0.0) for name, (value, weight) in parts),
        ),
        depth=event["depth"],
        inlinks=tuple(
            Inlink(source, Score(value or 0.0), anchor)
            for source, value, anchor in event.get("inlinks", ())
        ),
        linked_from=event.get("linked_from", 0),
        redirects=tuple(event.get("redirects", ())),
    )


def _stored_page(
    storage: CrawlStorage, event: Json, max_body: int, pdf: bool
) -> FetchedPage | None:
    """Return the fetched page of a page event; None for a page that was not stored."""
    n, url = event["n"], str(event["url"])
    assert isinstance(n, int)
    position = storage.ledger.position(n)
    # A server keeps little more than the name of a closed URL; the journal has its evidence.
    frontier = storage.frontier
    candidate = (
        frontier.candidate(url) if isinstance(frontier, SqliteFrontier) else candidate_in(event)
    )
    if position is None or candidate is None:
        return None
    stored = read_response(storage.folder.path, position)
    if stored.body is None:
        return None
    headers = tuple(stored.headers.items())
    page = page_of(url, stored.status, headers, stored.body, stored.at, max_body, pdf=pdf)
    return FetchedPage(candidate, replace(page, redirects=candidate.redirects))
