"""Records warnings."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scenthound.core.errors import ScenthoundWarning


@contextmanager
def recorded_warnings() -> Iterator[list[str]]:
    """Record the messages of every ScenthoundWarning."""
    messages: list[str] = []

    def show(message: Warning | str, *where: Any, **more: Any) -> None:
        messages.append(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", ScenthoundWarning)
        warnings.showwarning = show
        yield messages
