"""What the add-on knows of its topic, and what it writes on a request: ``meta["scenthound"]`` is
for the author of the spider; ``meta["_scenthound"]`` is the add-on's own. Both travel with the
request: through redirects, retries and the job folder.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler

from scenthound.core.crawl_loop import Strategy
from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.model import (
    Candidate,
    Combination,
    FetchedPage,
    Inlink,
    Link,
    Page,
    Part,
    Rejection,
    Score,
    Topic,
)
from scenthound.core.protocols import Judge, State
from scenthound.core.scope import UrlRules
from scenthound.storage.folder import FolderLock
from scenthound.storage.state import load_state, save_state

META = "scenthound"
OWN_META = "_scenthound"


@dataclass(frozen=True, slots=True)
class Note:
    """What is known of a request before it is sent.

    ``score`` is None for one without a score: a start request, or one from elsewhere than a
    callback. ``source`` is the number of the page that it comes from. ``linked_from`` is how many
    links to it were seen. ``weights`` are those of the ``parts``; one without counts whole.
    """

    score: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    anchor: str = ""
    source: int = 0
    linked_from: int = 0
    weights: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, score: Score, anchor: str, source: int, linked_from: int = 0) -> Note:
        """The note for a request with this score."""
        values = {part.name: part.value for part in score.parts}
        weights = {part.name: part.weight for part in score.parts}
        return cls(score.value, values, anchor, source, linked_from, weights)

    def write(self, request: Request, address: str | None = None) -> None:
        """Put the note on a request, and its address in the frontier where it is handed out.

        All that a callback may read is there from now on, though nothing is judged yet.
        """
        request.meta[META] = {
            "similarity": None,
            "relevant": None,
            "score": self.score,
            "parts": dict(self.parts),
            "anchor": self.anchor,
            "linked_from": self.linked_from,
        }
        own = {"source": self.source, "address": address, "weights": dict(self.weights)}
        request.meta[OWN_META] = own

    def inlink(self) -> Inlink | None:
        """The link that it is for the frontier; None for a request without a score."""
        if self.score is None:
            return None
        return Inlink(self.source, self.with_parts(self.score), self.anchor)

    def with_parts(self, score: float) -> Score:
        """This score, with the parts of the note."""
        pairs = self.parts.items()
        return Score(score, tuple(Part(name, v, self.weights.get(name, 1.0)) for name, v in pairs))


def note_of(request: Request) -> Note:
    """The note on a request; an empty one where there is none, or something else."""
    found, own = _table(request, META), _table(request, OWN_META)
    score = found.get("score")
    return Note(
        float(score) if isinstance(score, int | float) else None,
        dict(found.get("parts") or {}),
        str(found.get("anchor") or ""),
        int(own.get("source") or 0),
        int(found.get("linked_from") or 0),
        dict(own.get("weights") or {}),
    )


def address_of(request: Request) -> str | None:
    """The address under which a request was handed out; None where it was not."""
    address = _table(request, OWN_META).get("address")
    return address if isinstance(address, str) else None


def is_start(request: Request) -> bool:
    """Is it a start request, which Scrapy marks as not to be filtered, at its first try?

    A start page is fetched once, also when the job is resumed. One with a score comes from a page
    that passed its own meta on.
    """
    meta = request.meta
    first_try = not ("redirect_times" in meta or "retry_times" in meta)
    return first_try and bool(meta.get("is_start_request")) and note_of(request).score is None


def write_result(request: Request, similarity: float | None, relevant: bool | None) -> None:
    """Put the judgement of its page on a request; None twice for one that was not judged."""
    if not isinstance(request.meta.get(META), dict):
        Note().write(request, address_of(request))
    request.meta[META] = {**request.meta[META], "similarity": similarity, "relevant": relevant}


def _table(request: Request, name: str) -> dict[str, Any]:
    found: Any = request.meta.get(name)
    return found if isinstance(found, dict) else {}


STATE_FILE = "scenthound.npz"
SAVED_EVERY = 500
"""Pages after which the state is saved, where there is a job folder."""
_LOWEST = -400.0
"""The least score that the scheduler tells from lower ones; see ``_MAX_SCORE`` there."""
Scored = tuple[Score | Rejection, str]
"""The score of a link, and its anchor; empty for a request without a link on the page."""


class Focus:
    """A topic with its judge and its strategy.

    Parameters
    ----------
    topic : for its name, and for the URLs that it excludes.
    strategy, combination : how links are scored, and how several links to a URL count.
    judge : judges pages.
    job : folder where the state is stored; None to lose it at the end. No other process may
        crawl with it until :meth:`close`.

    Raises
    ------
    FolderError
        Another process crawls with the job, it is one of another topic or strategy, or damaged.
    """

    def __init__(
        self,
        topic: Topic,
        strategy: Strategy,
        combination: Combination,
        judge: Judge,
        job: Path | None,
    ) -> None:
        self.topic = topic
        self.strategy = strategy
        self.combination = combination
        self.job = job
        self.pages = 0
        """Pages read so far, over all runs of the job."""
        self.resources = ExitStack()
        """What the strategy uses, until :meth:`close`."""
        self._judge = judge
        self._bounds = UrlRules(exclude=topic.exclude)
        self._lock = None if job is None else FolderLock(job)
        try:
            self._restore()
        except FolderError:
            self.close()
            raise

    def judge(self, candidate: Candidate, page: Page) -> tuple[float, bool]:
        """Judge a page (its similarity, is it relevant?), and let the strategy learn from it."""
        similarity = self._judge.similarity(page.document)
        self.strategy.observe(FetchedPage(candidate, page))
        self.pages += 1
        if self.pages % SAVED_EVERY == 0:
            self.save()
        return similarity, similarity >= self._judge.threshold

    def score(self, candidate: Candidate, page: Page) -> tuple[dict[str, Scored], Scored]:
        """The links of a page by URL, each with its best score, and a link that has no words.

        The last one is for requests that no link of the page leads to: they are worth what the
        page makes of them.
        """
        links: Sequence[Link] = (*page.links, Link(page.url))
        scores = self.strategy.score(FetchedPage(candidate, page), links)
        found: dict[str, Scored] = {}
        for link, score in zip(links[:-1], scores, strict=False):
            score = _finite(score)
            if link.url not in found or _value(score) > _value(found[link.url][0]):
                found[link.url] = score, link.anchor
        return found, (_finite(scores[-1]), "")

    def excludes(self, url: str) -> bool:
        """Does the topic exclude this canonical URL?"""
        return self._bounds.violation(url) is not None

    def save(self) -> None:
        """Save what was learned, where there is a job folder."""
        if self.job is not None:
            state: State = {
                "strategy": self.strategy.name,
                "topic": self.topic.name,
                "pages": self.pages,
                "learnt": self.strategy.state(),  # the key that job folders of version 0.1 have
            }
            save_state(state, self.job / STATE_FILE)

    def close(self) -> None:
        """Leave the job folder and what else is open; a second time does nothing."""
        self.resources.close()
        if self._lock is not None:
            self._lock.release()

    def _restore(self) -> None:
        """Restore what an earlier run of the job has learned."""
        if self.job is None or not (self.job / STATE_FILE).exists():
            return
        path = self.job / STATE_FILE
        unreadable = FolderError(
            f"{path} is damaged, or not what a job has learned: put a whole copy back, or take it "
            "away and the job learns from the start."
        )
        try:
            state = load_state(path)
        except FolderError:  # which repeats numpy's advice, and that is for programmers
            raise unreadable from None
        learned, pages = state.get("learnt"), state.get("pages")
        mine = {"strategy": self.strategy.name, "topic": self.topic.name}
        for what, name in mine.items():
            if state.get(what) != name:
                raise FolderError(
                    f"the job in {self.job} has the {what} {state.get(what)!r}, not {name!r}; "
                    "give that one, or another JOBDIR."
                )
        if not isinstance(learned, dict) or not isinstance(pages, int):
            raise unreadable
        self.strategy.restore(learned)
        self.pages = pages


class Focused:
    """The add-on as scheduler and middleware find it with the crawler: they share its focus."""

    focus: Focus | None = None


def focus_of(crawler: Crawler) -> Focus:
    """The focus of the add-on that a crawler was made with; SettingsError without one."""
    addon = crawler.get_addon(Focused)
    if addon is None or addon.focus is None:
        raise SettingsError("the add-on is not there; name it in ADDONS.")
    return addon.focus


def _finite(score: Score | Rejection) -> Score | Rejection:
    """A score that is no number goes last."""
    if isinstance(score, Rejection) or math.isfinite(score.value):
        return score
    return Score(_LOWEST)


def _value(score: Score | Rejection) -> float:
    return score.value if isinstance(score, Score) else -math.inf
