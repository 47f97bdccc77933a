"""Vectors to keep, and programs that keep them in a process of their own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

from scenthound.storage.cache import Vector, VectorCache
from storage.cache_programs import begun, ended, key

__all__ = ["DIMENSIONS", "ended", "key", "known", "started", "vector", "vectors"]

DIMENSIONS = 64
_IMPORTS = """
from storage.vector_making import known, vectors
from scenthound.storage.cache import VectorCache
"""


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
    """A program with a vector cache."""
    return begun("VectorCache", _IMPORTS, folder, code)
