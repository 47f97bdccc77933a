"""Everything that can go wrong, as one tree.

ScenthoundError
|-- InputError             what the user gave cannot be used: one sentence, exit code 2
|   |-- ArchiveError       the archive is missing, truncated or of an unknown kind
|   |-- TopicError         the topic file is unreadable, empty or has a typo
|   |-- LabelsError        the labels file is unreadable or names nothing we know
|   |-- JudgedFileError    a file of judgements is unreadable or has nothing to use
|   |-- OntologyError      an ontology file is unreadable, empty or has a circle
|   |-- LexiconError       a WordNet folder or file is missing, damaged or of another version
|   |-- SettingsError      an option, a config file or a ``--set`` cannot be used
|   |-- UnknownNameError   no such strategy, key, ...; says what was perhaps meant
|   |-- PluginError        an installed package adds something that cannot be used
|   |-- StrategyError      a third-party strategy fails, or breaks its contract
|   |-- ServerError        the server that workers share does not respond, or is full
|   `-- FolderError        a crawl folder is unreadable, taken or of another version
|-- MalformedUrlError      not a URL we can fetch; counted, never fatal
`-- PeekError              a page was read before it was leased: a bug in the caller
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import logging
import traceback
import warnings
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType


class ScenthoundError(Exception):
    """Base class of every error raised on purpose by Scenthound."""


class InputError(ScenthoundError):
    """What the user gave cannot be used. The message is one sentence that says what to do."""


class ArchiveError(InputError):
    """The archive is missing, truncated or of an unknown kind."""


class TopicError(InputError):
    """The topic is empty, unreadable or has a key we do not know."""


class LabelsError(InputError):
    """The labels file is unreadable, or names no page we can use."""


class JudgedFileError(InputError):
    """A file of judgements cannot be read or written, or holds nothing that can be used."""


class OntologyError(InputError):
    """An ontology, or the texts to learn one from, is unreadable, empty or contradicts itself."""


class LexiconError(InputError):
    """A WordNet folder or file is missing, damaged or of another version."""


class SettingsError(InputError):
    """An option, a configuration file or a ``--set`` cannot be used."""


class ServerError(InputError):
    """The server that workers share does not respond, or is full."""


class FolderError(InputError):
    """A crawl folder cannot be read or written, or holds another crawl."""


class PluginError(InputError):
    """An installed package adds something to this one that cannot be used."""


class StrategyError(InputError):
    """A third-party strategy failed, or returned a result of the wrong type.

    Parameters
    ----------
    strategy : its name.
    problem : the predicate of the sentence, such as ``failed in score()``.
    """

    def __init__(self, strategy: str, problem: str) -> None:
        self.strategy = strategy
        self.problem = problem
        super().__init__(f"strategy {strategy!r} {problem}; correct the package it comes from.")

    def __reduce__(self) -> tuple[type[StrategyError], tuple[str, str]]:
        """Pickle the arguments: an exception pickles its message by default."""
        return StrategyError, (self.strategy, self.problem)


class UnknownNameError(InputError, KeyError):
    """A name that nothing is registered under.

    Parameters
    ----------
    kind : what was looked up, in words ("strategy", "key of the topic file").
    name : the name as given.
    known : the names that exist; the closest ones are offered.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = sorted(known)
        close = difflib.get_close_matches(name, self.known, n=3, cutoff=0.5)
        if close:
            hint = f"did you mean {' or '.join(repr(c) for c in close)}?"
        elif self.known:
            hint = f"choose one of: {', '.join(self.known)}."
        else:
            hint = "there are none."
        super().__init__(f"unknown {kind} {name!r}; {hint}")

    def __str__(self) -> str:
        """The sentence itself; a KeyError would put it in quotes."""
        return str(self.args[0])


class MalformedUrlError(ScenthoundError, ValueError):
    """Not a URL this crawler can fetch."""


class PeekError(ScenthoundError):
    """A page of an archive was read before its URL was leased."""


# --- warnings


class ScenthoundWarning(UserWarning):
    """Something was left out or is odd; the work continues."""


def warn_caller(message: str) -> None:
    """Issue a :class:`ScenthoundWarning` that points at the line that called this package."""
    level, frame, package = 0, inspect.currentframe(), __name__.partition(".")[0]
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, ScenthoundWarning, stacklevel=level + 1)


# --- libraries that come with an extra of the package, and are loaded when they are needed

_MAX_MESSAGE = 200
"""Characters of a library's error message that are passed on."""


def require_library(module: str, purpose: str, install: str) -> ModuleType:
    """Import ``module``; SettingsError where it is missing or cannot be loaded.

    ``purpose`` is the subject of "needs it" in the message; ``install`` the command for it.
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
            f"({error_text(error)}); install it again."
        ) from None


@contextmanager
def silent_loggers(*names: str) -> Iterator[None]:
    """Switch off the loggers of libraries whose complaints are reported here instead."""
    with ExitStack() as stack:
        for logger in map(logging.getLogger, names):
            stack.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.CRITICAL + 1)
        yield


def error_text(error: Exception) -> str:
    """The message of a library's error, or its type: one line, cut, without a full stop."""
    printable = "".join(letter if letter.isprintable() else " " for letter in str(error))
    return " ".join(printable.split())[:_MAX_MESSAGE].rstrip(" .,:;!?") or type(error).__name__


# Parts that others wrote: a scorer, say, or a source of seeds.

_OWN_PACKAGE = __name__.partition(".")[0]


def is_third_party(part: object) -> bool:
    """Was the class or function, or the class of the object, written outside this package?"""
    home = part if inspect.isclass(part) or inspect.isroutine(part) else type(part)
    return str(home.__module__).partition(".")[0] != _OWN_PACKAGE


def describe_error(error: BaseException) -> str:
    """Type, message and place of an error: ``ValueError: too low (words.py, line 12)``."""
    message = " ".join(str(error).split())[:_MAX_MESSAGE]
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return type(error).__name__ + (f": {message}" if message else "") + where
