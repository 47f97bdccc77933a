"""What the figures of a run need of its journal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from scenthound.core.events import Event, PageEvent, RevisedEvent
from scenthound.core.protocols import Journal
from scenthound.experiments.metrics import PageRecord


@dataclass
class RecordKeeper:
    """A journal that keeps what the figures need, and passes everything on.

    ``dropped`` and ``problems`` count by reason. ``scored`` is how many links had a score that
    is a number, each target once a page; ``learnt_from`` the links behind the last weights learnt.
    """

    onward: Journal | None
    records: list[PageRecord] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    scored: int = 0
    learnt_from: int = 0

    def append(self, event: Event) -> None:
        """Keep the event's figures, and pass it on."""
        if isinstance(event, PageEvent):
            self._keep(event)
        elif isinstance(event, RevisedEvent):
            self.learnt_from = event.links
        if self.onward is not None:
            self.onward.append(event)

    def _keep(self, event: PageEvent) -> None:
        self.records.append(PageRecord.from_event(event))
        self.scored += event.new + event.rescored + event.closed
        for reason, (count, _) in event.drops.counts.items():
            self.dropped[reason] += count
        if event.problem:
            self.problems[event.problem] += 1
