"""Folders of workers, written by hand: no server, no web."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Self

from scenthound.core.events import (
    ControlEvent,
    DroppedLinks,
    Event,
    PageEvent,
    RedirectEvent,
    StartedEvent,
    StoppedEvent,
    Summary,
)
from scenthound.core.model import Inlink, Part, Score, Topic, TopicProfile
from scenthound.crawler.options import CrawlOptions
from scenthound.storage.database import PROGRESS, Ledger, open_database
from scenthound.storage.folder import CrawlFolder, CrawlSpec
from scenthound.storage.journal import FileJournal
from scenthound.storage.state import write_topic_profile
from scenthound.storage.warc_writer import SEGMENT_BYTES, Exchange, WarcWriter, payload_digest

AT = 1_700_000_000.0
TOPIC = Topic("storms", keywords=("storm",), seeds=("http://a.test/",))
ABOUT = {"software": "Scenthound/0.1", "http-header-user-agent": "Scenthound", "robots": "obey"}


def storm(words: str) -> bytes:
    """A page of its own."""
    return f"<title>Storm {words}</title><p>A storm, and {words}.</p>".encode()


class WorkerMaking:
    """Writes the folder of a worker as a crawl does; times are seconds after :data:`AT`."""

    def __init__(
        self,
        path: Path,
        number: int,
        crawl: str = "storms",
        id_: str = "c0ffee",
        segment_bytes: int = SEGMENT_BYTES,
        started: float = 0.0,
    ) -> None:
        self.path = path
        self.number = number
        self.folder = CrawlFolder.create(path, _crawl_spec(crawl, id_, number))
        write_topic_profile(path, TopicProfile("storms", ("storm",), ()))
        self.connection = open_database(self.folder.database_path, new=True)
        self.connection.execute("BEGIN")
        self.ledger = Ledger(self.connection)
        self.journal = FileJournal(self.folder.journal_path)
        self.warc = WarcWriter(path, None, ABOUT, segment_bytes=segment_bytes)
        self.summary = Summary()
        self.tell(StartedEvent(AT + started, "storms", "vsm", 100, TOPIC.seeds, 0.1))

    def tell(self, event: Event) -> None:
        self.journal.append(event)

    def page(
        self,
        url: str,
        at: float,
        body: bytes | None = None,
        *,
        sources: Sequence[int] = (),
        copy_of: int | None = None,
        similarity: float = 0.5,
        redirects: Sequence[str] = (),
        status: int = 200,
    ) -> int:
        """One more page; ``copy_of`` is an exact copy. The number that it has."""
        body = storm(url) if body is None else body
        url = url if "://" in url else f"http://a.test/{url}"
        n = self.summary.fetched + 1
        priority = 0.25 if sources else None
        relevant = similarity >= 0.1 and copy_of is None
        self.summary = self.summary.after_page(
            ok=status == 200, similarity=similarity, relevant=relevant, priority=priority,
            copy=copy_of is not None,
        )  # fmt: skip
        inlinks = tuple(Inlink(each, Score(0.25), f"link {each}") for each in sources)
        parts = (Part("anchor", 0.25, 1.0),) if sources else ()
        self.tell(PageEvent(
            n=n, at=AT + at, url=url, status=status, title=f"Storm {url[-1]}",
            depth=len(sources[:1]), priority=priority, parts=parts, inlinks=inlinks,
            linked_from=len(sources), similarity=similarity, relevant=relevant, links=0,
            new=0, rescored=0, closed=0, repeated=0, drops=DroppedLinks(),
            redirects=tuple(redirects), summary=self.summary, copy_of=copy_of,
        ))  # fmt: skip
        self.ledger.record(n, url, AT + at, payload_digest(body), None)
        fields = [("page", str(n)), *(("linkedFromPage", f"{each} 0.25") for each in sources)]
        original = None if copy_of is None else self.ledger.original(copy_of)
        self.ledger.place(n, self.warc.write(_exchange(url, AT + at, status, body), fields,
                                             original))  # fmt: skip
        return n

    def redirect(self, url: str, target: str, at: float) -> None:
        """An answer that leads elsewhere: no page."""
        self.warc.write(_exchange(url, AT + at, 301, b"moved"), [("leadsTo", target)])

    def led(self, url: str, target: str) -> None:
        self.tell(RedirectEvent(url, target))

    def control(self, what: str, at: float) -> None:
        self.tell(ControlEvent(AT + at, what, 100))

    def commit(self, seconds: float = 10.0) -> Self:
        """What comes later is not on record."""
        self.warc.sync()
        self.ledger.set(PROGRESS, {
            "summary": asdict(self.summary), "seconds": seconds,
            "warc": list(self.warc.end), "journal": self.journal.size,
        })  # fmt: skip
        self.connection.execute("COMMIT")
        self.connection.execute("BEGIN")
        return self

    def stop(self, at: float, reason: str = "budget spent") -> Path:
        """The end of its crawl, committed."""
        self.tell(StoppedEvent(AT + at, reason, self.summary))
        self.commit()
        return self.close()

    def close(self) -> Path:
        """As a kill leaves it."""
        self.connection.execute("ROLLBACK")
        self.connection.close()
        self.journal.close()
        self.warc.close()
        return self.path


def events_in(folder: Path) -> list[dict[str, object]]:
    lines = (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def pages_in(folder: Path) -> list[dict[str, object]]:
    return [event for event in events_in(folder) if event["event"] == "page"]


def changed_spec(folder: Path, **settings: object) -> None:
    """Writes other settings into ``crawl.json``; None takes one away."""
    path = folder / "crawl.json"
    crawl_spec = json.loads(path.read_text())
    merged: Mapping[str, object] = {**crawl_spec["settings"], **settings}
    crawl_spec["settings"] = {name: value for name, value in merged.items() if value is not None}
    path.write_text(json.dumps(crawl_spec))


def _crawl_spec(crawl: str, id_: str, number: int) -> CrawlSpec:
    about = {"crawl": crawl, "id": id_, "name": f"worker-{number}", "number": number}
    return CrawlSpec(
        kind="crawl", topic=TOPIC, strategy="vsm", parameters={}, budget=100, seed=0,
        source={"labels": None, "wordnet": None, "topic_file": None},
        settings={**CrawlOptions().to_json(), "inlinks": "max", "worker": about},
    )  # fmt: skip


def _exchange(url: str, at: float, status: int, body: bytes) -> Exchange:
    return Exchange(
        url=url, at=at, method="GET", request_headers=[("User-Agent", "Scenthound")],
        protocol="HTTP/1.1", status=status, reason="OK",
        response_headers=[("Content-Type", "text/html; charset=utf-8")], body=body,
    )  # fmt: skip
