"""Whole texts beside a topic: by hand, with vectors that are given."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document, TopicProfile
from scenthound.similarity import sentence_models
from scenthound.similarity.sentence_models import (
    SentenceModel,
    TermVectorModel,
    load_static,
    page_lead,
)
from scenthound.text.analyzer import Analyzer
from similarity.fixed_vectors import Compass

EAST, NORTH, BOTH, WEST = "east", "north", "east north", "west"
PAGE = Document()


def model(
    keywords: Sequence[str], *examples: str, by: str = "merged", nearest: int = 1
) -> SentenceModel:
    pages = tuple(Document(text=text) for text in examples)
    profile = TopicProfile("way", tuple(keywords), pages)
    return SentenceModel(profile, Compass(), by, nearest=nearest)


def test_the_topic_is_in_the_middle_of_its_parts_and_the_nearest_count() -> None:
    """Keywords east, two pages north: the middle is northeast, 45 degrees from both."""
    found = model([EAST], NORTH, NORTH).similarities([EAST, NORTH, BOTH, WEST, ""], PAGE)
    half = 2**-0.5
    assert found == pytest.approx([half, half, 1.0, 0.0, 0.0], abs=1e-6)
    # East is 1 similar to the keywords, 0 to the first page and 0.7071 to the second.
    for nearest, expected in (
        (1, 1),
        (2, (1 + half) / 2),
        (3, (1 + half) / 3),
        (9, (1 + half) / 3),
    ):
        by_pages = model([EAST], NORTH, BOTH, by="pages", nearest=nearest)
        assert by_pages.similarities([EAST], PAGE) == pytest.approx([expected], abs=1e-6)
    # East, east and north: two thirds and one third, in place of the one text of all three.
    profile = TopicProfile("way", (EAST, "east east", NORTH), ())
    together = SentenceModel(profile, Compass()).similarities([EAST], PAGE)
    apart = SentenceModel(profile, Compass(), keywords_apart=True).similarities([EAST], PAGE)
    assert together == pytest.approx([3 / 10**0.5])
    assert apart == pytest.approx([2 / 5**0.5])


def test_of_the_full_text_title_and_beginning_are_read() -> None:
    page = Document(title=NORTH, text=NORTH + " " * sentence_models.LEAD + WEST)
    assert model([NORTH]).similarities([page.full, page.title], page) == [1.0, 1.0]
    assert page_lead(page, 5) == "north. north"
    assert page_lead(Document(text="no title"), 2) == "no"


def test_a_text_is_encoded_once_and_remembered_within_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compass = Compass()
    found = SentenceModel(TopicProfile("way", (EAST,), ()), compass)
    found.similarities([EAST, WEST, EAST], PAGE)
    found.similarities([WEST, NORTH], PAGE)
    assert compass.asked == [EAST, EAST, WEST, NORTH]
    monkeypatch.setattr(sentence_models, "_CACHED_TEXTS", 2)
    few = model([EAST])
    for _ in range(2):
        assert few.similarities([EAST, BOTH], PAGE) == pytest.approx([1.0, 2**-0.5])
        assert few.similarities([WEST, NORTH], PAGE) == [0.0, 0.0]


def test_values_out_of_range() -> None:
    with pytest.raises(SettingsError, match="'merged' or by 'pages', not 'both'"):
        model([EAST], by="both")
    with pytest.raises(SettingsError, match="lead"):
        SentenceModel(TopicProfile("way", (EAST,), ()), Compass(), most=0)
    with pytest.raises(SettingsError, match="nearest"):
        model([EAST], nearest=0)


def test_nothing_is_learned_and_another_model_is_refused() -> None:
    found = model([EAST])
    found.learn(Document(text=WEST))
    found.restore(model([EAST]).state())
    assert found.similarities([EAST], PAGE) == [1.0]
    with pytest.raises(SettingsError, match="began with another model, sextant"):
        found.restore({"model": "sextant"})


# Texts as sums of the vectors of their terms: by hand, with vectors that are given.


def similarities(
    keywords: Sequence[str], examples: Sequence[str], texts: Sequence[str]
) -> list[float]:
    analyzer, pages = Analyzer(), tuple(Document(text=text) for text in examples)
    made = TermVectorModel(TopicProfile("way", tuple(keywords), pages), analyzer, Compass())
    found: list[float] = made.of_bags(analyzer.bags(texts)).tolist()
    return found


def test_a_text_is_the_sum_of_its_terms_as_often_as_it_has_them() -> None:
    """East, east and north add up to (2, 1), of length root 5; what has no vector adds nothing."""
    found = similarities(["east"], [], ["east", "the East, east of north", "west", "", "tea"])
    assert found == pytest.approx([1.0, 2 / 5**0.5, 0.0, 0.0, 0.0], abs=1e-6)
    found = similarities(["east"], ["north", "north"], ["east", "north", "east north"])
    assert found == pytest.approx([2**-0.5, 2**-0.5, 1.0], abs=1e-6)


def test_a_term_is_asked_for_once_as_long_as_there_is_room() -> None:
    analyzer, compass = Analyzer(), Compass()
    model = TermVectorModel(TopicProfile("way", (), ()), analyzer, compass, most=3)
    texts = ["east north", "north", "west east", "tea", "east"]
    rows = [model.vectors(analyzer.bags([text]))[0] for text in texts]
    assert compass.asked == ["east", "north", "west", "tea", "east"]
    expected = [(2**-0.5, 2**-0.5), (0.0, 1.0), (0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]
    assert np.array(rows) == pytest.approx(np.array(expected), abs=1e-6)
    assert len(model.terms) == 2
    tiny = TermVectorModel(TopicProfile("way", (), ()), analyzer, Compass(), most=1)
    for _ in range(2):
        found = tiny.vectors(analyzer.bags(["east north west", "north"]))
        assert found == pytest.approx(np.array([(0.0, 1.0), (0.0, 1.0)]), abs=1e-6)


# Static vectors.

TEXTS = [
    "A hound follows a scent through the forest.",
    "The dog runs after a smell in the woods.",
    "Interest rates of the central bank rose again.",
    "Ünïcode 漢字 \U0001f600",
    "two  spaces and\na line",
    "x",
]


def test_vectors_are_those_of_wordllama_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load_static()
    # In a process of its own: the package sets up logging for all of it.
    program = (
        "import sys, json, pathlib, wordllama\n"
        "model = wordllama.WordLlama.load(cache_dir=pathlib.Path(wordllama.__file__).parent,"
        " disable_download=True)\n"
        "json.dump(model.embed(json.load(sys.stdin), norm=True).tolist(), sys.stdout)\n"
    )
    command, given = [sys.executable, "-c", program], json.dumps(TEXTS)
    answer = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    assert np.allclose(encoder.encode(TEXTS), json.loads(answer.stdout), atol=1e-6)
    monkeypatch.setattr(sentence_models, "LONGEST", 9)
    assert np.array_equal(encoder.encode(["the hound runs"]), encoder.encode(["the hound"]))


def test_wordllama_that_is_not_there_or_not_ours_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    load_static.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(sentence_models, "_MODULE", "no_such_wordllama")
        with pytest.raises(SettingsError, match=r"with: pip install wordllama==0\.4\.0\.post1\.$"):
            load_static()
    for name in sentence_models._PINNED:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"something else")
    monkeypatch.setattr(sentence_models, "package_folder", lambda *_: tmp_path)
    load_static.cache_clear()
    advice = r"damaged, or not the file we know; .* --force-reinstall wordllama==0\.4\.0\.post1\.$"
    with pytest.raises(SettingsError, match=advice):
        load_static()
