"""Runs every command of the tutorial in the order of the page: ``python -m tools.tutorial``.

A block of the page is run as it stands. One with the title "another terminal" is started first and
left running until the end; those with the title "install" are left out unless they are asked for.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tutorial.md"
INSTALL, ANOTHER_TERMINAL = "install", "another terminal"
_BLOCK = re.compile(r'^```sh(?: title="([^"]*)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_SOURCE = ("src", "pyproject.toml", "README.md", "LICENSE")

_SERVING = """({commands}) > another-terminal.log 2>&1 &
serving=$!
trap 'kill $serving' EXIT
until grep -q "Ctrl-C ends it" another-terminal.log; do
  kill -0 $serving || {{ cat another-terminal.log; exit 1; }}
  sleep 0.1
done
"""


@dataclass(frozen=True, slots=True)
class Block:
    """Commands of the page, and the title above them."""

    title: str
    commands: str


def blocks(page: str) -> list[Block]:
    """The blocks of commands of a page, in order."""
    return [Block(title or "", commands) for title, commands in _BLOCK.findall(page)]


def script(page: str, install: bool) -> str:
    """One script for bash that ends at the first command that fails."""
    parts = ["set -euo pipefail\n"]
    for block in blocks(page):
        if block.title == ANOTHER_TERMINAL:
            parts.append(_SERVING.format(commands=block.commands.strip()))
        elif block.title != INSTALL or install:
            parts += [f"echo '$ '{_quoted(line)}\n{line}\n" for line in _lines(block)]
    return "".join(parts)


def _lines(block: Block) -> list[str]:
    return [line for line in block.commands.splitlines() if line.strip()]


def _quoted(line: str) -> str:
    return "'" + line.replace("'", "'\\''") + "'"


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of the script, run in a folder of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help="in a fresh environment, too")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        if given.install:
            copy_source(Path(folder))
        text = script(PAGE.read_text(encoding="utf-8"), given.install)
        return subprocess.run(["bash", "-c", text], cwd=folder, check=False).returncode


def copy_source(folder: Path) -> None:
    """What ``pip install .`` needs, without what was built from it."""
    for name in _SOURCE:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder / name)


if __name__ == "__main__":
    sys.exit(main())
