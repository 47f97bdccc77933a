"""The crawl folder: one versioned layout for replays, live crawls and workers, the lock that one
process holds on it, the requests left in it, and how crawls are found below a folder.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import version
from io import FileIO
from itertools import islice
from pathlib import Path
from typing import Self

from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.model import Topic
from scenthound.core.protocols import State
from scenthound.storage.files import os_errors_as, segments_in, write_json
from scenthound.storage.state import load_state, save_state

KIND = "crawl"
WEIGHTS, INLINKS, WORKER = "weights", "inlinks", "worker"

# One crawl at a time runs in a folder. The operating system releases the lock with its process.

LOCK_NAME = "crawl.lock"
_MAX_PID_BYTES = 20
_PAUSES_S = (0.0, 0.01, 0.05)
"""Before each attempt: somebody may only be asking who holds it, which takes microseconds."""


class FolderLock:
    """Holds ``crawl.lock`` in a folder until it is released; FolderError where another does.

    The operating system takes the lock back from a process that is killed. The file stays, which
    is no obstacle, and holds the number of the process that last had it.
    """

    def __init__(self, folder: Path) -> None:
        with os_errors_as(FolderError, f"the crawl folder {folder} cannot be locked"):
            self._file = FileIO(folder / LOCK_NAME, "ab+")
            try:
                _lock(self._file, folder)
                self._file.truncate(0)
                self._file.write(f"{os.getpid()}\n".encode())
            except BaseException:
                self._file.close()
                raise

    def release(self) -> None:
        """Let others in; a second time does nothing."""
        if not self._file.closed:
            fcntl.flock(self._file, fcntl.LOCK_UN)  # a forked child may have the file open too
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


def lock_holder(folder: Path) -> int | None:
    """The process that crawls in ``folder`` now; None where none does, or it is not known."""
    try:
        with FileIO(folder / LOCK_NAME, "rb") as file:
            # Only the lock itself is a safe test: the process named in the file may be dead.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _pid(folder)
    except OSError:
        return None
    return None


def _lock(file: FileIO, folder: Path) -> None:
    for pause_s in _PAUSES_S:
        time.sleep(pause_s)
        with suppress(BlockingIOError):
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    who = _pid(folder)
    process = "another process" if who is None else f"process {who}"
    raise FolderError(
        f"{folder} is being crawled by {process}: stop that crawl first, or choose another folder."
    )


def _pid(folder: Path) -> int | None:
    try:
        with FileIO(folder / LOCK_NAME, "rb") as file:
            return int(file.read(_MAX_PID_BYTES))
    except (OSError, ValueError):
        return None


# Requests to the process that crawls in a folder are files. While DIR/pause.request is there,
# nothing new is fetched. DIR/stop.request ends the crawl, which then removes the file.

PAUSE, STOP = "pause", "stop"
"""See :class:`scenthound.crawler.control.ControlRequests`."""


# The layout of a crawl folder:
#
#   crawl.json           the specification: format, topic, strategy, settings, seed, versions
#   journal.jsonl        the events, one a line
#   state.npz            the learned state of the strategy
#   results.json         the figures, once the crawl is over
#   waiting.sqlite       the URLs that waited when a replay was over, for explain
#   concepts.json        the weights of the concepts, where an ontology is the judge
#   crawl.lock           held by the process that crawls; a replay removes it at its end
#   *.request            requests to that process
#
# and of a live crawl besides:
#
#   pages-00001.warc.gz  the pages as they came; further segments as the crawl grows
#   frontier.sqlite      the frontier, the ledger of pages, and how far all was committed
#   topic.json           the topic's words and the texts of its example pages

FORMAT = "scenthound-crawl"
VERSION = 1
_NAME_BYTES = 80
_VERSIONED = ("scenthound", "selectolax", "w3lib", "numpy")


@dataclass(frozen=True, slots=True)
class CrawlSpec:
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
    """A folder that holds one crawl, and its files as above. Use :meth:`create` or :meth:`open`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.spec_path = path / "crawl.json"
        self.journal_path = path / "journal.jsonl"
        self.state_path = path / "state.npz"
        self.results_path = path / "results.json"
        self.waiting_path = path / "waiting.sqlite"
        self.database_path = path / "frontier.sqlite"

    @classmethod
    def create(cls, path: Path, spec: CrawlSpec) -> CrawlFolder:
        """A new crawl folder; FolderError if there is one already or it cannot be written."""
        folder = cls(path)
        folder.check_free()
        with os_errors_as(FolderError, f"cannot write the crawl folder {path}"):
            path.mkdir(parents=True, exist_ok=True)
        folder.replace_spec(spec)
        return folder

    @classmethod
    def open(cls, path: Path) -> CrawlFolder:
        """An existing crawl folder of a version we can read."""
        folder = cls(path)
        spec = folder.crawl_spec()
        if spec.get("format") != FORMAT:
            raise FolderError(f"{path} holds no Scenthound crawl.")
        if spec.get("version") != VERSION:
            raise FolderError(
                f"{path} has format version {spec.get('version')}, this Scenthound reads "
                f"{VERSION}: use the version of Scenthound that wrote it."
            )
        return folder

    def check_free(self) -> None:
        """FolderError if a crawl lives here: nothing written is ever overwritten."""
        written = set(vars(self).values()) - {self.path, self.waiting_path}
        with os_errors_as(FolderError, f"cannot use the crawl folder {self.path}"):
            if self.path.exists() and not self.path.is_dir():
                raise FolderError(f"{self.path} is a file; choose another --out folder.")
            taken = self.holds_pages() or any(path.exists() for path in written)
        if taken:
            raise FolderError(
                f"{self.path} holds a crawl already; choose another --out folder (a live crawl "
                "goes on with: scenthound resume)."
            )

    def holds_pages(self) -> bool:
        """Are there WARC files of a crawl here? Nobody else's may be cut or written to."""
        return self.path.is_dir() and bool(segments_in(self.path))

    def replace_spec(self, spec: CrawlSpec) -> None:
        """Replace ``crawl.json``, for a crawl that goes on with other limits."""
        with os_errors_as(FolderError, f"{self.spec_path} cannot be written"):
            write_json(self.spec_path, spec.to_json())

    def crawl_spec(self) -> dict[str, object]:
        """What ``crawl.json`` says."""
        try:
            spec = json.loads(self.spec_path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise FolderError(
                f"{self.path} holds no crawl: there is no crawl.json; give the folder of one."
            ) from None
        except NotADirectoryError:
            raise FolderError(f"{self.path} is a file; give the folder of a crawl.") from None
        except (OSError, ValueError, RecursionError) as error:
            why = getattr(error, "strerror", None) or error
            raise FolderError(f"{self.spec_path} cannot be read: {why}; put a copy back.") from None
        if not isinstance(spec, dict):
            raise FolderError(f"{self.spec_path} is not what Scenthound writes.")
        return spec

    def save_state(self, state: State) -> None:
        """Save what the strategy has learned."""
        save_state(state, self.state_path)

    def load_state(self) -> State:
        """What the strategy had learned when it was last saved."""
        return load_state(self.state_path)

    def write_results(self, results: Mapping[str, object]) -> None:
        """The figures of the finished crawl."""
        with os_errors_as(FolderError, f"{self.results_path} cannot be written"):
            write_json(self.results_path, results)


def folder_name(name: str) -> str:
    """A topic or strategy name as a folder name; never empty, never a path, never too long."""
    cleaned = re.sub(r"[^\w.-]+", "-", name).strip("-.")
    return cleaned.encode()[:_NAME_BYTES].decode("utf-8", "ignore") or "unnamed"


# Crawls in a folder that somebody names, or a few levels below it.

MAX_CRAWLS = 500
_DEPTH = 3
_MAX_FOLDERS = 5_000
"""Looked into below one that was named: somebody may name a home folder."""
_NAMED = 5
"""Folders of crawls that are named in a message."""


def find_crawls(root: Path) -> list[Path]:
    """The crawl folders at or below ``root``, by name; none where there are none.

    Below a crawl nothing is looked for. Links to folders and hidden folders are left out.
    """
    folders, found = [root], list[Path]()
    for folder in islice(folders, _MAX_FOLDERS):  # those below come behind all that are nearer
        if os.path.exists(CrawlFolder(folder).spec_path):
            found.append(folder)
        elif len(folder.relative_to(root).parts) < _DEPTH:
            with suppress(OSError), os.scandir(folder) as entries:
                below = [each.name for each in entries if each.is_dir(follow_symlinks=False)]
                folders += [folder / name for name in sorted(below) if name[0] != "."]
    return found[:MAX_CRAWLS]


def check_no_parent_folder(path: Path) -> None:
    """FolderError for a folder of crawls, as a replay of several writes one: names them."""
    if os.path.exists(CrawlFolder(path).spec_path):
        return
    if contains_workers(path):
        raise FolderError(
            f"{path} holds the workers of a crawl; make one folder of them with: scenthound merge "
            f"{path} --out DIR"
        )
    if found := [str(each) for each in find_crawls(path)]:
        more = ", ..." if len(found) > _NAMED else ""
        raise FolderError(
            f"{path} holds no crawl itself, but folders of crawls; give one of them: "
            f"{', '.join(found[:_NAMED])}{more}."
        )


def contains_workers(path: Path) -> bool:
    """Is there no crawl in the folder itself, but those of workers below it?"""
    try:
        return not CrawlFolder(path).spec_path.exists() and bool(worker_folders_in(path))
    except OSError:
        return False


def worker_folders_in(path: Path) -> list[Path]:
    """Folders of workers in a folder; hidden ones and other crawls are passed over.

    A crawl that cannot be read counts as a worker's: opening it then reports the error.
    """
    return [
        each
        for each in sorted(path.iterdir())
        if each.is_dir() and not each.name.startswith(".") and _holds_worker(CrawlFolder(each))
    ]


def _holds_worker(folder: CrawlFolder) -> bool:
    try:
        settings = folder.crawl_spec().get("settings")
        return isinstance(settings, dict) and WORKER in settings
    except FolderError:
        there = folder.spec_path.exists() or folder.journal_path.exists()
        return there or folder.holds_pages()


# Folders as arguments of the Python API.

Folders = str | Path | Sequence[str | Path]
"""Of one crawl: its folder, the folder that holds those of its workers, or several of those."""


def folder_paths(name: str, value: object) -> tuple[Path, ...]:
    """Return one path or several; SettingsError where the argument ``name`` is something else."""
    if isinstance(value, str | os.PathLike):
        check_required_path(name, value)
        return (Path(value),)
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise SettingsError(f"{name} takes a path, or a list of them.")
    for each in value:
        check_required_path(name, each)
    return tuple(map(Path, value))


def check_required_path(name: str, value: object) -> None:
    """SettingsError where the argument ``name`` is no path; an empty one would be this folder."""
    if not isinstance(value, str | os.PathLike):
        raise wrong_type_error(name, "a path", value)
    if not os.fspath(value):
        raise SettingsError(f"{name} is an empty path; give its name.")


def wrong_type_error(name: str, wanted: str, value: object) -> SettingsError:
    """The error for an argument of a type that it does not take."""
    found = "None" if value is None else f"a value of type {type(value).__name__}"
    return SettingsError(f"{name} takes {wanted}, not {found}.")
