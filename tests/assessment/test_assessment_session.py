"""Judging page after page, and the passages that are shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenthound.assessment.judged_file import JudgedFile, Line
from scenthound.assessment.passages import passages
from scenthound.assessment.session import JudgingSession

TEXT = "Nothing here. " * 30 + "Then a storm rose over the hills. " + "Nothing there. " * 30


def session(*judgements: str) -> JudgingSession:
    made = (
        Line(i, {"url": f"http://a.test/{i}", "judgement": j}) for i, j in enumerate(judgements)
    )
    return JudgingSession(JudgedFile(tuple(made)))


def said(made: JudgingSession) -> list[str]:
    return [line.cell("judgement") for line in made.file.lines]


def test_it_goes_on_where_somebody_stopped() -> None:
    made = session("yes", "", "no", "")
    assert made.number == 2
    made.answer("no")
    assert made.number == 4
    made.answer("?")
    assert made.current is None and said(made) == ["yes", "no", "no", "?"]
    made.answer("yes")
    assert said(made) == ["yes", "no", "no", "?"]


def test_going_back_changes_an_answer_and_returns() -> None:
    made = session("", "", "")
    made.answer("yes")
    made.answer("yes")
    made.back()
    made.back()
    assert made.number == 1 and said(made) == ["yes", "yes", ""]
    made.answer("no")
    assert made.number == 3 and said(made) == ["no", "yes", ""]


def test_going_back_from_the_first_page_and_from_the_end() -> None:
    made = session("", "")
    made.back()
    assert made.number == 1
    done = session("yes", "yes")
    done.back()
    assert done.number == 2 and done.current is not None


def test_nothing_to_judge() -> None:
    assert session().current is None


def test_passages_are_around_the_words_of_the_topic() -> None:
    (found,) = passages(TEXT, ["hurricane", "storm surge"])
    assert "a storm rose" in found and found.startswith("... ") and found.endswith(" ...")
    assert len(found) < 240


def test_passages_are_apart_and_few() -> None:
    found = passages("storm " * 500, ["storm"])
    assert len(found) == 3
    assert passages("A storm.", ["storm"]) == ["A storm."]


def test_without_such_words_the_beginning_is_shown() -> None:
    assert passages(TEXT, ["coffee"])[0].startswith("Nothing here.")
    assert passages(TEXT, [])[0].startswith("Nothing here.")
    assert passages(" \n ", ["storm"]) == []


@given(st.text(max_size=500), st.lists(st.text(max_size=10), max_size=3))
def test_any_text_gives_short_passages(text: str, phrases: list[str]) -> None:
    found = passages(text, phrases)
    assert len(found) <= 3 and all(0 < len(each) < 260 for each in found)
