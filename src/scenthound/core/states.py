"""What the state of a scorer or policy may hold: it goes to a file, and nothing is pickled."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def state_fault(state: object) -> str | None:
    """Why a state cannot be written, as the rest of a sentence; None where it can."""
    if not isinstance(state, dict):
        return f"gives a value of type {type(state).__name__} as its state, not a dict"
    return _fault(state)


def _fault(state: object) -> str | None:
    match state:
        case dict():
            if not all(isinstance(key, str) for key in state):
                return "has a state with a key that is no text"
            return _first_fault(state.values())
        case list():
            return _first_fault(state)
        case np.ndarray():
            return "has an array of Python objects in its state" if state.dtype.hasobject else None
        case bool() | int() | float() | str() | None:
            return None
        case _:
            kind = type(state).__name__
            return f"has a {kind} in its state, which holds JSON values and arrays"


def _first_fault(values: Iterable[object]) -> str | None:
    return next((fault for each in values if (fault := _fault(each)) is not None), None)
