"""What a journal said when it was last looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scenthound.dashboard.folder_files import Stamp
from scenthound.dashboard.plain_values import Json, number, words
from scenthound.dashboard.tail import Tail
from scenthound.store.journal_lines import Event


@dataclass(frozen=True, slots=True)
class Seen:
    """What a journal said at the last look; its beginning tells whether it is still the same."""

    stamp: Stamp | None = None
    file: int = 0
    beginning: bytes = b""
    tail: Tail = field(default_factory=lambda: Tail(0, None, None, ()))
    begun: Event | None = None


def figures_of(summary: Mapping[str, object]) -> Json:
    """The totals of a summary, fit for a screen."""
    return {words(name, 40): number(value) for name, value in list(summary.items())[:40]}
