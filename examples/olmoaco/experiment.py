"""The experiment file: a small TOML file that names the topic and the grid."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import scenthound

Published = float | str
"""A figure of the paper, or "-" where its crawl ran dry."""
_NEEDED = ("topic", "pages", "runs", "sigma", "eta")


@dataclass(frozen=True)
class Grid:
    """What an experiment file says.

    Parameters
    ----------
    topic : a topic file.
    pages : fetched in each crawl.
    runs : crawls for each eta; the random seeds are 0, 1, 2, ...
    sigma : a page is relevant above this.
    eta : a link waits only above this.
    published : a row for each sigma with a figure for each eta; empty where there are none.
    """

    topic: Path
    pages: int
    runs: int
    sigma: tuple[float, ...]
    eta: tuple[float, ...]
    published: tuple[tuple[Published, ...], ...] = ()

    def __post_init__(self) -> None:
        if min(self.pages, self.runs, len(self.sigma), len(self.eta)) < 1:
            raise scenthound.InputError("a grid needs 1 or more of pages, runs, sigma and eta.")
        if self.published and [*map(len, self.published)] != [len(self.eta)] * len(self.sigma):
            raise scenthound.InputError(
                "published must have a row for each sigma and in it a figure for each eta."
            )


def read_grid(path: Path) -> Grid:
    """The experiment in the file at ``path``; InputError says what is wrong with it."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        if set(table) - {"published"} != set(_NEEDED):
            raise ValueError(f"its keys are {', '.join(_NEEDED)} and perhaps published")
        return Grid(
            topic=path.parent / table["topic"],
            pages=int(table["pages"]),
            runs=int(table["runs"]),
            sigma=tuple(map(float, table["sigma"])),
            eta=tuple(map(float, table["eta"])),
            published=tuple(tuple(row) for row in table.get("published", ())),
        )
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise scenthound.InputError(f"{path}: {reason}; give an experiment file.") from None
    except (ValueError, TypeError, scenthound.InputError) as error:
        raise scenthound.InputError(f"{path} cannot be used: {error}") from None
