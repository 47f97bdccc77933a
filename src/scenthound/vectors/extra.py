"""Libraries that come with the extra ``neural``."""

from __future__ import annotations

import os
from types import ModuleType

from scenthound.core import extras

INSTALL = "pip install 'scenthound[neural]'"
_WAITING = "OMP_WAIT_POLICY"
"""How threads of PyTorch wait for each other. Unless told otherwise they keep their cores busy,
and on a machine that does anything else all come to a crawl: with two test runs beside it, texts
were encoded at 70 a second so, and at 310 with threads that sleep."""


def require(module: str, purpose: str, install: str = INSTALL) -> ModuleType:
    """The library ``module``, loaded so that its threads sleep; see :func:`.core.extras.require`.

    Parameters
    ----------
    module : its name for ``import``.
    purpose : who needs it, as the subject of a sentence: "BERT vectors".
    install : the command that brings it.
    """
    os.environ.setdefault(_WAITING, "PASSIVE")  # is read when the library is loaded
    return extras.require(module, purpose, install)
