"""The options of the vector cache, for the commands that build strategies or text models."""

from __future__ import annotations

from typing import Annotated

import typer

CACHE_HELP = "Keep vectors between runs there, or none."
LIMIT_HELP = "How large that grows."
DEFAULT_FOLDER, DEFAULT_SIZE = "~/.cache/scenthound", "2GB"

CacheFolder = Annotated[
    str | None,
    typer.Option("--cache", metavar="DIR", help=f"{CACHE_HELP} [default: {DEFAULT_FOLDER}]"),
]
CacheLimit = Annotated[
    str | None,
    typer.Option("--cache-limit", metavar="SIZE", help=f"{LIMIT_HELP} [default: {DEFAULT_SIZE}]"),
]
