"""Questions on a terminal: asked on stderr, asked again until the answer can be used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TypeVar

import typer

from scenthound.cli.screen import notices, say_error
from scenthound.core.errors import InputError

Answer = TypeVar("Answer")
Ask = Callable[[str], str]
"""Shows a prompt and gives back what was typed; EOFError at the end of the input."""


def can_ask() -> bool:
    """Is there somebody to answer?"""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str, read: Callable[[str], Answer], end: str = ": ") -> Answer:
    """The answer as ``read`` makes it; an InputError of it is told and the question repeated."""
    while True:
        text: str = typer.prompt(
            question, default="", show_default=False, prompt_suffix=end, err=True
        )
        try:
            return read(text.strip())
        except InputError as error:
            say_error(str(error))


def chosen_answer(ask: Ask, prompt: str, answers: Mapping[str, str], at_end: str) -> str:
    """One of the answers; what is none of them is asked for again.

    Parameters
    ----------
    ask : how it is got.
    prompt : what is shown.
    answers : what may be typed, in lower case, and what it stands for.
    at_end : stands for the end of the input.
    """
    while True:
        try:
            typed = ask(prompt).strip().lower()
        except EOFError:
            return at_end
        if typed in answers:
            return answers[typed]


def ask_many(question: str, read: Callable[[str], str], needed: str = "") -> tuple[str, ...]:
    """Answers, one a line, until an empty one; each is read at once.

    ``needed`` says why there must be one, where there must: it is told until there is.
    """
    notices().print(f"{question} (one a line, an empty line ends)", markup=False)
    found: dict[str, None] = {}
    while True:
        answer = ask("-", lambda text: read(text) if text else "", end=" ")
        if answer:
            found[answer] = None
        elif needed and not found:
            say_error(needed)
        else:
            return tuple(found)
