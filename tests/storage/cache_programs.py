"""Programs that use a cache in a process of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_TESTS = Path(__file__).parent.parent
_BEGIN = """
import os, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
{imports}
told = []
cache = {kind}(Path({folder!r}), warn=told.append)
"""


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def begun(kind: str, imports: str, folder: Path, code: str) -> subprocess.Popen[str]:
    """A program with a ``cache`` in the folder and what it has ``told``; its warnings end it."""
    begin = _BEGIN.format(tests=str(_TESTS), imports=imports, kind=kind, folder=str(folder))
    command = [sys.executable, "-W", "error", "-c", begin + code]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(program: subprocess.Popen[str]) -> tuple[int, str]:
    """Its exit code, and what it printed or complained of."""
    out, err = program.communicate(timeout=120)
    return program.returncode, out + err
