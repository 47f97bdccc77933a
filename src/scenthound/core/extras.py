"""Libraries that come with an extra of the package, and are loaded when they are needed."""

from __future__ import annotations

import importlib
from types import ModuleType

from scenthound.core.errors import SettingsError

_LONGEST = 200
"""Characters of a library's complaint that are passed on."""


def require(module: str, purpose: str, install: str) -> ModuleType:
    """The library ``module``; where it is missing or cannot be loaded, a SettingsError.

    Parameters
    ----------
    module : its name for ``import``.
    purpose : who needs it, as the subject of a sentence: "BERT vectors".
    install : the command that brings it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = (error.name or module).partition(".")[0]
        raise SettingsError(f"{purpose} needs {missing}; install it with: {install}.") from None
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  a library runs any code while it is loaded
        raise SettingsError(
            f"{purpose} needs {module.partition('.')[0]}, which is installed but cannot be loaded "
            f"({complaint(error)}); install it again."
        ) from None


def complaint(error: Exception) -> str:
    """What a library says is wrong, for the middle of a sentence: one line, cut, without an end.

    Parameters
    ----------
    error : of a library; where it says nothing, the name of its kind is given.
    """
    printable = "".join(letter if letter.isprintable() else " " for letter in str(error))
    return " ".join(printable.split())[:_LONGEST].rstrip(" .,:;!?") or type(error).__name__
