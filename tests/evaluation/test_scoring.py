"""From the lines of a file to figures, all worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.frame_making import frame, judged
from scenthound.core.errors import JudgedFileError, SettingsError
from scenthound.evaluation import sampling, scoring
from scenthound.evaluation.estimates import Count, precision, recall
from scenthound.evaluation.judged_file import JudgedLine
from scenthound.evaluation.judgements import count_strata, parse_judgement, read_judgements
from scenthound.storage.stored_crawl import page_record

Z = 1.96
HUNDRED = frame([i / 100 for i in range(100)])


def lines(*rows: tuple[str, str]) -> list[JudgedLine]:
    return [
        JudgedLine(i, {"url": url, "judgement": said})
        for i, (url, said) in enumerate(rows, start=2)
    ]


def answered(made: sampling.Frame, wanted: sampling.SampleOptions, right: int) -> list[JudgedLine]:
    """A sample in which pages from number ``right`` on are about the topic."""
    drawn = sampling.new_sample(made, wanted, lambda p: ("y" if p.n >= right else "n", ""))
    return list(drawn.file.lines)


def test_words_and_shares() -> None:
    for means, words in {
        "yes": "yes| Y |1|TRUE|relevant", "no": "no|n|0|FALSE|not relevant", "?": "?",
        "": "|  ", None: "ja|2",
    }.items():  # fmt: skip
        assert {parse_judgement(word) for word in words.split("|")} == {means}
    for value in (0.0, 1.5, float("nan")):
        for name in ("confidence", "precision"):
            with pytest.raises(SettingsError, match=f"{name} is a share"):
                scoring.ScoreOptions(**{name: value})
    assert scoring.ScoreOptions(precision=1.0).precision == 1.0


def test_the_stratified_mean_by_hand() -> None:
    """10 pages at 4 of 5 and 90 at 1 of 10: 0.1 * 0.8 + 0.9 * 0.1 = 0.17."""
    found = precision([Count(10, 5, 4), Count(90, 10, 1)], Z)
    assert found is not None and found.value == pytest.approx(0.17)
    assert found.low < 0.17 < found.high
    assert precision([], Z) is None
    assert precision([Count(10, 0, 0), Count(5, 5, 5)], Z) is None
    assert precision([Count(0, 0, 0), Count(5, 5, 5)], Z) is not None
    assert recall([Count(10, 5, 0)], [Count(10, 5, 0)], Z) is None
    assert recall([Count(10, 0, 0)], [Count(10, 5, 1)], Z) is None


def test_every_strange_line_is_named_and_the_rest_goes_on() -> None:
    made = sampling.Frame(100, HUNDRED.documents, {"http://a.test/copy": "a copy of page 3"})
    found = read_judgements(
        lines(
            ("http://a.test/1", "yes"), ("http://a.test/2", "no"), ("http://a.test/3", "?"),
            ("http://a.test/4", ""), ("http://a.test/5", "perhaps"), ("http://b.test/", "yes"),
            ("nonsense", "yes"), ("http://a.test/1", "y"), ("http://a.test/2", "yes"),
            ("http://a.test/2", "no"), ("http://a.test/copy", "yes"), ("HTTP://A.test/6#x", "1"),
        ),
        made,
    )  # fmt: skip
    assert [(each.page.n, each.right) for each in found.judged] == [(1, True), (6, True)]
    assert (found.unsure, found.empty) == (1, 1)
    assert list(found.complaints) == [
        "line 6: 'perhaps' is no judgement; write yes, no or ?.",
        "line 7: http://b.test/ is no page of this crawl.",
        found.complaints[2],
        "line 9: http://a.test/1 stands in line 2 already; counted once.",
        "line 10: http://a.test/2 was judged otherwise in line 3; neither counts.",
        "line 11: http://a.test/2 was judged both yes and no.",
        "line 12: http://a.test/copy is no document (a copy of page 3).",
    ]
    assert found.complaints[2].startswith("line 8: ")


def test_a_sample_is_scored_by_its_bands() -> None:
    """Pages 41 to 100 are about the topic: all 50 called relevant, and 10 of the others."""
    found = scoring.score_judgements(
        answered(HUNDRED, sampling.SampleOptions(100), 41), HUNDRED, scoring.ScoreOptions()
    )
    assert found.drawn_at_random and len(found.bands) == 5
    assert found.called_relevant is not None and found.called_relevant.low == 1.0
    assert found.all_documents is not None and found.all_documents.value == pytest.approx(0.6)
    assert found.recall is not None and found.recall.value == pytest.approx(50 / 60)
    assert found.advice.sure is not None and found.advice.likely is not None
    assert found.advice.likely.threshold == pytest.approx(0.34)  # 60 of 66 pages
    assert found.advice.likely.documents == 66
    assert found.advice.likely.recall is not None and found.advice.likely.recall.value == 1.0


def test_a_band_without_a_judgement_joins_its_neighbour() -> None:
    bands = sampling.cut_bands(HUNDRED.documents, 4)
    pages = [*bands[0].documents[:3], *bands[3].documents[:2]]
    cells = count_strata(bands, judged(pages, [True, True, False, False, True]))
    assert [(cell.relevant, cell.count) for cell in cells] == [
        (True, Count(50, 3, 2)), (False, Count(50, 2, 1)),
    ]  # fmt: skip
    low_side = count_strata(bands, judged(bands[3].documents[:2], [True, True]))
    assert [cell.count for cell in low_side] == [Count(50, 0, 0), Count(50, 2, 2)]
    found = precision([low_side[0].count], Z)
    assert found is None


def test_a_threshold_within_a_band_splits_it() -> None:
    """Pages 0.90, 0.70 right, 0.60 not: from 0.7 on two of two, on 30 documents of the band."""
    (band,) = sampling.cut_bands(HUNDRED.documents[50:], 1)
    pages = [HUNDRED.documents[i] for i in (60, 70, 90)]
    cells = count_strata([band], judged(pages, [False, True, True]))
    found = scoring.cutoff(cells, 0.7, Z)
    assert found is not None and found.precision.value == 1.0
    assert (found.documents, found.judged) == (30, 2)
    assert found.recall is not None and found.recall.value == 1.0
    everything = scoring.cutoff(cells, 0.0, Z)
    assert everything is not None and everything.precision.value == pytest.approx(2 / 3)


def test_no_threshold_is_invented_and_one_lucky_page_of_a_band_is_none() -> None:
    bands = sampling.cut_bands(HUNDRED.documents, 2)

    def advised(
        pages: Sequence[sampling.FramePage], right: Sequence[bool], wanted: float = 0.9
    ) -> scoring.ThresholdAdvice:
        return scoring.advise(count_strata(bands, judged(pages, right)), wanted, Z)

    none = advised(HUNDRED.documents[::5], [False] * 20)
    assert none.likely is None and none.sure is None
    assert none.best is not None and none.best.precision.value == 0.0
    assert advised(HUNDRED.documents[-9:], [True] * 9).best is None
    # Twelve of the upper band are right, and the first of the lower one: it may be chance.
    upper, lower = bands[0].documents[:12], bands[1]
    found = advised([*upper, *lower.documents[45:46]], [True] * 13)
    assert found.likely is not None and found.likely.threshold == bands[0].low
    right = [True] * 12 + [False] * 10 + [True] * 5
    found = advised([*upper, *lower.documents[30:45]], right, 0.99)
    assert found.likely is not None and found.likely.threshold == lower.documents[40].similarity


def test_nothing_to_score() -> None:
    cases: list[tuple[list[tuple[str, str]], str]] = [
        ([], "no line is judged"),
        ([("http://a.test/1", ""), ("http://a.test/2", "")], "2 lines have no judgement"),
        ([("http://b.test/1", "yes")], r"1 cannot be used \(the first: line 2: http://b.test/1"),
    ]
    for rows, message in cases:
        with pytest.raises(JudgedFileError, match=message):
            scoring.score_judgements(lines(*rows), HUNDRED, scoring.ScoreOptions())


def test_the_frame_holds_documents_only() -> None:
    events = [
        {"n": 1, "url": "http://a.test/", "status": 200, "similarity": 0.5, "relevant": True},
        {"n": 2, "url": "http://a.test/x", "status": 404, "similarity": 0, "relevant": False},
        {"n": 3, "url": "http://a.test/c", "status": 200, "similarity": 0.5, "relevant": False,
         "copy_of": 1},
        {"n": 4, "url": "http://a.test/", "status": 200, "similarity": 0.1, "relevant": False},
        {"n": 5, "url": "http://a.test/e", "status": 200, "similarity": 0, "relevant": False,
         "problem": "empty body"},
    ]  # fmt: skip
    found = sampling.read_frame(page_record({"at": 0.0, "depth": 0, **event}) for event in events)
    assert [(p.n, p.similarity) for p in found.documents] == [(1, 0.5)]
    assert found.others == {
        "http://a.test/x": "status 404", "http://a.test/c": "a copy of page 1",
        "http://a.test/e": "empty body",
    }  # fmt: skip
    assert found.pages == 5 and sampling.read_frame([]).documents == ()
