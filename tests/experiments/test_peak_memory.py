"""What a run tells of the process it ran in."""

from __future__ import annotations

import subprocess
import sys


def test_peak_memory_is_not_that_of_the_process_that_started_this_one() -> None:
    """The first process has a block of 200 MB; the second has had no more than its own."""
    asking = "from scenthound.experiments.runner import peak_rss_mb; print(peak_rss_mb())"
    held = bytearray(b"x") * 200_000_000
    told = subprocess.run([sys.executable, "-c", asking], capture_output=True, check=True)
    assert 1.0 < float(told.stdout) < len(held) / 1e6
