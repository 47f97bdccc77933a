"""What a run of the command answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


Command = Callable[..., Answer]


def refused(answer: Answer, *words: str) -> None:
    """Bad input: one sentence that names what is wrong, exit code 2, nothing on stdout."""
    assert (answer.code, answer.out) == (2, ""), answer.err
    message = answer.err.strip()
    assert message.startswith("error: ") and "\n" not in message, message
    for word in words:
        assert word in message, message
