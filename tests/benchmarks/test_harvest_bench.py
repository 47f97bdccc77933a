"""The bench of the ontology crawlers' harvest: what it compares, and what it makes of it."""

from __future__ import annotations

import csv
import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.neural.schools import ARCHIVE
from benchmarks.ontology.crawlers import CRAWLERS, crawler, draws
from benchmarks.ontology.figures import figures, main_table, number, topic_table, verdicts
from benchmarks.ontology.harvest import Comparison, harvest
from benchmarks.ontology.outcomes_file import write_outcomes
from benchmarks.ontology.replays import Errand, Learnt, Outcome, learnt, replayed
from benchmarks.ontology.run import main
from benchmarks.ontology.webs import Web, generated, schools, with_topics

from sample.sample_once import sample_web
from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.core.model import Topic
from scenthound.experiments.topic_reading import read_briefing
from scenthound.ontology.files import read_ontology
from scenthound.sample import write_labels, write_topics, write_warc
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ontologies import learnt_ontology
from scenthound.text.analyzer import Analyzer

STORMS = "storms"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Web:
    """A generated web with one topic."""
    (made,) = with_topics([generated(1, tmp_path_factory.mktemp("webs"))], [STORMS])
    return made


@pytest.fixture(scope="module")
def given(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Learnt:
    """The topic with the ontology that is learnt for it."""
    return learnt(web, web.topics[0], tmp_path_factory.mktemp("learnt"))


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
    outcome("olmoaco", "a", 0, 0.40),
    outcome("olmoaco", "b", 0, 0.40, sigma=0.5),
    outcome("olmoaco", "a", 1, 0.30),
    outcome("olmoaco", "b", 1, 0.20, sigma=0.5),
]


def test_a_crawler_in_words() -> None:
    asked = crawler("olmoaco ants=10 xi=2 lookahead=true")
    assert asked.recipe.name == "olmoaco ants=10 xi=2 lookahead=true"
    assert asked.parameters == {"ants": 10, "xi": 2.0, "lookahead": True}
    assert crawler("wseo").parameters == {}
    with pytest.raises(UnknownNameError, match="'olmoaco'"):
        crawler("olmocao")
    with pytest.raises(UnknownNameError, match="'ants'"):
        crawler("olmoaco antz=3")
    with pytest.raises(SettingsError, match="KEY=VALUE"):
        crawler("olmoaco ants")
    with pytest.raises(SettingsError, match="takes a value like 30"):
        crawler("olmoaco ants=[1]")


def test_which_crawlers_draw() -> None:
    drawing = {name for name in CATALOGUE if draws(CATALOGUE[name])}
    assert drawing >= {"random", "annealing", "moaco", "olmoaco"}
    assert not drawing & {"breadth-first", "best-first", "best-first-ontology", "wseo", "oracle"}


def test_only_what_is_left_to_chance_runs_with_many_seeds(web: Web) -> None:
    topics = [Learnt(web, Topic(name, (name,)), 3) for name in ("a", "b")]
    errands = Comparison(["wseo", "olmoaco", "wseo"], seeds=3, budget="5").errands(topics)
    assert [(each.crawler, each.topic.name, each.seeds) for each in errands] == [
        ("wseo", "a", (0,)),
        ("wseo", "b", (0,)),
        ("olmoaco", "a", (0, 1, 2)),
        ("olmoaco", "b", (0, 1, 2)),
    ]
    assert {each.budget for each in errands} == {"5"}


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


def test_tables() -> None:
    found = figures(MEASURED)
    head, _, first, second, _ = main_table(found)
    assert head == "| crawler | harvest | deviation | AR | SD | AC | seconds |"
    assert first == "| `breadth-first` | .150 | | .400 | .100 | .500 | 2.0 |"
    assert second == "| `moaco` | .280 | .030 | .375 | .150 | .600 | 2.5 |"
    assert topic_table(found, MEASURED) == [
        "| crawler | a | b |",
        "| --- | --- | --- |",
        "| `breadth-first` | .100 | .200 |",
        "| `moaco` | .250 | .310 |",
        "| `olmoaco` | .350 | .300 |",
        "| sigma | .300 | .380 |",
    ]
    assert [number(each) for each in (0.0, 0.0449, 1.0)] == [".000", ".045", "1.000"]


