"""How a comparison ends that did not come to its end, or not with every run."""

from __future__ import annotations

from typing import NoReturn

from scenthound.cli.ending import ToldExit
from scenthound.cli.screen import notices, plain, say_warning

_SOME_FAILED = 1


def end_failed(failed: int, again: str) -> NoReturn:
    """Say how many runs failed and what tries them again, "" for nothing; end with exit code 1."""
    told = "1 run" if failed == 1 else f"{failed:,} runs"
    which = "it" if failed == 1 else "them"
    say_warning(f"{told} failed" + (f"; try {which} again with: {again}" if again else ""))
    raise ToldExit(_SOME_FAILED)


def tell_going_on(again: str) -> None:
    """Say what goes on with a comparison that is broken off."""
    notices().print(plain(f"finished runs are kept; go on with: {again}"), soft_wrap=True)
