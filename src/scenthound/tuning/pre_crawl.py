"""Training links of an archive, by a breadth-first pre-crawl from the seeds of a topic.

Both papers take 1,000 links and do not say where from. Breadth-first asks no model which links to
follow, so that the sample does not lean towards what the model likes. Its fetches are counted.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence

from scenthound.archive import Archive
from scenthound.core.bounds import Bounds
from scenthound.core.crawl import Crawl
from scenthound.core.events import Event, PageEvent, RedirectEvent
from scenthound.core.model import Budget, Link, Part, Score, Topic, Visit
from scenthound.core.protocols import State
from scenthound.core.scope import Scope
from scenthound.core.strategy import Strategy
from scenthound.engines.replay import ReplayClock, run_replay
from scenthound.experiments.preparing import prepare
from scenthound.experiments.topic_reading import Warn
from scenthound.frontier.memory import MemoryFrontier
from scenthound.strategies.policies import Greedy
from scenthound.strategies.weighted import WeightedTexts
from scenthound.text.pdf import require_pdf
from scenthound.tuning.collecting import (
    KNOWN,
    MISSING,
    UNFETCHED,
    Collected,
    OnLinks,
    values_of,
    why_no_target,
)
from scenthound.tuning.links import TrainingLink, TrainingLinks, kept_line
from scenthound.tuning.plan import LinkPlan

ENOUGH = "enough links"
NO_LIMIT = Budget(sys.maxsize)
"""The number of links is the limit: every page but the seeds gives one, or cannot be read."""


def links_of_archive(
    archive: Archive,
    topic: Topic,
    plan: LinkPlan,
    warn: Warn,
    on_links: OnLinks | None = None,
    pdf: bool = False,
) -> Collected:
    """Crawl from the topic's seeds, in the order in which links are found, until there are enough.

    Parameters
    ----------
    archive : where to.
    topic : its seeds are where the crawl starts; no link leads to them.
    plan : how many links, and what reads them.
    warn : gets what is left out, in words; also that there are fewer links than wanted.
    on_links : told of every page.
    pdf : are PDFs pages too?

    Raises
    ------
    SettingsError, TopicError
        The topic has no seeds, none of them is in the archive, or nothing says what it is about.
    """
    if pdf:
        require_pdf()
    briefing, _, _ = prepare(archive, topic, None, None, warn, plan.wordnet, plan.by_meaning)
    texts, judge = plan.readers(topic, briefing)
    clock, notebook = ReplayClock(), _Notebook(frozenset(topic.seeds))
    crawl = Crawl(
        topic=topic.name,
        strategy=Strategy("breadth-first", InOrderFound(texts), Greedy(random.Random(plan.seed))),
        frontier=MemoryFrontier(),
        budget=NO_LIMIT,
        seeds=topic.seeds,
        judge=judge,
        journal=notebook,
        clock=clock,
        scope=Scope(Bounds(exclude=topic.exclude)),
    )

    def stop_when_enough(event: PageEvent) -> None:
        del event
        if on_links is not None:
            on_links(len(notebook.links), plan.links)
        if len(notebook.links) >= plan.links:
            crawl.stop(ENOUGH)

    run_replay(archive, crawl, clock, stop_when_enough, pdf)
    if len(notebook.links) < plan.links:
        warn(
            f"{topic}: {archive.path} gave {len(notebook.links):,} links of the {plan.links:,} "
            "wanted: no more pages can be reached from the seeds"
        )
    notebook.left_out[MISSING] = crawl.summary.missing - _missing_seeds(archive, topic)
    notebook.left_out[UNFETCHED] = crawl.summary.waiting
    links = TrainingLinks(topic.name, plan.model, plan.names, tuple(notebook.links))
    return Collected(
        links, crawl.summary.fetched, plan.links, +notebook.left_out,
        f"breadth-first pre-crawl of {archive.path}", plan.parameters,
    )  # fmt: skip


class InOrderFound:
    """Every link is worth the same; what its texts are worth is noted in the parts of its score.

    The frontier keeps them with the link and is first in, first out.
    """

    predicts = False

    def __init__(self, texts: WeightedTexts) -> None:
        self._texts = texts

    def observe(self, visit: Visit) -> None:
        """Let the text model learn from the page."""
        self._texts.observe(visit)

    def score(self, visit: Visit, links: Sequence[Link]) -> list[Score]:
        """0 for each link, with what the text model says of it as parts that weigh nothing."""
        scores = self._texts.score(visit, links)
        weightless = {id(score): _weightless(score) for score in scores}  # many links share one
        return [weightless[id(score)] for score in scores]

    def state(self) -> State:
        """Nothing: a pre-crawl is not resumed."""
        return {}

    def restore(self, state: State) -> None:
        """Nothing to restore."""


def _weightless(score: Score) -> Score:
    return Score(0.0, tuple(Part(part.name, part.value, 0.0) for part in score.parts))


class _Notebook:
    """A journal that keeps training links. Of equal inlinks the frontier has the first in front."""

    def __init__(self, seeds: frozenset[str]) -> None:
        self.links: list[TrainingLink] = []
        self.left_out: Counter[str] = Counter()
        self._seeds = seeds
        self._pages: list[str] = []
        """Addresses, in the order of fetching: an inlink names its page by number."""

    def append(self, event: Event) -> None:
        if isinstance(event, RedirectEvent) and event.url not in self._seeds:
            self.left_out[KNOWN] += 1
        elif isinstance(event, PageEvent):
            self._pages.append(event.url)
            self._note(event)

    def _note(self, event: PageEvent) -> None:
        if event.depth == 0:  # a seed was given, not found
            return
        reason = why_no_target(event.status, event.problem, event.copy_of)
        if reason is not None:
            self.left_out[reason] += 1
            return
        first = event.inlinks[0]
        source, values = self._pages[first.source - 1], values_of(first.score, event.linked_from)
        self.links.append(
            TrainingLink(source, event.url, kept_line(first.anchor), values, event.similarity)
        )


def _missing_seeds(archive: Archive, topic: Topic) -> int:
    return sum(url not in archive for url in set(topic.seeds))
