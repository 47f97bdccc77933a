"""A reader that shares a counter gives the very bags of one that counts by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dictionary_rows import DictionaryRows as Rows
from scenthound.core.model import Document
from scenthound.text import counters as module
from scenthound.text.analyzer import Analyzer
from scenthound.text.counted_phrases import needed_words
from scenthound.text.counted_texts import KEPT_FROM
from scenthound.text.counters import TextCounters
from scenthound.text.rules import rules_of

KEYWORDS = [
    "tropical cyclone", "natural disaster", "second world war", "take off", "eye of 2 storms",
]  # fmt: skip
PARTS = """tropical cyclone | Tropical cyclones | natural disasters | rain forest | World Wars |
second world war | seconds | world | cyclone | tropical | disaster | take | takes off | off | of |
eye of 2 storms | eyes | storm | 2 | the | café | zzyzx | used | comics | 雨 | mice | a""".replace(
    "\n", " "
).split(" | ")
LONG = " ".join(PARTS * 8)
assert len(LONG) > KEPT_FROM
TEXTS = st.one_of(
    st.lists(st.sampled_from(PARTS), max_size=12).map(" ".join), st.just(LONG), st.just(LONG[5:])
)
BATCHES = st.lists(st.lists(TEXTS, max_size=5), min_size=1, max_size=4)


def counters(rows: Rows | None = None, memory: int = 10**6, version: str = "1") -> TextCounters:
    return TextCounters(version, memory, rows)


def same(one: Analyzer, other: Analyzer, batches: Sequence[Sequence[str]]) -> None:
    """Both count alike, and number the terms alike."""
    for texts in batches:
        ours, theirs = one.bags(texts), other.bags(texts)
        assert len(ours) == len(theirs) == len(texts)
        for row in range(len(texts)):
            assert ours[row].ids.tolist() == theirs[row].ids.tolist()
            assert ours[row].counts.tolist() == theirs[row].counts.tolist()
            assert ours[row].ids.dtype == theirs[row].ids.dtype
    assert one.vocabulary.terms() == other.vocabulary.terms()


@given(BATCHES, BATCHES, st.integers(0, 3), st.integers(0, 5))
def test_bags_and_numbers_are_the_same(
    before: list[list[str]], batches: list[list[str]], others: int, own: int
) -> None:
    """Whatever other topics have read before, kept or remembered, and with little memory."""
    rows = Rows()
    for memory in (0, 3_000, 10**6):
        shared = counters(rows, memory)
        for texts in before:
            Analyzer(phrases=KEYWORDS[:others], counters=shared).bags(texts)
        analyzer = Analyzer(phrases=KEYWORDS[:own], counters=shared)
        same(analyzer, Analyzer(phrases=KEYWORDS[:own]), batches)


@given(BATCHES, st.sampled_from(["de", "fr", "zh", "tr", "xx", "en-GB"]))
def test_in_other_languages(batches: list[list[str]], language: str) -> None:
    shared = counters(Rows())
    for keywords in (KEYWORDS, []):
        analyzer = Analyzer(language, None, keywords, shared)
        same(analyzer, Analyzer(language, None, keywords), batches)


def test_pages_in_other_languages_have_counters_of_their_own() -> None:
    page = Document(text="Der Sturm und die Wellen an der Küste war stark. " * 30, language="de")
    shared = counters(Rows())
    for _ in range(2):
        ours, theirs = Analyzer(counters=shared), Analyzer()
        for analyzer in (ours, theirs):
            analyzer.page_bag(page)
            analyzer.bag(page.full)  # as English
        assert ours.vocabulary.terms() == theirs.vocabulary.terms()
        assert ours.page_bag(page).ids.tolist() == theirs.page_bag(page).ids.tolist()
        assert len(ours.page_bag(page)) < len(ours.bag(page.full))  # "die", "war" are no terms


def test_occurrences_are_those_of_the_run() -> None:
    ours, theirs = Analyzer(phrases=KEYWORDS, counters=counters()), Analyzer(phrases=KEYWORDS)
    for text in ("storm surges", LONG, "cyclone"):
        assert ours.bag(text).ids.tolist() == theirs.bag(text).ids.tolist()
        found, expected = ours.occurrences(f"x {text}"), theirs.occurrences(f"x {text}")
        assert found.terms.tolist() == expected.terms.tolist()
    assert ours.vocabulary.terms() == theirs.vocabulary.terms()


def test_only_long_texts_are_kept_and_they_are_found_again() -> None:
    rows = Rows()
    Analyzer(counters=counters(rows)).bags(["storm", LONG])
    assert len(rows.kept) == 1 and rows.asked == 1
    same(Analyzer(counters=counters(rows)), Analyzer(), [["storm", LONG]])
    assert len(rows.kept) == 1 and rows.asked == 2
    (row,) = rows.kept.values()
    assert b"tropical" in row and b"tropical cyclone" not in row


SHORT = [f"{part} {number}" for number, part in enumerate(PARTS * 6)]
assert max(map(len, SHORT)) < KEPT_FROM < sum(map(len, SHORT))


def test_short_texts_that_come_together_are_kept_together() -> None:
    rows = Rows()
    Analyzer(counters=counters(rows)).bags(SHORT)
    assert len(rows.kept) == 1
    for texts, kept in (([*SHORT, LONG], 2), (SHORT[::-1], 3), (SHORT[:3], 3)):
        same(Analyzer(counters=counters(rows)), Analyzer(), [texts])
        assert len(rows.kept) == kept


def test_what_is_remembered_is_kept_with_the_others() -> None:
    rows = Rows()
    shared = counters(rows)
    for texts in (SHORT[:5], SHORT):
        Analyzer(counters=shared).bags(texts)
    assert len(rows.kept) == 1
    same(Analyzer(counters=counters(rows)), Analyzer(), [SHORT])
    assert len(rows.kept) == 1


@pytest.mark.parametrize("spoilt", [b"", b"no row", bytes(4 * 1_000)])
def test_short_texts_of_a_damaged_row_are_counted_again(spoilt: bytes) -> None:
    rows = Rows()
    Analyzer(counters=counters(rows)).bags(SHORT)
    whole = dict(rows.kept)
    rows.kept = dict.fromkeys(rows.kept, spoilt)
    same(Analyzer(counters=counters(rows)), Analyzer(), [SHORT])
    assert rows.kept == whole


def test_what_another_version_or_another_way_of_reading_kept_is_not_found() -> None:
    rows = Rows()
    for shared in (counters(rows), counters(rows, version="2")):
        Analyzer(counters=shared).bag(LONG)
        Analyzer("de", counters=shared).bag(LONG)
    assert len(rows.kept) == 4


def test_topics_with_phrases_share_all_but_these() -> None:
    rows = Rows()
    plain = LONG.replace("cyclone", "storm").replace("disaster", "storm")
    Analyzer(counters=counters(rows)).bags([plain, LONG])
    assert len(rows.kept) == 2
    shared = counters(rows)
    analyzer = Analyzer(phrases=KEYWORDS[:2], counters=shared)
    assert analyzer.count(LONG)["tropical cyclone"] == 16
    assert len(rows.kept) == 3  # its phrases
    assert "tropical cyclone" not in analyzer.count(plain)
    assert len(rows.kept) == 3  # not searched, for it has no cyclone


@pytest.mark.parametrize(
    "damage",
    [
        lambda row: b"",
        lambda row: row[:7],
        lambda row: row[:100],
        lambda row: row + b"\nmore",
        lambda row: b"\xff" * len(row),
        lambda row: bytes(8) + row,
        lambda row: row[:-3] + b"\xff\xff\xff",
        lambda row: row[:8] + bytes(4) + row[12:],
    ],
)
def test_a_damaged_row_is_counted_again(damage: Callable[[bytes], bytes]) -> None:
    rows = Rows()
    Analyzer(counters=counters(rows)).bag(LONG)
    whole = dict(rows.kept)
    rows.kept = {key: damage(row) for key, row in whole.items()}
    same(Analyzer(counters=counters(rows)), Analyzer(), [[LONG]])
    assert rows.kept == whole


def test_too_many_terms_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_TERMS", 5)
    shared, theirs = counters(Rows()), Analyzer()
    first = Analyzer(counters=shared)
    same(first, theirs, [[LONG, "storm"], ["mice", "storm"]])
    same(Analyzer(counters=shared), Analyzer(), [["mice", LONG]])
    same(first, theirs, [["a cafe in the storm", LONG[9:]]])  # the old one goes on
    same(Analyzer(counters=shared), Analyzer(), [[LONG[9:], "a cafe in the storm"]])


def test_counters_are_renewed_only_when_they_have_met_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_MOST_TERMS", 3)
    shared, rules = counters(), rules_of("de", None)
    first = shared.of("de", rules, [])
    first.count(["sturm wind hagel"])
    assert shared.of("de", rules, []) is first
    first.count(["sturm regen"])
    second = shared.of("de", rules, [])
    assert second is not first
    assert (len(first.vocabulary), len(second.vocabulary)) == (4, 0)


def test_too_many_ways_of_reading_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_COUNTERS", 3)
    shared = counters()
    for turn in range(10):
        keywords = [f"tropical kettle{turn}"]
        analyzer = Analyzer(phrases=keywords, counters=shared)
        same(analyzer, Analyzer(phrases=keywords), [[f"tropical kettle{turn} storm"]])


def test_counters_are_renewed_only_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_MOST_COUNTERS", 3)
    shared, rules = counters(), rules_of("de", None)
    first = shared.of("0", rules, [])
    shared.of("1", rules, [])
    assert shared.of("0", rules, []) is first
    shared.of("2", rules, [])
    assert shared.of("0", rules, []) is not first


def test_the_words_that_a_phrase_needs() -> None:
    rules = rules_of("en", Analyzer().wordnet)
    assert needed_words("eye of 2 storm", rules) == [{"eye"}, {"storm"}]
    assert needed_words("use of it", rules) == []  # "used" and "using" may be stop words
    assert needed_words("a" * 40, rules) == []
    german = rules_of("de", None)
    assert needed_words("stark wirbelsturm", german) == [{"stark"}, {"wirbelsturm"}]


def test_a_word_whose_stem_has_a_stem_may_stand_in_either_form() -> None:
    """Snowball makes "absente" of "absentee", and "absent" of "absente"."""
    rules = rules_of("de", None)
    assert needed_words("absente wirbelsturm", rules) == [{"absente", "absent"}, {"wirbelsturm"}]
    texts = ["absentee wirbelsturm", "absente wirbelsturm", "absent wirbelsturm", "wirbelsturm"]
    keywords = ["absentee wirbelsturm"]
    ours, theirs = Analyzer("de", None, keywords, counters()), Analyzer("de", None, keywords)
    same(ours, theirs, [texts])
    assert ["absente wirbelsturm" in ours.count(text) for text in texts] == [True] * 2 + [False] * 2
