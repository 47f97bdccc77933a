"""The benches of ontologies: harvest, learning, PageRank and the choice of links."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.ontology.crawlers import crawler
from benchmarks.ontology.figures import figures
from benchmarks.ontology.grown_web import LINKS, grown_web
from benchmarks.ontology.harvest import Comparison, harvest
from benchmarks.ontology.learning import BAR, PAGES, learning, sample_sources
from benchmarks.ontology.pagerank import pagerank
from benchmarks.ontology.replays import Outcome, ReplayTask, replayed
from benchmarks.ontology.run import main
from benchmarks.ontology.selection import selection, waiting_links
from benchmarks.ontology.webs import generated, schools, with_topics

from sample.sample_once import sample_web, write_files
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.papers.olmoaco.learner import STEPS
from scenthound.papers.olmoaco.link_graph import LinkGraph
from scenthound.sample.responses import make_response
from scenthound.sample.web import SampleWeb, write_warc

STORMS = "storms"


def outcome(name: str, topic: str, seed: int, found: float, **others: float) -> Outcome:
    given = {"ac": 0.5, "ar": 0.4, "sd": 0.1, "sigma": 0.3, "seconds": 2.0} | others
    return Outcome("w", topic, name, seed, 100, 100, round(100 * found), found, **given, stopped="")


MEASURED = [
    outcome("breadth-first", "a", 0, 0.10),
    outcome("breadth-first", "b", 0, 0.20),
    outcome("moaco", "a", 0, 0.20, ar=0.3, seconds=4.0),
    outcome("moaco", "b", 0, 0.30),
    outcome("moaco", "a", 1, 0.30),
    outcome("moaco", "b", 1, 0.32, sd=0.3, ac=0.9),
]


def test_crawlers_in_words_and_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = crawler("olmoaco ants=10 xi=2 lookahead=true")
    assert asked.spec.name == "olmoaco ants=10 xi=2 lookahead=true"
    assert asked.parameters == {"ants": 10, "xi": 2.0, "lookahead": True}
    assert crawler("wseo").parameters == {}
    with pytest.raises(UnknownNameError, match="'ants'"):
        crawler("olmoaco antz=3")
    cases: list[tuple[list[str], str]] = [
        (["--strategy", "olmocao"], "'olmoaco'"),
        (["--seeds", "0"], "1 seed"),
        (["--out", "replays.txt"], ".csv or .json"),
        (["--out", "no/such/folder/replays.csv"], "make it first"),
        (["--webs", "no-webs"], "has no topics"),
    ]
    for options, part in cases:
        monkeypatch.chdir(tmp_path)
        assert main(["--only", "harvest", *options]) == 2
        printed = capsys.readouterr()
        assert printed.err.startswith("bench-ontology: ") and part in printed.err
        assert printed.out == ""


def test_figures_by_hand() -> None:
    found = figures(MEASURED)
    moaco = found["moaco"]
    assert moaco.harvests == pytest.approx({0: 0.25, 1: 0.31})
    assert moaco.by_topic == pytest.approx({"a": 0.25, "b": 0.31})
    assert (moaco.harvest, moaco.deviation) == pytest.approx((0.28, 0.03))
    assert (moaco.ar, moaco.sd, moaco.ac) == pytest.approx((0.375, 0.15, 0.6))
    assert moaco.seconds == 2.5
    assert found["breadth-first"].deviation is None
    assert figures([]) == {}


def test_an_error_that_can_travel_between_processes(tmp_path: Path) -> None:
    (web,) = with_topics([generated(1, tmp_path)], [STORMS])
    (tmp_path / "o.txt").write_text("# topic: storm\nstorm\n  wind\n")
    topic = replace(web.topics[0], ontology=str(tmp_path / "o.txt"))
    with pytest.raises(SettingsError, match="unknown norm 'wrod'") as caught:
        replayed(ReplayTask(web, topic, "olmoaco norm=wrod", (0,), "5"))
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_the_whole_section(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    made, out = sample_web(1), tmp_path / "replays.json"
    folder = write_files(made, tmp_path / "schools")
    wanted = Comparison(["breadth-first", "moaco"], 2, [STORMS], "40")
    harvest(folder, wanted, out)
    printed = capfd.readouterr()
    assert printed.out.startswith("Labelled harvest on schools; topics: 1, budget: 40, seeds")
    assert "\n| `breadth-first` | ." in printed.out and "\n| `moaco` | ." in printed.out
    assert "[1/1] schools, storms: " in printed.err and " concepts learned" in printed.err
    assert "[2/2] schools, storms: " in printed.err
    rows = json.loads(out.read_text())
    assert [(row["crawler"], row["seed"]) for row in rows] == [
        ("breadth-first", 0), ("moaco", 0), ("moaco", 1),
    ]  # fmt: skip
    assert [topic.name for topic in schools(folder).topics] == sorted(t.name for t in made.topics)


def test_a_web_without_end_and_pagerank_by_size(capsys: pytest.CaptureFixture[str]) -> None:
    pages = list(grown_web(200))
    graph = LinkGraph()
    assert [page.into(graph) for page in pages[:1]] == [0]
    assert all(len(page.targets) == len(page.anchors) == LINKS for page in pages)
    inlinks = Counter(target for page in pages for target in page.targets)
    assert len(inlinks) > 5 * len(pages)
    assert max(inlinks.values()) > 10 * sum(inlinks.values()) / len(inlinks)
    assert pages == list(grown_web(200))
    pagerank([30, 60])
    growing, _, *rows = capsys.readouterr().out.splitlines()
    assert "30 links" in growing
    assert [row.split()[0] for row in (*rows[:2], *rows[4:])] == ["30", "60"] * 2
    for row in (*rows[:2], *rows[4:]):
        error = next(cell for cell in row.split() if cell.endswith("%"))
        assert 0.0 <= float(error.rstrip("%")) < 1.0


def test_selection_beside_extraction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    urls = [f"http://a.test/{number}" for number in range(30)]
    web = SampleWeb(0, {url: make_response(url, f"<title>{url}</title>") for url in urls}, (), {})
    write_warc(web, tmp_path / "schools.warc.gz")
    selection(tmp_path, waiting=40, pages=2)
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("30 of 40 waiting links, beside extracting 2 pages")
    assert [row.partition(":")[0] for row in rows] == list(waiting_links(1))
    assert all("(bar: 0.2)" in row for row in rows)


def test_learning_reports_each_step(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.ontology.learning.build", sample_web)
    sources = sample_sources(PAGES)
    assert len({source.name for source in sources}) == PAGES and sources[0].body
    learning(pages=4)
    first, *steps, last = capsys.readouterr().out.splitlines()
    assert first.startswith("learning from 4 pages of ")
    assert [row.strip().rsplit(maxsplit=2)[0] for row in steps] == list(STEPS)
    assert " concepts in " in last and f"(bar: {BAR:.0f} s)" in last
