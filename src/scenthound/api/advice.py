"""Commands that a message tells the user to type."""

from __future__ import annotations

import shlex
from pathlib import Path


def command(name: str, path: str | Path, *options: str) -> str:
    """``scenthound NAME PATH OPTIONS``, to be pasted into a shell as it stands.

    Parameters
    ----------
    name : of the command: ``resume``, ``stop``, ``replay``.
    path : of the crawl folder or archive, whatever signs are in it.
    options : what follows; none by default.
    """
    path = str(path)
    if path.startswith("-"):  # it would be taken for an option
        path = f"./{path}"
    return shlex.join(["scenthound", name, path, *options])
