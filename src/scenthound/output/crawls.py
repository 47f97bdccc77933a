"""The ``Crawl`` object: a crawl in its folder, and all that can be done with it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ParamSpec

from scenthound.core.options import takes
from scenthound.crawler import control
from scenthound.crawler import crawl as crawling
from scenthound.crawler.control import CrawlStatus, crawl_status
from scenthound.crawler.metrics import Result
from scenthound.output.explain.explain import explain
from scenthound.output.explain.explanation import Explanation
from scenthound.output.export.export import Exported, ExportOptions, corpus_rows, export, merge
from scenthound.output.export.rows import RowOptions
from scenthound.output.report.report import ReportOptions, report
from scenthound.storage.files import Row
from scenthound.storage.folder import Folders, folder_paths
from scenthound.storage.stored_crawl import open_whole_crawl


class Crawl:
    """A crawl in its folder, running or not.

    Parameters
    ----------
    folder : of the crawl; of a crawl by several workers the one that holds theirs, or a list.
    result : the figures of the run that has just ended; None for a crawl that was opened. Each
        of them is also an attribute of the crawl: ``crawl.fetched``, ``crawl.stopped``.

    Examples
    --------
    >>> Crawl("storms").folders
    (PosixPath('storms'),)
    """

    def __init__(self, folder: Folders, result: Result | None = None) -> None:
        self.folders = folder_paths("folder", folder)
        self.result = result

    def __repr__(self) -> str:
        return f"Crawl({', '.join(repr(str(each)) for each in self.folders)})"

    def __getattr__(self, name: str) -> Any:
        """A figure of the result: version 0.1 gave back the result alone."""
        if name.startswith("_") or self.__dict__.get("result") is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.result, name)

    @property
    def folder(self) -> Path:
        """The folder, or the first of several."""
        return self.folders[0]

    @takes(RowOptions)
    def pages(self, **choice: Any) -> Iterator[Row]:
        """The pages, one dict each; the choice is that of :func:`scenthound.export`."""
        return corpus_rows(self.folders, **choice)

    def status(self) -> CrawlStatus:
        """State, pages, harvest and the process that crawls; of the first folder of several."""
        return crawl_status(self.folder)[0]

    def pause(self) -> None:
        """Have the process that crawls fetch nothing new until :meth:`unpause`."""
        control.pause(self.folder)

    def unpause(self) -> bool:
        """Have a paused crawl go on; False where it was not paused."""
        return control.unpause(self.folder)

    def stop(self) -> None:
        """Have the process that crawls end, as Ctrl-C would; :meth:`resume` goes on."""
        control.stop(self.folder)

    def resume(self, **changes: Any) -> Crawl:
        """Go on with a crawl that was stopped, interrupted or killed; see :func:`resume`."""
        return resume(self.folder, **changes)

    @takes(ExportOptions)
    def export(self, out: str | Path | None = None, **options: Any) -> Exported:
        """Write the pages to a file; see :func:`scenthound.export`."""
        return export(self._named, out, **options)

    def explain(self, url: str | int, **options: Any) -> Explanation:
        """Why a page was fetched, or was not; see :func:`scenthound.explain`."""
        return explain(self._named, url, **options)

    @takes(ReportOptions)
    def report(self, out: str | Path | None = None, **options: Any) -> Path:
        """Write a report of the crawl; see :func:`scenthound.report`."""
        return report(self._named, out, **options)

    def merge(self, out: str | Path, **options: Any) -> Crawl:
        """One crawl folder of those of its workers."""
        return Crawl(merge(self.folders, out, **options).path)

    @property
    def _named(self) -> Folders:
        return self.folder if len(self.folders) == 1 else self.folders


def open_crawl(folder: Folders) -> Crawl:
    """The crawl in a folder, running, finished or interrupted.

    FolderError where there is none, or it cannot be read.
    """
    opened = Crawl(folder)
    with open_whole_crawl(opened.folders):
        return opened


_P = ParamSpec("_P")


def _in_folder(run: Callable[_P, Result], argument: str) -> Callable[_P, Crawl]:
    """The same function, giving the crawl in the folder that an argument names."""

    @functools.wraps(run)
    def called(*given: _P.args, **named: _P.kwargs) -> Crawl:
        result = run(*given, **named)
        folder = inspect.signature(run).bind(*given, **named).arguments[argument]
        return Crawl(folder, result)

    signature = inspect.signature(run).replace(return_annotation=Crawl)
    called.__signature__ = signature  # type: ignore[attr-defined]
    return called


crawl = _in_folder(crawling.crawl, "out")
resume = _in_folder(crawling.resume, "folder")
