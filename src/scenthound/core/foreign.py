"""Parts that others wrote: when one fails, a sentence says whose it is, and where."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenthound.core.errors import ScenthoundError, StrategyError

_OURS = __name__.partition(".")[0]
_LONGEST = 200


def is_foreign(part: object) -> bool:
    """Was the class or function, or the class of the object, written outside this package?"""
    home = part if inspect.isclass(part) or inspect.isroutine(part) else type(part)
    return str(home.__module__).partition(".")[0] != _OURS


def failure(error: BaseException) -> str:
    """What went wrong and where, in one line: ``ValueError: too low (words.py, line 12)``."""
    said = " ".join(str(error).split())[:_LONGEST]
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return type(error).__name__ + (f": {said}" if said else "") + where


@contextmanager
def blaming(strategy: str, part: object, doing: str) -> Iterator[None]:
    """Whatever a foreign part raises becomes a StrategyError; our own fail as they are.

    Parameters
    ----------
    strategy : its name, for the message.
    part : the scorer or policy that is asked.
    doing : what it is asked to do: ``score()``.
    """
    try:
        yield
    except (ScenthoundError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # sys.exit() too: it would end the program without a word
        if not is_foreign(part):
            raise
        raise StrategyError(strategy, f"failed in {doing}: {failure(error)}") from error
