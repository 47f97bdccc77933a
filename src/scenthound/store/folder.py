"""The crawl folder: one versioned layout for replays, live crawls, reports and workers.

DIR/crawl.json           what was asked for: format, topic, strategy, settings, seed, versions
DIR/journal.jsonl        what happened, one event a line
DIR/state.npz            what the strategy has learnt
DIR/results.json         the figures, once the crawl is over
DIR/waiting.sqlite       what still waited when a replay was over, for explain
DIR/concepts.json        the weights of the concepts it is judged by, if an ontology is the judge
DIR/crawl.lock           held by the process that crawls; DIR/*.request are left for it

A replay takes its lock away when it ends. A live crawl has besides:

DIR/pages-00001.warc.gz  the pages, as they came; further segments as it grows
DIR/frontier.sqlite      what waits, what was fetched, where it lies, how far it was committed
DIR/topic.json           the topic's words and the texts of its example pages
"""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.model import Topic
from scenthound.core.protocols import State
from scenthound.store.atomic import write_json
from scenthound.store.journal import FileJournal
from scenthound.store.segments import segments_in
from scenthound.store.state import load_state, save_state

FORMAT = "scenthound-crawl"
VERSION = 1
_NAME_BYTES = 80
_VERSIONED = ("scenthound", "selectolax", "w3lib", "warcio", "numpy")


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for: enough to run the same crawl again."""

    kind: str
    topic: Topic
    strategy: str
    parameters: Mapping[str, object]
    budget: int
    seed: int
    source: Mapping[str, object]
    settings: Mapping[str, object]

    def to_json(self) -> dict[str, object]:
        """The content of ``crawl.json``."""
        versions = {name: version(name) for name in _VERSIONED}
        return {
            "format": FORMAT,
            "version": VERSION,
            **asdict(self),
            "versions": {"python": platform.python_version(), **versions},
        }


class CrawlFolder:
    """A folder that holds one crawl. Use :meth:`create` or :meth:`open`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def order_path(self) -> Path:
        """Where the order is."""
        return self.path / "crawl.json"

    @property
    def waiting_path(self) -> Path:
        """Where it is written what waited when a replay was over."""
        return self.path / "waiting.sqlite"

    @property
    def journal_path(self) -> Path:
        """Where the events are."""
        return self.path / "journal.jsonl"

    @property
    def state_path(self) -> Path:
        """Where the learned state is."""
        return self.path / "state.npz"

    @property
    def database_path(self) -> Path:
        """Where the frontier and the ledger of a live crawl are."""
        return self.path / "frontier.sqlite"

    @property
    def results_path(self) -> Path:
        """Where the figures are."""
        return self.path / "results.json"

    @classmethod
    def create(cls, path: Path, order: Order) -> CrawlFolder:
        """A new crawl folder; FolderError if there is one already or it cannot be written."""
        folder = cls(path)
        folder.refuse_taken()
        try:
            path.mkdir(parents=True, exist_ok=True)
            write_json(folder.order_path, order.to_json())
        except OSError as error:
            raise FolderError(f"cannot write the crawl folder {path}: {error.strerror}.") from None
        return folder

    @classmethod
    def open(cls, path: Path) -> CrawlFolder:
        """An existing crawl folder of a version we can read."""
        folder = cls(path)
        order = folder.order()
        if order.get("format") != FORMAT:
            raise FolderError(f"{path} holds no Scenthound crawl.")
        if order.get("version") != VERSION:
            raise FolderError(
                f"{path} has format version {order.get('version')}, this Scenthound reads "
                f"{VERSION}: use the version of Scenthound that wrote it."
            )
        return folder

    def refuse_taken(self) -> None:
        """FolderError if a crawl lives here: nothing written is ever overwritten."""
        written = (
            self.order_path, self.journal_path, self.state_path, self.results_path,
            self.database_path,
        )  # fmt: skip
        try:
            taken = self.holds_pages() or any(path.exists() for path in written)
        except OSError as error:
            raise FolderError(
                f"cannot use the crawl folder {self.path}: {error.strerror}."
            ) from None
        if taken:
            raise FolderError(
                f"{self.path} holds a crawl already; choose another --out folder (a live crawl "
                "goes on with: scenthound resume)."
            )

    def holds_pages(self) -> bool:
        """Are there WARC files of a crawl here? Nobody else's may be cut or written to."""
        return self.path.is_dir() and bool(segments_in(self.path))

    def replace_order(self, order: Order) -> None:
        """Write the order anew, for a crawl that goes on with other limits."""
        try:
            write_json(self.order_path, order.to_json())
        except OSError as error:
            raise FolderError(f"{self.order_path} cannot be written: {error.strerror}.") from None

    def order(self) -> dict[str, object]:
        """What ``crawl.json`` says."""
        try:
            order = json.loads(self.order_path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise FolderError(f"{self.path} holds no crawl: there is no crawl.json.") from None
        except OSError as error:
            raise FolderError(f"{self.order_path} cannot be read: {error.strerror}.") from None
        except (ValueError, RecursionError) as error:
            raise FolderError(f"{self.order_path} cannot be read: {error}.") from None
        if not isinstance(order, dict):
            raise FolderError(f"{self.order_path} is not what Scenthound writes.")
        return order

    def journal(self) -> FileJournal:
        """The journal, open for appending."""
        return FileJournal(self.journal_path)

    def save_state(self, state: State) -> None:
        """Keep what the strategy has learnt."""
        save_state(state, self.state_path)

    def load_state(self) -> State:
        """What the strategy had learnt when it was last saved."""
        return load_state(self.state_path)

    def write_results(self, results: Mapping[str, object]) -> None:
        """The figures of the finished crawl."""
        try:
            write_json(self.results_path, results)
        except OSError as error:
            raise FolderError(f"{self.results_path} cannot be written: {error.strerror}.") from None


def folder_name(name: str) -> str:
    """A topic or strategy name as a folder name; never empty, never a path, never too long."""
    cleaned = re.sub(r"[^\w.-]+", "-", name).strip("-.")
    return cleaned.encode()[:_NAME_BYTES].decode("utf-8", "ignore") or "unnamed"
