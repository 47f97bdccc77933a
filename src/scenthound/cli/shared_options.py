"""The options by which commands name a crawl on a server, in place of a folder."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from scenthound.core.errors import SettingsError

REDIS_VARIABLE = "SCENTHOUND_REDIS"
WORKERS_PANEL = "Many workers"
RedisUrl = Annotated[
    str | None,
    typer.Option("--redis", metavar="URL", envvar=REDIS_VARIABLE, show_envvar=False,
                 help=f"Server of a crawl by many workers. [env: {REDIS_VARIABLE}]"),
]  # fmt: skip
SharedName = Annotated[
    str | None, typer.Option("--crawl", metavar="NAME", help="Name of the crawl on that server.")
]
FolderOrNone = Annotated[
    Path | None, typer.Argument(metavar="[DIR]", help="Crawl folder.", show_default=False)
]


def refuse_no_name(crawl: str | None) -> None:
    """SettingsError for a name without a sign; None is no name given."""
    if crawl is not None and not crawl.strip():
        raise SettingsError(f"--crawl {crawl!r} is no name; give the crawl one, such as storms.")


@dataclass(frozen=True, slots=True)
class OnServer:
    """A crawl on a server."""

    redis: str
    crawl: str

    def command(self, name: str, *options: str) -> str:
        """``scenthound NAME --crawl CRAWL``, to be pasted; the address may hold a password."""
        words = ["scenthound", name, "--crawl", self.crawl, *options]
        return f"{shlex.join(words)} --redis URL"


def named_crawl(folder: Path | None, redis: str | None, crawl: str | None) -> Path | OnServer:
    """The crawl that a command is about: one in a folder, or one on a server.

    SettingsError where neither is given, or both.
    """
    if folder is not None:
        if crawl is not None:
            raise SettingsError("give a folder, or --redis and --crawl, not both.")
        return folder
    if redis is None and crawl is None:
        raise SettingsError("give the folder of a crawl, or --redis URL and --crawl NAME.")
    return on_server(redis, crawl)


def on_server(redis: str | None, crawl: str | None) -> OnServer:
    """The crawl on a server; SettingsError where one of the two is not given."""
    refuse_no_name(crawl)
    if redis is None:
        raise SettingsError(
            f"give the address of the server: --redis redis://HOST:6379, or {REDIS_VARIABLE}."
        )
    if crawl is None:
        raise SettingsError("give the name of the crawl on the server: --crawl NAME.")
    return OnServer(redis, crawl)
