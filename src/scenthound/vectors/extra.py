"""Libraries that come with the extra ``neural``."""

from __future__ import annotations

import importlib
import os
from types import ModuleType

from scenthound.core.errors import SettingsError

INSTALL = "pip install 'scenthound[neural]'"
_WAITING = "OMP_WAIT_POLICY"
"""How threads of PyTorch wait for each other. Unless told otherwise they keep their cores busy,
and on a machine that does anything else all come to a crawl: with two test runs beside it, texts
were encoded at 70 a second so, and at 310 with threads that sleep."""


def require(module: str, purpose: str) -> ModuleType:
    """The library ``module``; without it a SettingsError that says which extra to install.

    Parameters
    ----------
    module : its name for ``import``.
    purpose : who needs it, as the subject of a sentence: "BERT vectors".
    """
    os.environ.setdefault(_WAITING, "PASSIVE")  # is read when the library is loaded
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = (error.name or module).partition(".")[0]
        raise SettingsError(f"{purpose} needs {missing}; install it with: {INSTALL}.") from None
