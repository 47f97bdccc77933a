"""Crawl folders written by hand, and reports read back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

from scenthound.core.model import Topic
from scenthound.storage.folder import CrawlFolder, CrawlSpec

Json = dict[str, object]
TOPIC = Topic("storms", keywords=("storm",), seeds=("http://w.test/",))


def page(n: int, url: str = "", **others: object) -> Json:
    """A page event; page 1 is a seed, the others are linked from page 1."""
    seed = n == 1
    event: Json = {
        "event": "page", "n": n, "at": float(n), "url": url or f"http://w.test/{n}",
        "status": 200, "title": f"Page {n}",
        "depth": 0 if seed else 1, "priority": None if seed else 0.5,
        "parts": {} if seed else {"anchor": [1.0, 0.5], "full": [0.1, 0.5]},
        "linked_from": 0 if seed else 1,
        "inlinks": [] if seed else [[1, 0.5, f"to {n}"]],
        "similarity": 0.4, "relevant": True,
        "links": {"found": 3, "new": 1, "rescored": 0, "closed": 0, "repeated": 0},
        "dropped": {"nofollow": [2, ["http://w.test/login"]]},
        "summary": {"fetched": n},
    }  # fmt: skip
    return {**event, **others}


def off_topic(n: int, url: str = "", **others: object) -> Json:
    return page(n, url, **{"similarity": 0.01, "relevant": False, **others})


STARTED: Json = {"event": "started", "at": 0.0, "topic": "storms", "strategy": "vsm", "budget": 9,
                 "seeds": ["http://w.test/"], "threshold": 0.1}  # fmt: skip
STOPPED: Json = {"event": "stopped", "at": 9.0, "reason": "budget spent", "summary": {}}


def crawl_folder(
    path: Path, events: Sequence[Mapping[str, object]], tail: str = "", topic: Topic = TOPIC
) -> Path:
    """A replay of an archive that is gone."""
    crawl_spec = CrawlSpec(
        "replay", topic, "vsm", {}, 9, 0, {"archive": str(path / "gone.warc.gz")},
        {"inlinks": "max", "judge": "similarity"},
    )  # fmt: skip
    folder = CrawlFolder.create(path, crawl_spec)
    lines = [json.dumps(event) for event in events]
    folder.journal_path.write_text("".join(f"{line}\n" for line in lines) + tail, encoding="utf-8")
    return path


class Parsed(HTMLParser):
    """The tags of a page with their attributes, and its texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def read(path: Path) -> Parsed:
    return Parsed(path.read_text(encoding="utf-8"))
