"""Vectors to keep, and programs that keep them in a process of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from scenthound.store.vector_cache import VectorCache
from scenthound.store.vector_cache_rows import Vector

DIMENSIONS = 64
_TESTS = Path(__file__).parent.parent
_BEGIN = """
import os, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from store.vector_making import known, vectors
from scenthound.store.vector_cache import VectorCache
told = []
cache = VectorCache(Path({folder!r}), warn=told.append)
"""


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def vector(number: int) -> Vector:
    return np.full(DIMENSIONS, number % 100, dtype=np.float16)


def vectors(numbers: range) -> dict[bytes, Vector]:
    return {key(n): vector(n) for n in numbers}


def known(cache: VectorCache, numbers: range) -> list[int]:
    """Which of the numbers the cache knows."""
    return sorted(
        int.from_bytes(each, "big") for each in cache.find("m", [key(n) for n in numbers])
    )


def started(folder: Path, code: str) -> subprocess.Popen[str]:
    """A program with a ``cache`` in the folder and what it has ``told``; its warnings end it."""
    program = _BEGIN.format(tests=str(_TESTS), folder=str(folder)) + code
    command = [sys.executable, "-W", "error", "-c", program]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(program: subprocess.Popen[str]) -> tuple[int, str]:
    """Its exit code, and what it printed or complained of."""
    out, err = program.communicate(timeout=60)
    return program.returncode, out + err
