"""What every crawler under test reports: one line of JSON on its standard output."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path

TOPIC = Path(__file__).parent.with_name("live_topic.toml")
CONCURRENCY = 32
PAGES = 1_500


@dataclass(frozen=True)
class Figures:
    """A crawl in numbers.

    Parameters
    ----------
    pages : pages fetched with success and dealt with.
    requests : all requests that were answered, pages that do not exist too.
    seconds : from the first request to the last page.
    cpu_seconds : of the whole process, start and end too.
    """

    pages: int
    requests: int
    seconds: float
    cpu_seconds: float

    @property
    def pages_per_second(self) -> float:
        """0 for a crawl that took no time."""
        return self.pages / self.seconds if self.seconds else 0.0

    @property
    def cpu_ms_a_page(self) -> float:
        """0 for a crawl without pages."""
        return 1000 * self.cpu_seconds / self.pages if self.pages else 0.0

    def line(self) -> str:
        """The figures as JSON."""
        return json.dumps({**asdict(self), "pages_per_second": self.pages_per_second})


def read_figures(line: str) -> Figures:
    """What :meth:`Figures.line` wrote."""
    values = json.loads(line)
    return Figures(values["pages"], values["requests"], values["seconds"], values["cpu_seconds"])


def crawler_arguments(description: str) -> argparse.ArgumentParser:
    """The options that every plain crawler takes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--topic", type=Path, default=TOPIC)
    parser.add_argument("--proxy", required=True)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--concurrency", type=int, default=CONCURRENCY)
    return parser
