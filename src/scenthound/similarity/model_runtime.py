"""What the neural models run on: libraries, packaged files, batches, device and threads."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt

from scenthound.core import errors
from scenthound.core.errors import SettingsError

INSTALL = "pip install 'scenthound[neural]'"

_WAITING = "OMP_WAIT_POLICY"
"""How threads of PyTorch wait for each other. By default they keep their cores busy, and on a
machine that does anything else all slow down: with two test runs beside it, texts were encoded at
70 a second so, and at 310 with threads that sleep."""


def require(module: str, purpose: str, install: str = INSTALL) -> ModuleType:
    """The library ``module``, loaded so that its threads sleep.

    Parameters
    ----------
    module : its name for ``import``.
    purpose : who needs it, as the subject of a sentence: "BERT vectors".
    install : the command that brings it.
    """
    os.environ.setdefault(_WAITING, "PASSIVE")  # is read when the library is loaded
    return errors.require_library(module, purpose, install)


# Models that come inside a Python package: where their files lie, and whether they are whole.


def package_folder(module: str, missing: str) -> Path:
    """Folder of an installed package. The package is not imported.

    Parameters
    ----------
    module : its name for ``import``.
    missing : the sentence of the SettingsError where it is not installed.
    """
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise SettingsError(missing)
    return Path(spec.submodule_search_locations[0])


@lru_cache(maxsize=8)
def check_files(folder: Path, pinned: tuple[tuple[str, str], ...], package: str) -> None:
    """Check that every file is the one we pinned; once in a process for each folder.

    Parameters
    ----------
    folder : where they lie.
    pinned : paths inside the folder, each with the SHA-256 of its content in hexadecimal digits.
    package : its name and version for ``pip``, named in the SettingsError about a file that is
        missing, cut short or another one.
    """
    for name, expected in pinned:
        problem = "is damaged, or not the file we know"
        try:
            if file_digest(folder / name) == expected:
                continue
        except OSError:
            problem = "is missing or cannot be read"
        raise SettingsError(
            f"{folder / name} {problem}; install it again with: "
            f"pip install --force-reinstall {package}."
        )


def file_digest(path: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal digits. OSError where it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def encodable(text: str) -> str:
    """``text`` with a question mark for each half of a character, which no tokenizer takes.

    Pages have them, by escapes in scripts and in JSON.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


# Texts in batches: those of like lengths together, so that little of a batch is padding.


Integers = npt.NDArray[np.int64]


def token_batches(lengths: Sequence[int], most: int, spare: int) -> Iterator[list[int]]:
    """Places in ``lengths``, each in one batch, the longest first.

    Parameters
    ----------
    lengths : tokens of each text; none gives no batch.
    most : tokens of a batch, padding included. A longer text is a batch by itself.
    spare : padding that a batch may have: about what a further batch would cost.
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    start = 0
    while start < len(order):
        ordered = [lengths[place] for place in order[start : start + most]]
        count = _fitting(ordered, most, spare)
        yield order[start : start + count]
        start += count


def _fitting(lengths: Sequence[int], most: int, spare: int) -> int:
    """How many of the texts, the longest first, make one batch; at least one."""
    longest, padding = lengths[0], 0
    for count, length in enumerate(lengths):
        padding += longest - length
        if count and (padding > spare or (count + 1) * longest > most):
            return count
    return len(lengths)


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

    Parameters
    ----------
    pieces : of each word, none more than ``room``; no word gives no window.
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

    Parameters
    ----------
    exact : float32 in any case, for numbers that do not depend on the device.
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
    if asked < 0:
        raise SettingsError(f"threads must be 0, for as many as there are cores, or more: {asked}.")
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
