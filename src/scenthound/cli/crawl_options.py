"""The options that the commands of live crawls share.

Options that set a field of CrawlOptions are texts here: they are read and checked as those of a
settings file are, so that both take the same and complain in the same words.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.logs import LEVELS
from scenthound.live.options import CrawlOptions

_DEFAULT = CrawlOptions()


def _text(metavar: str, help_text: str, default: object = None) -> object:
    """An option whose value is read later; ``default`` is told in its help."""
    told = "" if default is None else f" [default: {default}]"
    return typer.Option(metavar=metavar, help=f"{help_text}{told}", show_default=False)


TopicFile = Annotated[
    Path, typer.Option("--topic", "-t", metavar="T.toml", help="Topic file.", show_default=False)
]
OutFolder = Annotated[
    Path, typer.Option(metavar="DIR", help="Crawl folder to make.", show_default=False)
]
StrategyName = Annotated[
    str, typer.Option("--strategy", "-s", metavar="NAME", help="Strategy.", show_default=True)
]
ConfigFile = Annotated[Path | None, _text("C.toml", "Settings file.")]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="TABLE.KEY=VALUE", help="One setting, e.g. crawl.retries=5; "
                 "may repeat."),
]  # fmt: skip
MaxPages = Annotated[
    str | None, _text("N", "Pages, over the whole crawl.", f"{_DEFAULT.max_pages}")
]
MaxTime = Annotated[str | None, _text("TIME", "Time, over all its runs: 90s, 15m, 2h, 1d.")]
Delay = Annotated[str | None, _text("TIME", "Rest of a host after an answer.", "1s")]
Concurrency = Annotated[str | None, _text("N", "Requests at once.", _DEFAULT.concurrency)]
PerHost = Annotated[str | None, _text("N", "Requests to one host at once.", 1)]
PagesPerHost = Annotated[str | None, _text("N", "No more pages than this of one host.")]
HostShare = Annotated[str | None, _text("X", "Hosts over this share of all pages wait.")]
Proxy = Annotated[str | None, _text("URL", "Proxy; else as the environment says.")]
AllowPrivate = Annotated[
    bool | None,
    typer.Option("--allow-private", help="Ask private and loopback addresses too.",
                 show_default=False),
]  # fmt: skip
Contact = Annotated[str | None, _text("WHO", "Your address or page, sent with requests.")]
Timeout = Annotated[str | None, _text("TIME", "For one answer.", f"{_DEFAULT.timeout:g}s")]
MinHarvest = Annotated[str | None, _text("X", "Stop below this share of relevant pages.")]
HarvestWindow = Annotated[
    str | None, _text("N", "Pages that --min-harvest looks at.", _DEFAULT.harvest_window)
]
Threshold = Annotated[str | None, _text("X", "Similarity of relevant pages; else calibrated.")]
LabelsFile = Annotated[Path | None, _text("L.tsv", "Human labels to measure by.")]
WordNetFolder = Annotated[str | None, _text("DIR", "WordNet instead of the shipped one.")]
Seed = Annotated[str | None, _text("N", "Seed of the random generator.", _DEFAULT.seed)]
JsonFile = Annotated[
    Path | None,
    typer.Option("--json", metavar="OUT", help="Write all figures here (- for stdout)."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing but errors.")]
LogLevel = Annotated[
    str | None, _text("LEVEL", f"Log to stderr: {', '.join(LEVELS[:3])}, ...")
]  # fmt: skip
CrawlFolderPath = Annotated[
    Path, typer.Argument(metavar="DIR", help="Crawl folder.", show_default=False)
]
