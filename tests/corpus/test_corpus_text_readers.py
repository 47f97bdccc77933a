"""Pages read in other processes: in order, and whatever a page does to one of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from corpus.corpus_making import article, html_body
from scenthound.core.errors import ScenthoundError, SettingsError
from scenthound.corpus.main_text import PageText
from scenthound.corpus.text_readers import Task, TextReaders, check_jobs, default_jobs

CHILD = """
import os, sys, time
from scenthound.live.wire import READY, read_frame, write_frame
write_frame(sys.stdout.buffer, READY)
while (frame := read_frame(sys.stdin.buffer)) is not None:
    head, body = frame
    if body == b"hang" and head["main"] or body == b"hang always":
        time.sleep(600)
    if body == b"die" and head["main"]:
        os._exit(9)
    text = body.decode() + ("" if head["main"] else ", visible")
    write_frame(sys.stdout.buffer, {"text": text, "failed": False})
"""
FAKE = (sys.executable, "-c", CHILD)


def tasks(*bodies: str | None) -> Iterator[Task[int]]:
    for number, body in enumerate(bodies):
        yield Task(number, None if body is None else html_body(body))


def read(*bodies: str | None, jobs: int = 2) -> list[tuple[int, str, bool]]:
    with TextReaders(jobs, patience_s=0.5, command=FAKE) as readers:
        return [(task.item, t.text, t.failed) for task, t in readers.read(tasks(*bodies))]


def test_pages_come_in_the_order_they_were_given() -> None:
    words = [f"page {number}" for number in range(40)]
    assert read(*words, jobs=3) == [(n, word, False) for n, word in enumerate(words)]


def test_one_that_hangs_is_read_again_without_looking_for_its_main_text() -> None:
    found = read("a", "hang", "b", jobs=1)
    assert found == [(0, "a", False), (1, "hang, visible", True), (2, "b", False)]


def test_one_that_kills_the_process_is_too() -> None:
    assert read("a", "die", "b") == [(0, "a", False), (1, "die, visible", True), (2, "b", False)]


def test_one_that_always_hangs_has_no_text_and_costs_no_other() -> None:
    assert read("hang always", "b", jobs=1) == [(0, "", True), (1, "b", False)]


def test_without_a_body_nobody_is_asked() -> None:
    assert read(None, "") == [(0, "", False), (1, "", False)]


def test_only_a_few_pages_are_taken_ahead() -> None:
    taken = []

    def counted() -> Iterator[Task[int]]:
        for task in tasks(*map(str, range(100))):
            taken.append(task.item)
            yield task

    with TextReaders(2, command=FAKE) as readers:
        next(readers.read(counted()))
    assert len(taken) == 6


def test_whoever_leaves_early_waits_for_nobody() -> None:
    with TextReaders(1, patience_s=600, command=FAKE) as readers:
        found = readers.read(tasks("a", "b", "c", "hang"))
        assert next(found)[1] == PageText(text="a")


def test_a_process_that_does_not_start_is_told() -> None:
    with (
        TextReaders(1, command=(sys.executable, "-c", "")) as readers,
        pytest.raises(ScenthoundError, match="does not start"),
    ):
        list(readers.read(tasks("a")))


def test_the_real_process_reads_a_page() -> None:
    with TextReaders(1) as readers:
        ((task, text),) = readers.read([Task("x", html_body(article("Storm")))])
    assert task.item == "x" and text.source == "main" and "tied up" in text.text


@pytest.mark.parametrize("jobs", [0, -1, 65, True, "2", 1.5])
def test_bad_numbers_of_processes(jobs: int) -> None:
    with pytest.raises(SettingsError, match="from 1 to 64"):
        check_jobs(jobs)


def test_there_is_a_process_by_default() -> None:
    assert 1 <= default_jobs() <= 8
