"""How long does a user wait for the shipped WordNet?"""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from scenthound.text.wordnet_files import SHIPPED

ROUNDS = 5
_PROGRAM = """
import time
from scenthound.text.wordnet import shipped
started = time.perf_counter()
wordnet = shipped()
loaded = time.perf_counter()
len(wordnet.nouns.index) + len(wordnet.verbs.index)
print(loaded - started, time.perf_counter() - loaded)
"""


def wordnet_loading() -> None:
    """Print the loading time in fresh processes, imports not counted, and the file's size."""
    rounds = [_seconds() for _ in range(ROUNDS)]
    load, index = (1000 * median(column) for column in zip(*rounds, strict=True))
    print(
        f"shipped WordNet: {SHIPPED.stat().st_size / 1e6:.2f} MB on disk, loaded in {load:.0f} ms; "
        f"indexes of its words {index:.0f} ms more (fresh process, median of {ROUNDS})"
    )


def _seconds() -> tuple[float, float]:
    command = [sys.executable, "-c", _PROGRAM]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    load, index = map(float, said.split())
    return load, index
