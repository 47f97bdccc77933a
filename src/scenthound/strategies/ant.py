"""One ant of a colony."""

from __future__ import annotations

from dataclasses import dataclass, field

from scenthound.core.protocols import StateValue


@dataclass
class Ant:
    """Where an ant is, where it wants to go, and how it came there; pages by their numbers.

    ``at`` is None until it has reached its first page. ``wants`` is a page that is not fetched yet,
    and ``why`` says why; with ``looks`` it wants to know it, not to go there. ``path`` are the
    links it followed in this cycle, ``waited`` how often others were asked for while it waits,
    ``turned`` how often it has turned back.
    """

    number: int
    at: int | None
    wants: int | None = None
    why: str = ""
    steps: int = 0
    path: list[tuple[int, int]] = field(default_factory=list)
    looks: bool = False
    waited: int = 0
    turned: int = 0
    done: bool = False

    @property
    def stands(self) -> tuple[int | None, int | None, int, int, bool]:
        """What changes with whatever it does, other than waiting."""
        return (self.at, self.wants, self.steps, self.turned, self.done)

    def look(self, page: int, why: str) -> None:
        """Have a page fetched, and stay."""
        self.wants, self.why, self.looks = page, why, True

    def go(self, link: int, page: int, why: str) -> None:
        """Follow a link of the page it is at; it leads to ``page``."""
        assert self.at is not None
        self.path.append((self.at, link))
        self.steps += 1
        self.wants, self.why, self.looks = page, why, False

    def arrive(self) -> None:
        """What it wants is there."""
        if not self.looks:
            self.at = self.wants
        self.wants, self.looks, self.waited = None, False, 0

    def turn_back(self) -> None:
        """What it wants cannot be had: it stays where it is, and has that step left."""
        if self.at is not None and not self.looks:
            self.path.pop()
            self.steps -= 1
        self.turned += 1
        self.wants, self.looks, self.waited = None, False, 0

    def to_json(self) -> dict[str, StateValue]:
        """For the saved state."""
        return {
            "number": self.number, "at": self.at, "wants": self.wants, "why": self.why,
            "steps": self.steps, "path": [list(edge) for edge in self.path],
            "looks": self.looks, "waited": self.waited, "turned": self.turned, "done": self.done,
        }  # fmt: skip

    @classmethod
    def from_json(cls, saved: StateValue) -> Ant:
        """From what :meth:`to_json` gave."""
        assert isinstance(saved, dict) and isinstance(saved["path"], list)
        edges = [tuple(map(int, edge)) for edge in saved["path"]]  # type: ignore[arg-type]
        return cls(**{**saved, "path": edges})  # type: ignore[arg-type]
