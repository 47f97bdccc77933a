"""Through how many files of ours does one thing run? Three paths that a reader may want to follow.

    python -m tools.paths

Counts the files of the package in which a function is entered for: one link that ``scent`` scores;
one response of a live crawl (ten responses of the sample web, in the crawl and in its downloader,
after the first ones); one ``export``.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

PACKAGE = str(Path(__file__).resolve().parent.parent / "src" / "scenthound") + os.sep
_SEEN_BY_CHILD = "SCENTHOUND_TRACE"
_CHILD = """
import atexit, os, sys, threading
where = os.environ.get("SCENTHOUND_TRACE")
if where and "downloader" in " ".join(sys.orig_argv):
    package = os.environ["SCENTHOUND_TRACE_PACKAGE"]
    def look(frame, event, argument):
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(package) and os.path.exists(where + ".on"):
            if name not in seen and frame.f_code.co_name != "<module>":
                seen.add(name)
                with open(where, "a") as out:
                    out.write(name + "\\n")
    seen = set()
    threading.setprofile(look)
    sys.setprofile(look)
"""


@contextmanager
def entered(names: set[str], looks: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Adds the files in which a function is entered while ``looks``, in all threads that start."""

    def look(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        ours = code.co_filename.startswith(PACKAGE) and code.co_name != "<module>"
        if event == "call" and ours and looks():
            names.add(code.co_filename)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def wrap(owner: Any, name: str, around: Callable[..., Any]) -> None:
    """Replaces a method by one that is given the original."""
    original = getattr(owner, name)
    setattr(owner, name, lambda *args, **kwargs: around(original, *args, **kwargs))


def files_of_a_link(archive: Path, topic: Any) -> set[str]:
    """One link of the second page, scored again while somebody looks."""
    from scenthound import replay
    from scenthound.strategies.scent import Scent

    names: set[str] = set()
    calls = []

    def score(original: Any, scorer: Scent, page: Any, links: Any) -> Any:
        calls.append(page)
        if len(calls) == 2:
            with entered(names):
                original(scorer, page, links[:1])
        return original(scorer, page, links)

    wrap(Scent, "score", score)
    replay(archive, topic, "scent", budget=3)
    return names


def files_of_a_response(web: Any, topic: Any, folder: Path) -> set[str]:
    """Ten responses of a live crawl, and what its downloader does from then on.

    The downloader works ahead of the crawl: it is traced to the end, so that some of its responses
    are certain to be seen. Threads are traced from their start, as the writer of WARC records
    starts before the first response.
    """
    from scenthound import CrawlOptions, crawl
    from scenthound.core.crawl_loop import CrawlLoop
    from scenthound.sample.server import serve

    names: set[str] = set()
    trace = folder / "trace"
    (folder / "sitecustomize.py").write_text(_CHILD)
    os.environ[_SEEN_BY_CHILD], os.environ[f"{_SEEN_BY_CHILD}_PACKAGE"] = str(trace), PACKAGE
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    pages: list[int] = []

    def observe(original: Any, *args: Any, **kwargs: Any) -> Any:
        pages.append(1)
        if len(pages) == 10:
            Path(f"{trace}.on").touch()
        return original(*args, **kwargs)

    wrap(CrawlLoop, "observe", observe)
    with serve(web) as server:
        options = CrawlOptions(max_pages=80, delay=0.0, proxy=server.proxy, min_disk=0)
        with entered(names, lambda: 10 <= len(pages) < 20):
            crawl(topic, folder / "live", "scent", options=options)
    return names | set(trace.read_text().splitlines())


def files_of_an_export(folder: Path) -> set[str]:
    """The command, after its arguments were read."""
    import scenthound.cli.export  # noqa: F401  what an import runs is no part of the path
    from scenthound.cli.main import main

    names: set[str] = set()
    rows = ["--out", str(folder / "rows.jsonl"), "--quiet"]
    arguments, sys.argv = sys.argv, ["scenthound", "export", str(folder / "live"), *rows]
    try:
        with entered(names):
            main()
    except SystemExit as end:
        if end.code:
            raise
    finally:
        sys.argv = arguments
    return names


def paths() -> dict[str, set[str]]:
    """By what is followed: the files in which a function is entered."""
    from scenthound.sample.web import build, write_topics, write_warc
    from scenthound.similarity.topic_file import read_topic

    os.environ["SCENTHOUND_NEURAL"] = "no"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        os.environ["XDG_CACHE_HOME"] = place
        web = build()
        write_warc(web, folder / "sample.warc.gz")
        write_topics(web, folder / "topics")
        topic = read_topic(folder / "topics" / "storms.toml")
        return {
            "a link": files_of_a_link(folder / "sample.warc.gz", topic),
            "a response": files_of_a_response(web, topic, folder),
            "an export": files_of_an_export(folder),
        }


def main() -> None:
    """Print the number of files and their names."""
    for what, names in paths().items():
        print(f"{what}: {len(names)} files")
        print("".join(f"    {name.removeprefix(PACKAGE)}\n" for name in sorted(names)), end="")


if __name__ == "__main__":
    main()
