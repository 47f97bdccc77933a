"""What a person's words mean, and which page of the crawl each is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenthound.assessment.frame import Frame, FramePage
from scenthound.assessment.judged_file import JUDGEMENT, URL, Line
from scenthound.assessment.origin import SampleOf
from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical

YES, NO, UNSURE = "yes", "no", "?"
_WORDS = {
    **dict.fromkeys(("yes", "y", "1", "1.0", "1,0", "true", "t", "x", "relevant", "+"), YES),
    **dict.fromkeys(
        ("no", "n", "0", "0.0", "0,0", "false", "f", "irrelevant", "not relevant", "-"), NO
    ),
    **dict.fromkeys(("?", "unsure", "unknown", "cannot say", "maybe"), UNSURE),
}
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Judged:
    """A document and what a person says of it."""

    page: FramePage
    right: bool
    line: int


@dataclass(frozen=True, slots=True)
class Judgements:
    """What the lines of a file come to.

    ``complaints`` name the lines that are left out, with the reason; ``unsure`` and ``empty``
    count lines without a yes or no, about which nothing is wrong.
    """

    judged: tuple[Judged, ...]
    unsure: int
    empty: int
    complaints: tuple[str, ...]


def meaning(text: str) -> str | None:
    """``yes``, ``no`` or ``?``; empty for nothing said, None for a word we do not know."""
    text = text.strip().strip("'\"").lower()
    return _WORDS.get(text) if text else ""


def read_judgements(
    lines: Sequence[Line], frame: Frame, sample: SampleOf | None = None
) -> Judgements:
    """Every usable line as a judgement of a document; nothing usable gives none.

    With a ``sample`` only its lines count: pages that somebody added were not drawn at random.
    """
    reading = _Reading(frame, sample)
    for line in lines:
        reading.take(line)
    return reading.result()


class _Reading:
    """Takes line after line, and notes what is wrong with it."""

    def __init__(self, frame: Frame, sample: SampleOf | None) -> None:
        self._documents = {each.url: each for each in frame.documents}
        self._others = frame.others
        self._sample = sample
        self._judged: dict[str, Judged] = {}
        self._contradicted: set[str] = set()
        self._complaints: list[str] = []
        self._unsure = self._empty = 0

    def take(self, line: Line) -> None:
        """One line more."""
        said, page = meaning(line.cell(JUDGEMENT)), self._page(line)
        if page is None:
            return
        if said is None:
            word = line.cell(JUDGEMENT)[:_SHOWN]
            self._complain(line, f"{word!r} is no judgement; write yes, no or ?")
        elif not said:
            self._empty += 1
        elif said == UNSURE:
            self._unsure += 1
        else:
            self._keep(Judged(page, said == YES, line.number), line)

    def result(self) -> Judgements:
        """All that could be used, in the order of the file."""
        judged = tuple(self._judged.values())
        return Judgements(judged, self._unsure, self._empty, tuple(self._complaints))

    def _page(self, line: Line) -> FramePage | None:
        address = line.cell(URL)
        try:
            url = canonical(address)
        except MalformedUrlError as error:
            self._complain(line, str(error))
            return None
        page = self._documents.get(url)
        if page is None and url in self._others:
            self._complain(line, f"{url} is no document ({self._others[url]})")
        elif page is None:
            self._complain(line, f"{url} is no page of this crawl")
        elif self._sample is not None and not self._sample.holds(line):
            self._complain(line, f"{url} was not drawn for this sample")
            page = None
        return page

    def _keep(self, judged: Judged, line: Line) -> None:
        url = judged.page.url
        before = self._judged.get(url)
        if url in self._contradicted:
            self._complain(line, f"{url} was judged both yes and no")
        elif before is None:
            self._judged[url] = judged
        elif before.right == judged.right:
            self._complain(line, f"{url} stands in line {before.line} already; counted once")
        else:
            del self._judged[url]
            self._contradicted.add(url)
            self._complain(
                line, f"{url} was judged otherwise in line {before.line}; neither counts"
            )

    def _complain(self, line: Line, reason: str) -> None:
        self._complaints.append(f"line {line.number}: {reason}.")
