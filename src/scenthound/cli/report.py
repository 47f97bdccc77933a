"""``scenthound report``: a crawl, a comparison or a tuning as one HTML file. ``scenthound
dashboard``: running and finished crawls in a browser.
"""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from pathlib import Path

from scenthound.cli import options as opt
from scenthound.cli.screen import bars, notices, output, print_warning, say, stage_bar
from scenthound.output.dashboard import server
from scenthound.output.dashboard.security import TOKEN_VARIABLE
from scenthound.output.dashboard.server import HOST, PORT
from scenthound.output.report import report as report_api
from scenthound.output.report.report import ReportOptions


@opt.with_options(
    *("out", "files", "top", "labels", "judged", "baseline", "measure"),
    models=(ReportOptions,),
    spelled={"out": "--out -o", "files": "--files/--no-files"},
)
def report(
    folders: list[Path] = opt.argument(
        "DIR", "Folder of a crawl, replay, comparison or tuning; or of workers."
    ),
    *,
    given: opt.Given,
    quiet: bool = opt.NO_PROGRESS,
) -> None:
    """Write a report: one HTML file with curves, tables and explained pages.

    It needs no network and no script. The crawl may be running: the report shows its present
    state. An earlier report is replaced; nothing else in DIR is changed.
    """
    with bars(notices(), quiet) as progress, stage_bar(progress) as on_progress:
        path = report_api.report(folders, **given, on_progress=on_progress)
    say(str(path), output())


def dashboard(
    folders: list[Path] | None = opt.argument(
        "[DIR...]", "Folders of crawls, or of replays.", default=None
    ),
    redis: str | None = opt.REDIS_URL,
    crawl: list[str] | None = opt.option(
        "NAME", "Name of a crawl on that server; may be repeated.", "--crawl"
    ),
    host: str = opt.option("TEXT", "Address to listen at.", default=HOST),
    port: int = opt.option("INTEGER", "Port; 0 for any free port.", default=PORT),
    token: str | None = opt.option(
        "TEXT",
        f"Secret that every request must carry. [env: {TOKEN_VARIABLE}]",
        envvar=TOKEN_VARIABLE,
        show_envvar=False,
    ),
    open_browser: bool = opt.switch("--open", "Open it in a browser."),
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
        say(address, output())
        say("Ctrl-C ends it.")
        if open_browser:
            webbrowser.open(address)

    with suppress(KeyboardInterrupt):
        server.serve_dashboard(
            shown, redis=redis, crawl=crawl, host=host, port=port, token=token, ready=ready
        )
    say("The dashboard is closed.")
