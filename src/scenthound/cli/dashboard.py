"""``scenthound dashboard``: crawls in a browser, as they go on."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.options import RedisUrl
from scenthound.cli.screen import notices, output, plain, print_warning
from scenthound.output.dashboard import server
from scenthound.output.dashboard.security import TOKEN_VARIABLE
from scenthound.output.dashboard.server import HOST, PORT


def dashboard(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[DIR...]", help="Folders of crawls, or of replays.", show_default=False
        ),
    ] = None,
    redis: RedisUrl = None,
    crawl: Annotated[
        list[str] | None,
        typer.Option(
            "--crawl",
            metavar="NAME",
            help="Name of a crawl on that server; may be given several times.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen at.")] = HOST,
    port: Annotated[int, typer.Option(help="Port; 0 is any that is free.")] = PORT,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            envvar=TOKEN_VARIABLE,
            show_envvar=False,
            help=f"What every request must carry; or in ${TOKEN_VARIABLE}.",
        ),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
) -> None:
    """Watch crawls in a browser: harvest, speed, frontier, hosts, pages; pause and stop them.

    Running and finished crawls are shown side by side, also those that begin later below DIR. The
    folders of workers that share a crawl are one; --redis and --crawl show all of its workers.
    Only this machine reaches it, unless --host says otherwise, which needs a token. Ctrl-C ends it.
    """
    shown = folders or []
    for folder in shown:
        if not folder.exists():
            print_warning(f"there is no folder {folder} yet; a crawl that begins there is shown.")

    def ready(address: str) -> None:
        output().print(plain(address), soft_wrap=True)
        notices().print("Ctrl-C ends it.")
        if open_browser:
            webbrowser.open(address)

    with suppress(KeyboardInterrupt):
        server.serve_dashboard(
            shown, redis=redis, crawl=crawl, host=host, port=port, token=token, ready=ready
        )
    notices().print("The dashboard is closed.")
