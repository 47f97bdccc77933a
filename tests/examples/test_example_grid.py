from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from examples.olmoaco.accuracy import Cell, Crawled, cells, told
from examples.olmoaco.experiment import Grid, read_grid
from examples.olmoaco.grid import crawled, main

from sample.sample_once import sample_web
from scenthound import InputError, replay
from scenthound.sample.web import write_topics, write_warc
from scenthound.similarity.topic_file import read_topic

EXPERIMENTS = Path(__file__).parent.parent.parent / "examples" / "olmoaco"
ONTOLOGY = """# topic: storm
storm
  hurricane
    storm surge
  wind
  rain
    flood
"""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample web, a topic with an ontology, and a small grid."""
    folder = tmp_path_factory.mktemp("web")
    web = sample_web(1)
    write_warc(web, folder / "sample.warc.gz")
    write_topics(web, folder)
    (folder / "storms.txt").write_text(ONTOLOGY)
    with (folder / "storms.toml").open("a") as topic:
        topic.write('ontology = "storms.txt"\n')
    (folder / "grid.toml").write_text(
        'topic = "storms.toml"\npages = 40\nruns = 2\nsigma = [0.1, 0.3]\neta = [0.0, 0.99]\n'
    )
    return folder


def test_the_published_tables_and_the_calibrated_grids() -> None:
    typhoon = read_grid(EXPERIMENTS / "typhoon-grid.toml")
    assert (typhoon.pages, typhoon.runs) == (15_000, 10)
    assert (typhoon.sigma, typhoon.eta) == ((0.62, 0.67, 0.72), (0.06, 0.09, 0.12, 0.15))
    assert typhoon.published[1] == (0.53, 0.70, 0.75, "-")
    rainstorm = read_grid(EXPERIMENTS / "rainstorm-grid.toml")
    assert (rainstorm.sigma, rainstorm.eta) == ((0.65, 0.70, 0.75), (0.09, 0.12, 0.15, 0.18))
    assert rainstorm.published[1] == (0.54, 0.71, 0.74, "-")
    for topic, printed in (("typhoon", typhoon), ("rainstorm", rainstorm)):
        assert read_topic(printed.topic).ontology
        ours = read_grid(EXPERIMENTS / f"{topic}-grid-calibrated.toml")
        assert replace(printed, sigma=ours.sigma, published=()) == ours
        assert max(ours.sigma) < min(printed.sigma)


def test_a_grid_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = 'topic = "t"\npages = 9\nruns = 1\nsigma = [1]\neta = [1]'
    cases: list[tuple[str, str]] = [
        ("", "its keys are topic"),
        ("pages = ", "cannot be used"),
        (good.replace("9", "0"), "1 or more of pages"),
        (good.replace("sigma = [1]", 'sigma = ["x"]'), "could not convert"),
        (f"{good}\nrho = 2", "its keys are"),
        (f"{good}\npublished = [[]]", "a row"),
    ]
    path = tmp_path / "grid.toml"
    for text, said in cases:
        path.write_text(text)
        with pytest.raises(InputError, match=said):
            read_grid(path)
    assert main([str(tmp_path / "none.toml"), "--archive", "a.warc.gz"]) == 2
    assert "none.toml: No such file" in capsys.readouterr().err


def test_cells_by_hand() -> None:
    grid = Grid(Path("t"), 4, 2, (0.4,), (0.1, 0.2), ((0.5, "-"),))
    crawls = [
        Crawled(0.1, 0, 4, (0.5, 0.6)),  # accuracy 1/2
        Crawled(0.2, 0, 4, (0.5,)),
        Crawled(0.1, 1, 4, (0.5, 0.6, 0.7, 0.8)),  # accuracy 1
        Crawled(0.2, 1, 2, (0.5, 0.3)),  # dry
    ]
    found = cells(grid, crawls)
    assert found == [
        Cell(0.4, 0.1, runs=2, dry=0, mean=0.75, deviation=0.25, published=0.5),
        Cell(0.4, 0.2, runs=2, dry=1, mean=0.375, deviation=0.125, published="-"),
    ]
    assert told(grid, found).split("\n")[1].split() == "0.4 0.75 ± 0.25 (0.50) - (-)".split()


def test_one_crawl_is_judged_as_a_crawl_of_its_own_at_every_sigma(web: Path) -> None:
    archive, grid = web / "sample.warc.gz", read_grid(web / "grid.toml")
    once = crawled(archive, grid, 0.0, 1)
    for sigma in grid.sigma:
        run = replay(
            archive, read_topic(grid.topic), "olmoaco", parameters={"eta": 0.0}, judge="ontology",
            threshold=sigma, budget=grid.pages, random_seed=1,
        )  # fmt: skip
        assert once.accuracy(sigma) == run.final.hr


def test_the_grid_of_the_sample_web(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, data = web / "figures.csv", web / "figures.json"
    arguments = [str(web / "grid.toml"), "--archive", str(web / "sample.warc.gz")]
    outputs = ["--out", str(table), "--out", str(data)]
    assert main([*arguments, "--pages", "30", "--processes", "2", *outputs]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split()[-2:] == ["0.0", "0.99"]
    assert [row.split()[0] for row in rows] == ["0.1", "0.3"]
    assert all(row.split()[-1] == "-" for row in rows)  # no link lies above 0.99
    found = json.loads(data.read_text())
    assert [cell["runs"] for cell in found] == [2] * 4
    assert found[0]["mean"] >= found[2]["mean"] > 0
    with table.open(newline="") as file:
        assert [float(row["mean"]) for row in csv.DictReader(file)] == [c["mean"] for c in found]


def test_what_a_crawl_warns_of_is_told_once(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    topic = web / "lost.toml"
    seeds = (web / "storms.toml").read_text().replace("seeds = [", 'seeds = ["http://lost.test/",')
    topic.write_text(seeds)
    arguments = [str(web / "grid.toml"), "--archive", str(web / "sample.warc.gz")]
    shorter = ["--topic", str(topic), "--pages", "5", "--runs", "1", "--processes", "1"]
    assert main([*arguments, *shorter]) == 0
    assert capsys.readouterr().err.count("http://lost.test/") == 1
