"""What the Scrapy add-on knows of its topic: the judge, the strategy, and what was learnt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from scrapy.crawler import Crawler

from scenthound.core.bounds import Bounds
from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.model import Candidate, Link, Page, Refusal, Score, Topic, Visit
from scenthound.core.protocols import Judge, State
from scenthound.core.strategy import Strategy
from scenthound.frontier.combination import Combination
from scenthound.store.lock import FolderLock
from scenthound.store.state import load_state, save_state

STATE_FILE = "scenthound.npz"
SAVED_EVERY = 500
"""Pages after which what was learnt is saved, where there is a job folder."""
_LOWEST = -400.0


@dataclass(frozen=True, slots=True)
class Judged:
    """How similar a page is to the topic, and whether that is enough."""

    similarity: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class Scored:
    """What a link is worth and where it stood; ``anchor`` is empty for none on the page."""

    score: Score | Refusal
    anchor: str = ""


class Focus:
    """A topic with its judge and its strategy.

    Parameters
    ----------
    topic : for its name, and for the URLs that it excludes.
    strategy, combination : how links are scored, and how several links to a URL count.
    judge : says what a page is worth.
    job : folder where what was learnt is kept; None to forget it at the end. Nobody else may
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
        self._bounds = Bounds(exclude=topic.exclude)
        self._lock = None if job is None else FolderLock(job)
        try:
            self._restore()
        except FolderError:
            self.close()
            raise

    def judge(self, candidate: Candidate, page: Page) -> Judged:
        """Read a page that has come: judge it, and let the strategy learn from it."""
        similarity = self._judge.similarity(page.document)
        self.strategy.observe(Visit(candidate, page))
        self.pages += 1
        if self.pages % SAVED_EVERY == 0:
            self.save()
        return Judged(similarity, similarity >= self._judge.threshold)

    def score(self, candidate: Candidate, page: Page) -> tuple[dict[str, Scored], Scored]:
        """The links of a page by URL, each with its best score, and a link that has no words.

        The last one is for requests that no link of the page leads to: they are worth what the
        page makes of them.
        """
        links: Sequence[Link] = (*page.links, Link(page.url))
        scores = self.strategy.score(Visit(candidate, page), links)
        found: dict[str, Scored] = {}
        for link, score in zip(links[:-1], scores, strict=False):
            scored = Scored(_finite(score), link.anchor)
            if link.url not in found or _value(scored) > _value(found[link.url]):
                found[link.url] = scored
        return found, Scored(_finite(scores[-1]))

    def excludes(self, url: str) -> bool:
        """Does the topic exclude this canonical URL?"""
        return self._bounds.breach(url) is not None

    def save(self) -> None:
        """Keep what was learnt, where there is a job folder."""
        if self.job is not None:
            state: State = {
                "strategy": self.strategy.name,
                "topic": self.topic.name,
                "pages": self.pages,
                "learnt": self.strategy.state(),
            }
            save_state(state, self.job / STATE_FILE)

    def close(self) -> None:
        """Leave the job folder and what else is open; a second time does nothing."""
        self.resources.close()
        if self._lock is not None:
            self._lock.release()

    def _restore(self) -> None:
        """Go on from what an earlier run of the job has learnt."""
        if self.job is None or not (self.job / STATE_FILE).exists():
            return
        state = _read_state(self.job / STATE_FILE)
        learnt, pages = state.get("learnt"), state.get("pages")
        mine = {"strategy": self.strategy.name, "topic": self.topic.name}
        for what, name in mine.items():
            if state.get(what) != name:
                raise FolderError(
                    f"the job in {self.job} has the {what} {state.get(what)!r}, not {name!r}; "
                    "give that one, or another JOBDIR."
                )
        if not isinstance(learnt, dict) or not isinstance(pages, int):
            raise _unreadable(self.job / STATE_FILE)
        self.strategy.restore(learnt)
        self.pages = pages


class Focused:
    """What has a focus: scheduler and middleware find it with the crawler and share it."""

    focus: Focus | None = None


def focus_of(crawler: Crawler) -> Focus:
    """The focus of the add-on that a crawler was made with; SettingsError without one."""
    addon = crawler.get_addon(Focused)
    if addon is None or addon.focus is None:
        raise SettingsError("the add-on is not there; name it in ADDONS.")
    return addon.focus


def _read_state(path: Path) -> State:
    try:
        return load_state(path)
    except FolderError:  # which repeats numpy's advice, and that is for programmers
        raise _unreadable(path) from None


def _unreadable(path: Path) -> FolderError:
    return FolderError(
        f"{path} is damaged, or not what a job has learnt: put a whole copy back, or take it away "
        "and the job learns anew."
    )


def _finite(score: Score | Refusal) -> Score | Refusal:
    """A score that is no number goes last."""
    if isinstance(score, Refusal) or math.isfinite(score.value):
        return score
    return Score(_LOWEST)


def _value(scored: Scored) -> float:
    return scored.score.value if isinstance(scored.score, Score) else -math.inf
