"""``scenthound sample --judge``: pages shown one after the other, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from scenthound.assessment.judged_file import TITLE, URL, JudgedFile, Line, write_judged
from scenthound.assessment.judgements import NO, UNSURE, YES
from scenthound.assessment.passages import passages
from scenthound.assessment.session import JudgingSession
from scenthound.cli.asking import Ask, chosen_answer
from scenthound.cli.screen import plain
from scenthound.core.errors import InputError
from scenthound.corpus.formula_guard import unguarded
from scenthound.corpus.record import PageRecord
from scenthound.corpus.stored_crawl import StoredCrawl

_BACK, _QUIT = "back", "quit"
_ANSWERS = {"y": YES, "n": NO, "?": UNSURE, "b": _BACK, "q": _QUIT}
_ANSWERS |= {word: word for word in (YES, NO, _BACK, _QUIT)}
_PROMPT = "  y(es), n(o), ? (cannot say), b(ack), q(uit), then Enter: "


class Judging:
    """Asks a person about every page of a sample that is not judged yet.

    Parameters
    ----------
    crawl : open, for the texts of the pages.
    path : of the sample, which is written after each answer.
    screen : where pages are shown.
    ask : how an answer is got.
    show_relevance : tell what the crawl thinks of the page; a judge had better not know.
    """

    def __init__(
        self, crawl: StoredCrawl, path: Path, screen: Console, ask: Ask, *, show_relevance: bool
    ) -> None:
        self._crawl = crawl
        self._path = path
        self._screen = screen
        self._ask = ask
        self._show_relevance = show_relevance

    def run(self, file: JudgedFile) -> JudgedFile:
        """Until all are judged or the person has had enough; the file as it is then."""
        session, records = JudgingSession(file), self._records(file)
        words = ", ".join(self._crawl.topic.keywords)
        self._screen.print(plain(f"Topic: {self._crawl.topic.name} ({words})"), style="bold")
        while (line := session.current) is not None:
            self._show(line, f"{session.number} of {len(file.lines)}", records)
            said = chosen_answer(self._ask, _PROMPT, _ANSWERS, at_end=_QUIT)
            if said == _QUIT:
                break
            if said == _BACK:
                session.back()
            else:
                session.answer(said)
                write_judged(self._path, session.file)
        return session.file

    def _show(self, line: Line, place: str, records: Mapping[str, PageRecord]) -> None:
        record = records.get(line.cell(URL))
        self._screen.print()
        title = unguarded(line.cell(TITLE)) or "(no title)"
        self._screen.print(plain(f"[{place}] {title}"), style="bold")
        self._screen.print(plain(line.cell(URL)), soft_wrap=True)
        if record is None:
            return
        if self._show_relevance:
            called = "relevant" if record.relevant else "not relevant"
            self._screen.print(f"relevance {record.similarity:.3f}: {called}")
        for passage in self._passages(record):
            self._screen.print(plain(f"  {passage}"), style="dim")

    def _passages(self, record: PageRecord) -> list[str]:
        try:
            page = self._crawl.bodies.page(record)
        except InputError as error:
            return [f"its text cannot be shown: {error}"]
        if page is None:
            return ["its text was not kept"]
        return passages(page.document.text, self._crawl.topic.keywords) or ["it has no text"]

    def _records(self, file: JudgedFile) -> dict[str, PageRecord]:
        wanted = {line.cell(URL) for line in file.lines}
        return {record.url: record for record in self._crawl.pages() if record.url in wanted}
