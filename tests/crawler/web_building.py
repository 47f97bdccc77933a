"""Webs of a few pages, archived, with everything that is needed to crawl them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crawler.warning_recording import recorded_warnings
from scenthound.core.model import Topic
from scenthound.core.parameters import Value
from scenthound.crawler.metrics import Labels, Result
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayJob, ReplayPlan
from scenthound.sample.responses import Response
from scenthound.sample.web import SampleWeb, write_warc
from scenthound.storage.archive import Archive, open_archive
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategySpec

HOST = "http://w.test"
Headers = tuple[tuple[str, str], ...]
HTML: Headers = (("Content-Type", "text/html"),)


def at(path: str) -> str:
    return HOST + path


def page(
    path: str,
    *links: str | tuple[str, str],
    text: str = "",
    title: str = "",
    headers: Headers = HTML,
    status: int = 200,
) -> Response:
    """A page; a link is its target, or its target and its anchor."""
    pairs = [link if isinstance(link, tuple) else (link, "") for link in links]
    anchors = "".join(f'<p><a href="{href}">{anchor}</a></p>' for href, anchor in pairs)
    body = f"<title>{title}</title><p>{text}</p>{anchors}"
    return Response(at(path), status, headers, body.encode())


def raw(path: str, body: bytes, kind: str = "text/html") -> Response:
    return Response(at(path), 200, (("Content-Type", kind),), body)


def moved(path: str, location: str) -> Response:
    return Response(at(path), 301, (*HTML, ("Location", location)), b"moved")


def labelled(*paths: str, topic: str = "storms") -> Labels:
    return Labels({topic: frozenset(map(at, paths))}, "labels.tsv")


@dataclass
class Outcome:
    """The outcome of a crawl: the run, and its journal as it stands on disk."""

    run: Result
    journal: bytes

    @property
    def paths(self) -> list[str]:
        """The pages in order, without the host."""
        return [url.removeprefix(HOST) for url in self.run.order]

    def events(self, kind: str) -> list[dict[str, object]]:
        lines = map(json.loads, self.journal.splitlines())
        return [line for line in lines if line["event"] == kind]


@dataclass
class Field:
    """An archive to crawl; crawl folders are written beside it."""

    archive: Archive
    folder: Path
    warnings: list[str] = field(default_factory=list)
    _crawls: int = 0

    def job(
        self,
        strategy: str | StrategySpec = "breadth-first",
        *,
        seeds: Sequence[str] = ("/",),
        keywords: Sequence[str] = ("storm",),
        examples: Sequence[str] = (),
        exclude: Sequence[str] = (),
        parameters: Mapping[str, Value] | None = None,
        **plan: Any,
    ) -> ReplayJob:
        """The only job of a plan; ``plan`` are the fields of the plan, such as ``labels``."""
        spec = CATALOGUE[strategy] if isinstance(strategy, str) else strategy
        topic = Topic(
            "storms", tuple(keywords), tuple(map(at, seeds)), tuple(examples), tuple(exclude)
        )
        made = ReplayPlan([(spec, parameters or {})], **{"budget": "100", **plan})
        with recorded_warnings() as warned:
            (job,) = made.jobs(self.archive, [topic])
        self.warnings += warned
        return job

    def crawl(self, strategy: str | StrategySpec = "breadth-first", **options: Any) -> Outcome:
        """Run the job of these options in a folder of its own."""
        self._crawls += 1
        job = self.job(strategy, out=self.folder / f"crawl-{self._crawls}", **options)
        assert job.out is not None
        with recorded_warnings() as warned:
            result = run_job(self.archive, job)
        self.warnings += warned
        return Outcome(result, (job.out / "journal.jsonl").read_bytes())


@dataclass
class Plant:
    """Makes fields; the archives are closed with ``stack``."""

    folder: Path
    stack: ExitStack
    _made: int = 0

    def __call__(self, *responses: Response) -> Field:
        return self.web(SampleWeb(0, {r.url: r for r in responses}, (), {}))

    def web(self, web: SampleWeb) -> Field:
        self._made += 1
        path = self.folder / f"web-{self._made}.warc.gz"
        write_warc(web, path)
        archive = self.stack.enter_context(open_archive(path, cache=self.folder / "cache"))
        return Field(archive, self.folder / f"crawls-{self._made}")
