"""From which revision the weights of a URL come."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

import scenthound
from crawler.web_building import Plant, page
from scenthound import Topic, explain
from scenthound.core.model import Part
from scenthound.output.explanation import WeightsOrigin
from scenthound.output.journal_search import Revision, parse_revision, weights_origin

SECOND, FIRST = Revision(100, 81, {"full": 0.3}), Revision(50, 40, {"full": 0.6})
ALL = [SECOND, FIRST]


def weighed(weight: float) -> list[Part]:
    return [Part("full", 0.5, weight)]


def test_where_nothing_was_revised_or_weighed() -> None:
    assert weights_origin(weighed(0.3), []) is None
    assert weights_origin([], ALL) is None
    assert weights_origin(weighed(0.300004), ALL) == WeightsOrigin(
        2, 100, 81
    )  # what waits has the last


def test_a_page_has_those_of_its_time() -> None:
    assert weights_origin(weighed(0.6), ALL, before=70) == WeightsOrigin(1, 50, 40)
    assert weights_origin(weighed(0.3), ALL, before=101) == WeightsOrigin(2, 100, 81)
    assert weights_origin(weighed(0.5), ALL, before=50) == WeightsOrigin(0)


def test_a_page_that_was_asked_for_before_the_last_revision() -> None:
    assert weights_origin(weighed(0.6), ALL, before=103) == WeightsOrigin(1, 50, 40)
    assert weights_origin(weighed(0.5), ALL, before=103) == WeightsOrigin(0)


def test_weights_that_come_back_later_are_not_taken_for_earlier_ones() -> None:
    again = Revision(150, 120, FIRST.weights)
    assert weights_origin(weighed(0.6), [again, *ALL], before=90) == WeightsOrigin(1, 50, 40)
    assert weights_origin(weighed(0.6), [again, *ALL], before=160) == WeightsOrigin(3, 150, 120)


def test_an_event_that_says_nothing() -> None:
    for event in [{}, {"weights": None}]:
        assert parse_revision(event) == Revision(0, 0, {})


def test_a_replay_that_learnt(tmp_path: Path) -> None:
    words = ["storm" if n % 3 else f"cake {n}" for n in range(40)]
    links = [(f"/{n}", f"{words[n]} here") for n in range(40)]
    texts = [f"{words[n]} and {words[n]}, page {n}." for n in range(40)]
    pages = [page(f"/{n}", *links, text=texts[n], title=words[n]) for n in range(40)]
    with ExitStack() as stack:
        web = Plant(tmp_path, stack)(*pages)
    topic, out = Topic("storms", ("storm",), ("http://w.test/0",)), tmp_path / "out"
    run = scenthound.replay(web.archive.path, topic, "mcoa", parameters={"every": 10}, out=out)
    assert run.weights is not None
    seed, second, last = (explain(out, number).priority for number in (1, 2, 40))
    assert seed is not None and second is not None and last is not None
    assert (seed.revised, second.revised) == (None, WeightsOrigin(0))
    assert last.revised is not None and last.revised.times >= 1
    assert last.revised.links == run.weights.learned_from
    told = {part.name: part.weight for part in last.parts}
    assert told == pytest.approx(run.weights.values, abs=1e-5)
