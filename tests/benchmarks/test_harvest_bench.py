"""The bench of the ontology crawlers' harvest: what it compares, and what it makes of it."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.ontology.crawlers import crawler
from benchmarks.ontology.figures import figures
from benchmarks.ontology.harvest import Comparison, harvest
from benchmarks.ontology.replays import Errand, Outcome, replayed
from benchmarks.ontology.run import main
from benchmarks.ontology.webs import Web, generated, schools, with_topics

from sample.sample_once import sample_web, write_files
from scenthound.core.errors import SettingsError, UnknownNameError

STORMS = "storms"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Web:
    """A generated web with one topic."""
    (made,) = with_topics([generated(1, tmp_path_factory.mktemp("webs"))], [STORMS])
    return made


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


def test_a_crawler_in_words() -> None:
    asked = crawler("olmoaco ants=10 xi=2 lookahead=true")
    assert asked.spec.name == "olmoaco ants=10 xi=2 lookahead=true"
    assert asked.parameters == {"ants": 10, "xi": 2.0, "lookahead": True}
    assert crawler("wseo").parameters == {}
    with pytest.raises(UnknownNameError, match="'ants'"):
        crawler("olmoaco antz=3")


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


def test_an_error_that_can_travel_between_processes(web: Web, tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("# topic: storm\nstorm\n  wind\n")
    topic = replace(web.topics[0], ontology=str(tmp_path / "o.txt"))
    with pytest.raises(SettingsError, match="unknown norm 'wrod'") as caught:
        replayed(Errand(web, topic, "olmoaco norm=wrod", (0,), "5"))
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_the_whole_section(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    made, out = sample_web(1), tmp_path / "replays.json"
    folder = write_files(made, tmp_path / "schools")
    wanted = Comparison(["breadth-first", "moaco"], 2, [STORMS], "40")
    harvest(folder, wanted, out)
    said = capfd.readouterr()
    assert said.out.startswith("Labelled harvest on schools; topics: 1, budget: 40, seeds")
    assert "\n| `breadth-first` | ." in said.out and "\n| `moaco` | ." in said.out
    assert "[1/1] schools, storms: " in said.err and " concepts learnt" in said.err
    assert "[2/2] schools, storms: " in said.err
    rows = json.loads(out.read_text())
    assert [(row["crawler"], row["seed"]) for row in rows] == [
        ("breadth-first", 0), ("moaco", 0), ("moaco", 1),
    ]  # fmt: skip
    assert [topic.name for topic in schools(folder).topics] == sorted(t.name for t in made.topics)


def test_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cases: list[tuple[list[str], str]] = [
        (["--strategy", "olmocao"], "'olmoaco'"),
        (["--seeds", "0"], "1 seed"),
        (["--out", "replays.txt"], ".csv or .json"),
        (["--out", "no/such/folder/replays.csv"], "make it first"),
        (["--webs", "no-webs"], "has no topics"),
    ]
    for options, told in cases:
        monkeypatch.chdir(tmp_path)
        assert main(["--only", "harvest", *options]) == 2
        said = capsys.readouterr()
        assert said.err.startswith("bench-ontology: ") and told in said.err
        assert said.out == ""
