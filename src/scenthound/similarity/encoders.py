"""Interfaces of the models of words and texts, their caches, and what they run on: libraries,
packaged files, batches, device and threads.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from scenthound.core import errors
from scenthound.core.errors import SettingsError
from scenthound.core.parameters import check_at_least

Vectors = npt.NDArray[np.float32]
"""A row for each word or text."""
CachedArray = npt.NDArray[np.float16]
"""A vector, or a table of them, as a cache holds it."""


class Encoder(Protocol):
    """A model that makes vectors."""

    dimensions: int

    @property
    def name(self) -> str:
        """Model, weights and settings: two of one name give the same vectors but for rounding."""


class TextEncoder(Encoder, Protocol):
    """Makes one vector of a whole text."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each text, in order; zeros for a text without a token.

        A text longer than the model takes is read up to there.
        """


class WordEncoder(Encoder, Protocol):
    """Makes a vector of every word in its context."""

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        """For each passage a row for each of its words, in order, not brought to length 1.

        A passage of any length is read in windows of what the model takes. A word that the model
        has no piece of gets zeros; an empty passage gets no row.
        """


class WordVectors(Protocol):
    """One vector for each word of a list, whatever its context."""

    dimensions: int

    def look_up(self, words: Sequence[str]) -> Vectors:
        """A row for each word, not brought to length 1; zeros for a word it does not have."""


class VectorCache(Protocol):
    """Vectors that were worked out before, by model and by a hash of what was read."""

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, CachedArray]:
        """Those of the keys that are known; a vector, or several as the rows of a table."""

    def keep(self, model: str, found: Mapping[bytes, CachedArray]) -> None:
        """Store them for other runs."""


@dataclass(frozen=True, slots=True)
class ModelRuntime:
    """What encoders work with.

    Parameters
    ----------
    cache : vectors of earlier runs; None for no cache.
    device : "auto" for the GPU where there is one, "cpu", "cuda", "cuda:1", "mps", ...
    threads : of the processor that a model may use; 0 for as many as there are cores, at most 8.
    """

    cache: VectorCache | None = None
    device: str = "auto"
    threads: int = 0
    _warned: set[str] = field(default_factory=set, repr=False, compare=False)

    def warn(self, message: str) -> None:
        """Issue a warning once: a strategy may be built several times in one run."""
        if message not in self._warned:
            self._warned.add(message)
            errors.warn_caller(message)


# Encoders with a cache: known vectors are looked up, the others are encoded in one go.
#
# The cache holds float16. What was just encoded is rounded likewise, so that a run with a full
# cache gives the very numbers of the run that filled it.

Content = TypeVar("Content")
_LARGEST = float(np.finfo(np.float16).max)


class CachedEncoder:
    """A ``TextEncoder`` that reads no text twice."""

    def __init__(self, encoder: TextEncoder, cache: VectorCache | None) -> None:
        self.name, self.dimensions = encoder.name, encoder.dimensions
        self._encoder, self._cache = encoder, cache

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row for each text, in order, of length 1 up to the rounding; no text gives no row."""
        keys = [content_key(text) for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        shape = (self.dimensions,)
        known = cached_vectors(
            self._cache, self.name, wanted, lambda _: shape, self._encoder.encode
        )
        rows = [known[key] for key in keys]
        return np.array(rows, np.float32).reshape(len(keys), self.dimensions)


class CachedWords:
    """A ``WordEncoder`` that reads no passage twice."""

    def __init__(self, encoder: WordEncoder, cache: VectorCache | None) -> None:
        self.name, self.dimensions = encoder.name, encoder.dimensions
        self._encoder, self._cache = encoder, cache

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        """For each passage a row for each of its words, in order."""
        # The key of a passage is never that of a text, whose vector is another one.
        keys = [content_key("\0".join(passage), b"words") for passage in passages]
        wanted = {key: words for key, words in zip(keys, passages, strict=True) if words}
        known = cached_vectors(
            self._cache,
            self.name,
            wanted,
            lambda key: (len(wanted[key]), self.dimensions),
            self._encoder.encode_words,
        )
        nothing = np.zeros((0, self.dimensions), np.float32)
        return [known[key].astype(np.float32) if key in known else nothing for key in keys]


def cached_vectors(
    cache: VectorCache | None,
    model: str,
    wanted: Mapping[bytes, Content],
    shape: Callable[[bytes], tuple[int, ...]],
    encode: Callable[[Sequence[Content]], Iterable[Vectors]],
) -> dict[bytes, CachedArray]:
    """A vector or table for each key of ``wanted``, from the cache where it has it.

    What is missing is encoded in one go, and stored. Nothing wanted gives nothing.

    ``shape``: of the array of a key; another one, of a damaged cache, is worked out again.
    """
    if not wanted:
        return {}
    found = {} if cache is None else cache.find(model, list(wanted))
    known = {key: array for key, array in found.items() if array.shape == shape(key)}
    missing = {key: content for key, content in wanted.items() if key not in known}
    if missing:
        arrays = encode(list(missing.values()))
        # A number too large for float16 becomes the largest. Without a cache vectors are rounded
        # too, so that a crawl is the same as one with an empty cache.
        fresh = {
            key: np.clip(array, -_LARGEST, _LARGEST).astype(np.float16)
            for key, array in zip(missing, arrays, strict=True)
        }
        if cache is not None:
            cache.keep(model, fresh)
        known |= fresh
    return known


def content_key(text: str, kind: bytes = b"") -> bytes:
    """The key of a text in a cache; equal texts of two kinds have two keys."""
    content = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16, person=kind).digest()


