"""From bands and draws to figures: samples of pages, passages for a judge, and scores by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scenthound
from evaluation.frame_making import frame
from output.corpus_making import article, html_folder
from scenthound.core.errors import JudgedFileError, SettingsError
from scenthound.evaluation import sampling, scoring
from scenthound.evaluation.estimates import Count, precision, recall
from scenthound.evaluation.judged_file import JudgedLine
from scenthound.evaluation.judging import passages, topic_words
from scenthound.evaluation.sampling import allocate, cut_bands, draw, read_frame
from scenthound.evaluation.scoring import (
    JudgedPage,
    count_strata,
    parse_judgement,
    read_judgements,
)
from scenthound.storage.pages import Response, read_page
from scenthound.storage.stored_crawl import NOTHING_TO_READ, open_crawl, page_record
from text.pdf_writing import encrypted, pdf

SIMILARITIES = st.lists(st.integers(0, 40).map(lambda i: i / 40), max_size=120)
SIZES = st.lists(st.integers(0, 30), min_size=1, max_size=8)


def test_bands_allocation_and_chances_of_pages_by_hand() -> None:
    """Ten documents, four of them relevant; four bands: two and two, in halves."""
    made = frame([0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9])
    found = [(b.relevant, b.low, b.high, len(b.documents)) for b in cut_bands(made.documents, 4)]
    assert found == [
        (True, 0.7, 0.9, 2), (True, 0.5, 0.6, 2), (False, 0.2, 0.4, 3), (False, 0.05, 0.15, 3),
    ]  # fmt: skip
    assert allocate([10, 10, 10], 9) == [3, 3, 3]
    assert allocate([10, 10, 10], 10) == [4, 3, 3]
    assert allocate([2, 10, 10], 12) == [2, 5, 5]
    assert allocate([2, 3], 100) == [2, 3]
    assert allocate([], 5) == []
    # Of 10 pages 4 are drawn, 2,000 times: each 800 times, give or take five deviations.
    bands = cut_bands(frame([i / 1000 for i in range(10)]).documents, 1)
    drawn = Counter(page.n for seed in range(2000) for page, _ in draw(bands, 4, seed))
    deviation = (2000 * 0.4 * 0.6) ** 0.5
    assert len(drawn) == 10
    assert all(abs(times - 800) < 5 * deviation for times in drawn.values())


@given(SIMILARITIES, st.integers(2, 9))
def test_bands_part_all_documents_by_similarity(similarities: list[float], count: int) -> None:
    made = frame(similarities)
    bands = cut_bands(made.documents, count)
    numbers = [page.n for band in bands for page in band.documents]
    assert sorted(numbers) == list(range(1, len(similarities) + 1))
    assert [band.number for band in bands] == list(range(1, len(bands) + 1))
    assert all(a.low > b.high for a, b in pairwise(bands))
    assert all(page.relevant == band.relevant for band in bands for page in band.documents)
    assert len(bands) <= count


@given(SIZES, st.integers(0, 200))
def test_a_larger_sample_takes_no_less_from_any_band(sizes: list[int], n: int) -> None:
    given_now, given_next = allocate(sizes, n), allocate(sizes, n + 1)
    assert sum(given_now) == min(n, sum(sizes))
    assert all(a <= b for a, b in zip(given_now, given_next, strict=True))
    assert all(a <= size for a, size in zip(given_now, sizes, strict=True))


@given(SIMILARITIES, st.integers(1, 40), st.integers(0, 5))
def test_a_larger_draw_holds_the_smaller_one(similarities: list[float], n: int, seed: int) -> None:
    bands = cut_bands(frame(similarities).documents, 5)
    first, larger = draw(bands, n, seed), draw(bands, n + 7, seed)
    assert first == draw(bands, n, seed)
    assert len({page.n for page, _ in first}) == min(n, len(similarities))
    assert set(first) <= set(larger)


HTML, PDF, PICTURE = "text/html", "application/pdf", "image/png"
UNREADABLE = [
    (b"", HTML),
    (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, PICTURE),
    (b"<html><body><img src='a.png'></body></html>", HTML),
    (pdf([""]), PDF),
    (encrypted(pdf(["Storm surge"]), "secret"), PDF),
    (b"%PDF-1.4 and nothing else", PDF),
]


def problem(body: bytes, content_type: str) -> str:
    made = Response("http://a.test/", 200, {"content-type": content_type}, body)
    return read_page(made, (), 0.0, pdf=True).problem


def test_pages_that_cannot_be_judged_are_not_drawn(tmp_path: Path) -> None:
    assert {problem(*each) for each in UNREADABLE} == NOTHING_TO_READ
    for body in (b"<title>Storm</title>", b"<p>storm", b"storm"):
        assert problem(body, HTML) not in NOTHING_TO_READ
    linked = ["empty.html", "picture.html", "b.html"]
    files = {"index.html": article("Storm", links=linked), "b.html": article("Second storm")}
    files |= {"empty.html": "", "picture.html": "<img src='a.png'>"}
    crawled = html_folder(tmp_path, files)
    with open_crawl(crawled) as crawl:
        found = read_frame(crawl.pages())
    assert {page.title for page in found.documents} == {"Storm", "Second storm"}
    assert sorted(found.others.values()) == ["empty body", "no text"]
    assert scenthound.draw_sample(crawled, tmp_path / "judged.csv").added == 2
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


TEXT = "Nothing here. " * 30 + "Then a storm rose over the hills. " + "Nothing there. " * 30


def test_passages_are_around_the_words_of_the_topic_in_any_script() -> None:
    (found,) = passages(TEXT, ["hurricane", "storm surge"])
    assert "a storm rose" in found and found.startswith("... ") and found.endswith(" ...")
    assert len(found) < 240
    assert len(passages("storm " * 500, ["storm"])) == 3
    assert passages("A storm.", ["storm"]) == ["A storm."]
    for words in (["coffee"], []):
        assert passages(TEXT, words)[0].startswith("Nothing here.")
    assert passages(" \n ", ["storm"]) == []
    for keyword, sentence in [
        ("台风", "气象台昨天说台风将在明天登陆沿海地区。"),
        ("ハリケーン", "昨日の夜大きなハリケーンが上陸した。"),
        ("태풍", "기상청은 어제 태풍이 온다고 말했다."),
        ("พายุ", "กรมอุตุนิยมวิทยาประกาศเตือนพายุลูกใหม่"),
        ("шторм", "Синоптики сказали: шторм придёт завтра."),
        ("“ток”", "По проводу течёт поток, и ток растёт завтра."),
        ("AI", "They said that AI will change much."),
        ("WiFi", "今天在办公室用WiFi上网很慢。"),
    ]:
        blank = " " if " " in sentence else ""
        word = keyword.strip("“”")
        filling = sentence.replace(f" {word} ", " ").replace(word, "") + blank
        text = filling * 40 + sentence + blank + filling * 40
        (found,) = passages(text, [keyword])
        assert word in found and 150 < len(found) < 240
        assert found.startswith("... ") and found.endswith(" ...")
    filling = "今天天气很好。" * 40
    (found,) = passages(f"{filling}热带的气旋来了。{filling}", ["热带气旋"])
    assert "热带的气旋" in found
    filling = "The aid of the air. " * 30
    (found,) = passages(f"{filling}AI is here. {filling}", ["AI"])
    assert "AI is here" in found
    assert passages(filling, ["history of music"])[0].startswith("The aid")
    assert topic_words(["history of music", "C++", "?!", "--"]) == {"history", "music", "C"}


@given(st.text(max_size=500), st.lists(st.text(max_size=10), max_size=3))
def test_any_text_gives_short_passages(text: str, phrases: list[str]) -> None:
    found = passages(text, phrases)
    assert len(found) <= 3 and all(0 < len(each) < 260 for each in found)


Z = 1.96
HUNDRED = frame([i / 100 for i in range(100)])


def judged(pages: Sequence[sampling.FramePage], right: Sequence[bool]) -> list[JudgedPage]:
    return [JudgedPage(p, r, i) for i, (p, r) in enumerate(zip(pages, right, strict=True), start=2)]


def lines(*rows: tuple[str, str]) -> list[JudgedLine]:
    return [
        JudgedLine(i, {"url": url, "judgement": printed})
        for i, (url, printed) in enumerate(rows, start=2)
    ]


def test_words_and_shares() -> None:
    for means, words in {
        "yes": "yes| Y |1|TRUE|relevant", "no": "no|n|0|FALSE|not relevant", "?": "?",
        "": "|  ", None: "ja|2",
    }.items():  # fmt: skip
        assert {parse_judgement(word) for word in words.split("|")} == {means}
    for value in (0.0, 1.5, float("nan")):
        for name in ("confidence", "precision"):
            with pytest.raises(SettingsError, match=f"{name} (is more than 0|takes a part)"):
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


def test_every_strange_line_is_named_and_the_rest_goes_on_if_there_is_any() -> None:
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
    assert [(each.page.n, each.right) for each in found.judged] == [
        (1, True),
        (2, False),
        (6, True),
    ]
    assert (found.unsure, found.empty) == (1, 1)
    assert list(found.complaints) == [
        "line 6: 'perhaps' is no judgement; write yes, no or ?.",
        "line 7: http://b.test/ is no page of this crawl.",
        found.complaints[2],
        "line 9: http://a.test/1 is judged in line 2, which counts.",
        "line 10: http://a.test/2 is judged in line 3, which counts.",
        "line 11: http://a.test/2 is judged in line 3, which counts.",
        "line 12: http://a.test/copy is no document (a copy of page 3).",
    ]
    assert found.complaints[2].startswith("line 8: ")
    cases: list[tuple[list[tuple[str, str]], str]] = [
        ([("http://a.test/1", "")], "nothing to score; write yes or no into the column"),
        ([("http://b.test/1", "yes")], "the first problem: line 2: http://b.test/1 is no page"),
    ]
    for rows, message in cases:
        with pytest.raises(JudgedFileError, match=message):
            scoring.score_judgements(lines(*rows), HUNDRED, scoring.ScoreOptions())


def test_a_sample_is_scored_by_its_bands() -> None:
    """Pages 41 to 100 are about the topic: all 50 called relevant, and 10 of the others."""
    drawn = sampling.new_sample(
        HUNDRED, sampling.SampleOptions(n=100), lambda page: ("y" if page.n >= 41 else "n", "")
    )
    found = scoring.score_judgements(drawn.file.lines, HUNDRED, scoring.ScoreOptions())
    assert found.drawn_at_random and len(found.bands) == 5
    assert found.called_relevant is not None and found.called_relevant.low == 1.0
    assert found.all_documents is not None and found.all_documents.value == pytest.approx(0.6)
    assert found.recall is not None and found.recall.value == pytest.approx(50 / 60)
    assert found.advice.sure is not None and found.advice.likely is not None
    assert found.advice.likely.threshold == pytest.approx(0.34)  # 60 of 66 pages
    assert found.advice.likely.documents == 66
    assert found.advice.likely.recall is not None and found.advice.likely.recall.value == 1.0


def test_a_band_without_a_judgement_joins_its_neighbour_and_a_threshold_splits_one() -> None:
    bands = sampling.cut_bands(HUNDRED.documents, 4)
    pages = [*bands[0].documents[:3], *bands[3].documents[:2]]
    cells = count_strata(bands, judged(pages, [True, True, False, False, True]))
    assert [(cell.relevant, cell.count) for cell in cells] == [
        (True, Count(50, 3, 2)), (False, Count(50, 2, 1)),
    ]  # fmt: skip
    low_side = count_strata(bands, judged(bands[3].documents[:2], [True, True]))
    assert [cell.count for cell in low_side] == [Count(50, 0, 0), Count(50, 2, 2)]
    assert precision([low_side[0].count], Z) is None
    # Pages 0.90, 0.70 right, 0.60 not: from 0.7 on two of two, on 30 documents of the band.
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