def test_verdicts() -> None:
    found = figures(MEASURED)
    wins, order = verdicts(found)
    assert "with 1 of 2 seeds, and on 1 of 2 topics in the mean" in wins
    assert wins.endswith("differ by +0.0450")
    assert order == "olmoaco > moaco > breadth-first: yes (.3250, .2800, .1500)"
    assert ": no (" in verdicts({**found, "moaco": found["olmoaco"]})[1]
    del found["breadth-first"]
    assert verdicts(found) == [wins]
    del found["moaco"]
    assert verdicts(found) == []


def test_an_ontology_that_is_given_makes_the_same_crawl(web: Web, given: Learnt) -> None:
    (topic,) = web.topics
    for text in ("olmoaco", "wseo", "best-first-ontology"):
        (inside,), (outside,) = (
            replayed(Errand(web, each, text, (0,), "30")) for each in (topic, given.topic)
        )
        assert replace(inside, seconds=0.0) == replace(outside, seconds=0.0)
        assert inside.fetched == 30 and 0.0 < inside.harvest < 1.0
        assert 0.0 < inside.sd < inside.ar < 1.0


def test_the_file_keeps_the_order_of_the_concepts(web: Web, given: Learnt) -> None:
    (topic,) = web.topics
    with web.opened() as archive:
        briefing = read_briefing(topic, archive, pytest.fail)
    known = learnt_ontology(briefing, Analyzer("en", None, topic.keywords), pytest.fail)
    read = read_ontology(str(given.topic.ontology), pytest.fail)
    assert read.labels == known.labels and given.concepts == len(known)


def test_a_topic_with_an_ontology_keeps_it(web: Web, tmp_path: Path) -> None:
    own = replace(web.topics[0], ontology="own.txt")
    assert learnt(web, own, tmp_path) == Learnt(web, own, None)
    assert list(tmp_path.iterdir()) == []


def test_seeds_differ_and_repeat(web: Web, given: Learnt) -> None:
    first, second = replayed(Errand(web, given.topic, "random", (0, 1), "60"))
    (again,) = replayed(Errand(web, given.topic, "random", (1,), "60"))
    assert first.ar != second.ar
    assert replace(second, seconds=0.0) == replace(again, seconds=0.0)


def test_an_error_that_can_travel_between_processes(web: Web, given: Learnt) -> None:
    with pytest.raises(SettingsError, match="unknown norm 'wrod'") as caught:
        replayed(Errand(web, given.topic, "olmoaco norm=wrod", (0,), "5"))
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_the_whole_section(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder, made = tmp_path / "schools", sample_web(1)
    folder.mkdir()
    write_warc(made, folder / ARCHIVE)
    write_topics(made, folder / "topics")
    write_labels(made, folder / "labels.tsv")
    out = tmp_path / "replays.json"
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


def test_replays_as_csv(tmp_path: Path) -> None:
    path = tmp_path / "replays.csv"
    write_outcomes(path, MEASURED)
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(MEASURED)
    assert (rows[2]["crawler"], rows[2]["harvest"], rows[2]["sd"]) == ("moaco", "0.2", "0.1")
    with pytest.raises(InputError, match="give another file"):
        write_outcomes(tmp_path / "gone" / "replays.csv", MEASURED)


def test_options_reach_the_section(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[object, ...]] = []
    monkeypatch.setattr("benchmarks.ontology.run.harvest", lambda *each: called.append(each))
    assert main(["--only", "harvest"]) == 0
    chosen = ["--strategy", "wseo", "--strategy", "olmoaco ants=5", "--topic", "space"]
    others = ["--webs", "webs", "--seeds", "3", "--out", "a.csv"]
    assert main(["--only", "harvest", *chosen, *others]) == 0
    assert called == [
        (None, Comparison(CRAWLERS, 10, []), None),
        (Path("webs/schools"), Comparison(["wseo", "olmoaco ants=5"], 3, ["space"]), Path("a.csv")),
    ]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--strategy", "olmocao"], "'olmoaco'"),
        (["--seeds", "0"], "1 seed"),
        (["--out", "replays.txt"], ".csv or .json"),
        (["--out", "no/such/folder/replays.csv"], "make it first"),
        (["--webs", "no-webs"], "has no topics"),
    ],
)
def test_bad_input(
    options: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["--only", "harvest", *options]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("bench-ontology: ") and told in said.err
    assert said.out == ""


def test_a_topic_that_is_not_there(web: Web) -> None:
    with pytest.raises(UnknownNameError, match="'storms'"):
        with_topics([web], ["strom"])
    assert with_topics([web], []) == [web]
