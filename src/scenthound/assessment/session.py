"""Judging page after page: which one comes next, and going back."""

from __future__ import annotations

from dataclasses import replace

from scenthound.assessment.judged_file import JUDGEMENT, JudgedFile, Line


class JudgingSession:
    """Goes through a file in its order, from the first page without a judgement on.

    Parameters
    ----------
    file : what is to be judged; it stays as it is, see ``file`` for what it has become.
    """

    def __init__(self, file: JudgedFile) -> None:
        self._file = file
        self._lines = list(file.lines)
        self._chosen: int | None = None

    @property
    def file(self) -> JudgedFile:
        """The file with all answers so far."""
        return replace(self._file, lines=tuple(self._lines))

    @property
    def current(self) -> Line | None:
        """The page to judge now; None when all are judged."""
        place = self._place
        return self._lines[place] if place < len(self._lines) else None

    @property
    def number(self) -> int:
        """Which line that is, counted from 1."""
        return self._place + 1

    def answer(self, judgement: str) -> None:
        """Judge the current page; nothing happens when all are judged."""
        place = self._place
        if place < len(self._lines):
            self._lines[place] = self._lines[place].judged(judgement)
        self._chosen = None

    def back(self) -> None:
        """Judge the page before once more; at the first one stay there."""
        self._chosen = max(0, self._place - 1)

    @property
    def _place(self) -> int:
        if self._chosen is not None:
            return self._chosen
        empty = (i for i, line in enumerate(self._lines) if not line.cell(JUDGEMENT))
        return next(empty, len(self._lines))