# What the neural models run on: libraries, packaged files, batches, device and threads.

INSTALL = "pip install 'scenthound[neural]'"
_WAITING = "OMP_WAIT_POLICY"
"""How threads of PyTorch wait for each other. By default they keep their cores busy, and on a
machine that does anything else all slow down: with two test runs beside it, texts were encoded at
70 a second so, and at 310 with threads that sleep."""


def require(module: str, purpose: str, install: str = INSTALL) -> ModuleType:
    """The library ``module``, loaded so that its threads sleep.

    ``purpose``: who needs it, as the subject of a sentence: "BERT vectors".
    """
    os.environ.setdefault(_WAITING, "PASSIVE")  # is read when the library is loaded
    return errors.require_library(module, purpose, install)


# Models that come inside a Python package: where their files lie, and whether they are whole.


def package_folder(module: str, missing: str) -> Path:
    """Folder of an installed package. The package is not imported."""
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise SettingsError(missing)
    return Path(spec.submodule_search_locations[0])


@lru_cache(maxsize=8)
def check_files(folder: Path, pinned: tuple[tuple[str, str], ...], package: str) -> None:
    """Check that every file is the one we pinned; once in a process for each folder.

    Parameters
    ----------
    pinned : paths inside the folder, each with the SHA-256 of its content in hexadecimal digits.
    package : its name and version for ``pip``, named in the SettingsError about a file that is
        missing, cut short or another one.
    """
    for name, expected in pinned:
        try:
            if file_digest(folder / name) == expected:
                continue
        except OSError:  # the sentence is the same
            pass
        raise SettingsError(
            f"{folder / name} is missing, damaged, or not the file we know; install it again with: "
            f"pip install --force-reinstall {package}."
        )


def file_digest(path: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal digits. OSError where it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# Texts in batches: those of like lengths together, so that little of a batch is padding.

Integers = npt.NDArray[np.int64]


def token_batches(lengths: Sequence[int], most: int, spare: int) -> Iterator[list[int]]:
    """Places in ``lengths``, each in one batch, the longest first.

    Parameters
    ----------
    most : tokens of a batch, padding included. A longer text is a batch by itself.
    spare : padding that a batch may have: about what a further batch would cost.
    """
    batch: list[int] = []
    longest = padding = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        padding += longest - lengths[place]
        if not batch or padding > spare or (len(batch) + 1) * longest > most:
            if batch:
                yield batch
            batch, longest, padding = [], lengths[place], 0
        batch.append(place)
    if batch:
        yield batch


def padded(rows: Sequence[Sequence[int]], padding: int) -> tuple[Integers, Integers]:
    """Rows of tokens as a table, and 1 where it holds a token, 0 where ``padding``."""
    lengths = np.array([len(row) for row in rows], np.int64)
    mask = np.arange(lengths.max(initial=0)) < lengths[:, np.newaxis]
    table = np.full(mask.shape, padding, np.int64)
    table[mask] = [token for row in rows for token in row]
    return table, mask.astype(np.int64)


def word_windows(pieces: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """First word, and the one after the last, of each window of a passage.

    A window is filled with whole words up to ``room`` pieces.

    ``pieces``: of each word, none more than ``room``; no word gives no window.
    """
    start = filled = 0
    for word, count in enumerate(pieces):
        if filled + count > room:
            yield start, word
            start, filled = word, 0
        filled += count
    if start < len(pieces):
        yield start, len(pieces)


# Where a model of PyTorch works: on which device, with how many threads, how exactly.

AUTO = "auto"
MAX_THREADS = 8
_FAST_IN_BFLOAT16 = ("avx512_bf16", "amx_bf16")
"""What a processor has that multiplies in bfloat16; others only imitate it, slowly."""


def chosen_device(asked: str) -> str:
    """The device that was asked for; ``auto``: the GPU where there is one, else the processor.

    SettingsError where the device is not there.
    """
    import torch

    if asked == AUTO:
        mps = "mps" if torch.backends.mps.is_available() else "cpu"
        return "cuda" if torch.cuda.is_available() else mps
    try:
        torch.zeros(1, device=asked).tolist()
    except (RuntimeError, AssertionError, NotImplementedError):  # each device has its own
        raise SettingsError(
            f"There is no device {asked!r} here; give auto, cpu, or a GPU by name, such as cuda."
        ) from None
    return asked


def chosen_precision(device: str, exact: bool = False) -> str:
    """Kind of numbers that ``device`` multiplies fastest without a loss one would notice.

    ``exact``: float32 in any case, for numbers that do not depend on the device.
    """
    import torch

    if exact:
        return "float32"
    if device.startswith("cuda"):
        return "float16"
    capabilities: Mapping[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    fast = any(capabilities.get(name) for name in _FAST_IN_BFLOAT16)
    return "bfloat16" if fast and device.startswith("cpu") else "float32"


def thread_count(asked: int) -> int:
    """As many threads as asked for; 0: as many as this process may use cores, at most 8.

    SettingsError for less than 0.
    """
    check_at_least(0, threads=asked)
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return asked or min(cores, MAX_THREADS)


@contextmanager
def threads(count: int) -> Iterator[None]:
    """PyTorch works with so many threads meanwhile. Their number is the whole process's."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
