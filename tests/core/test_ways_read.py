"""In which ways texts are read: what a scorer tells, what files keep, what people read."""

from __future__ import annotations

import json

import pytest

from scenthound.core.ways_read import WaysRead, listed, ways_read, ways_stored

BOTH = WaysRead(("words", "meaning"), "the extra neural is not installed")


class Reader:
    def __init__(self, ways: object, why_fewer: str | None = None) -> None:
        self.ways = ways
        if why_fewer is not None:
            self.why_fewer = why_fewer


def test_what_a_scorer_tells() -> None:
    assert ways_read(Reader(("words",))) == WaysRead(("words",))
    assert ways_read(Reader(["words", "meaning"], BOTH.fewer)) == BOTH
    assert ways_read(object()) is ways_read(Reader(())) is ways_read(None) is None


@pytest.mark.parametrize("ways", [3, "words", {"words": 1}])
def test_other_things_of_that_name_are_not_taken_for_it(ways: object) -> None:
    assert ways_read(Reader(ways)) is None


def test_in_words() -> None:
    every = WaysRead(("words", "meaning", "sentence"))
    assert every.told() == "by words, meaning and sentences"
    assert BOTH.told() == "by words and meaning: the extra neural is not installed"
    assert WaysRead(("words",), "it is so.").told() == "by words: it is so"
    assert (listed([]), listed(["a"]), listed(["a", "b"])) == ("", "a", "a and b")


def test_what_is_written_is_read_back() -> None:
    assert ways_stored(json.loads(json.dumps(BOTH.to_json()))) == BOTH


@pytest.mark.parametrize("stored", [None, 3, [], {}, {"ways": []}, {"ways": "words"}])
def test_what_is_none_is_none(stored: object) -> None:
    assert ways_stored(stored) is None


def test_what_anybody_wrote_is_cut() -> None:
    found = ways_stored({"ways": [{"x": "y" * 999}] * 999, "fewer": "z" * 999})
    assert found is not None and len(found.told()) < 3_000
