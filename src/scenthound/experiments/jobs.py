"""What to run: topics x strategies, checked against the archive before anything starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.archive import Archive
from scenthound.core.errors import LabelsError, SettingsError
from scenthound.core.model import Briefing, Budget, Topic
from scenthound.engines.briefing import brief
from scenthound.experiments.labels import Labels
from scenthound.store.folder import CrawlFolder, folder_name
from scenthound.strategies.ingredients import Parameters, Recipe

DEFAULT_BUDGET = "1000"
BUDGET_WITH_LABELS = "2x"
Warn = Callable[[str], None]


@dataclass(frozen=True)
class Job:
    """One replay to run: a topic that has been read and checked against the archive."""

    topic: Topic
    recipe: Recipe
    parameters: Parameters
    budget: Budget
    briefing: Briefing
    labels: frozenset[str] | None = None
    seed: int = 0
    count_missing: bool = False
    threshold: float | None = None
    out: Path | None = None


@dataclass(frozen=True)
class Plan:
    """Which strategies to run on each topic, and how.

    ``budget`` is a number of pages or a multiple of the labelled pages; by default twice the
    labelled pages, or 1,000 pages where there are no labels. With ``out`` every run gets the
    crawl folder ``out/topic/strategy``.
    """

    strategies: Sequence[tuple[Recipe, Parameters]]
    labels: Labels | None = None
    budget: str | None = None
    seed: int = 0
    count_missing: bool = False
    threshold: float | None = None
    out: Path | None = None

    def jobs(self, archive: Archive, topics: Sequence[Topic], warn: Warn) -> list[Job]:
        """All jobs, topic by topic. Whatever is wrong is found here, before the first fetch."""
        _distinct((topic.name for topic in topics), "topic")
        _distinct((recipe.name for recipe, _ in self.strategies), "strategy")
        return [job for topic in topics for job in self._for(archive, topic, warn)]

    def _for(self, archive: Archive, topic: Topic, warn: Warn) -> list[Job]:
        briefing, budget, targets = prepare(archive, topic, self.labels, self.budget, warn)
        jobs = []
        for recipe, parameters in self.strategies:
            recipe.refuse_unlabelled(targets)
            out = self._folder(topic, recipe)
            jobs.append(
                Job(topic, recipe, parameters, budget, briefing, targets, self.seed,
                    self.count_missing, self.threshold, out)
            )  # fmt: skip
        return jobs

    def _folder(self, topic: Topic, recipe: Recipe) -> Path | None:
        if self.out is None:
            return None
        path = self.out / folder_name(topic.name) / folder_name(recipe.name)
        CrawlFolder(path).refuse_taken()
        return path


def prepare(
    archive: Archive,
    topic: Topic,
    labels: Labels | None,
    budget: str | None,
    warn: Warn,
) -> tuple[Briefing, Budget, frozenset[str] | None]:
    """Check a topic against the archive: some missing is a warning, all missing an error."""
    _check_seeds(archive, topic, warn)
    briefed = brief(topic, archive)
    if briefed.unread:
        warn(
            f"topic {topic.name!r}: {len(briefed.unread)} of {len(set(topic.examples))} examples "
            f"cannot be read and are left out, e.g. {briefed.unread[0][:100]}"
        )
    targets = _targets(archive, topic, labels, warn) if labels is not None else None
    text = budget or (DEFAULT_BUDGET if targets is None else BUDGET_WITH_LABELS)
    parsed = Budget.parse(text, None if targets is None else len(targets))
    return briefed.briefing, parsed, targets


def _check_seeds(archive: Archive, topic: Topic, warn: Warn) -> None:
    if not topic.seeds:
        raise SettingsError(f"topic {topic.name!r} has no seeds: add URLs to start from.")
    gone = [url for url in topic.seeds if url not in archive]
    if len(gone) == len(topic.seeds):
        raise SettingsError(
            f"topic {topic.name!r}: none of its {len(gone)} seeds is in {archive.path} "
            f"(the first is {gone[0]}); give seeds that are."
        )
    if gone:
        warn(
            f"topic {topic.name!r}: {len(gone)} of {len(topic.seeds)} seeds are not in the "
            f"archive, e.g. {gone[0]}"
        )


def _targets(archive: Archive, topic: Topic, labels: Labels, warn: Warn) -> frozenset[str]:
    listed = labels.of(topic.name)
    there = frozenset(url for url in listed if url in archive)
    if not there:
        raise LabelsError(
            f"topic {topic.name!r}: none of its {len(listed)} labelled pages is in "
            f"{archive.path}; give the labels of this archive."
        )
    if len(there) < len(listed):
        gone = min(listed - there)
        warn(
            f"topic {topic.name!r}: {len(listed) - len(there)} of {len(listed)} labelled pages "
            f"are not in the archive and are left out, e.g. {gone}"
        )
    return there


def _distinct(names: Iterable[str], kind: str) -> None:
    """Two topics or strategies of one name would write over each other."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SettingsError(f"{kind} {name!r} is given twice; give each one once.")
        seen.add(name)
