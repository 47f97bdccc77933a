"""The examples: grids of the papers, the grid of one crawler, and topics that are whole."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from examples.olmoaco import experiment
from examples.olmoaco import grid as olmoaco
from examples.olmoaco.accuracy import Cell, Crawled, cells, table_text
from lxml import html

from sample.sample_once import sample_web, write_files
from scenthound import InputError, compare, replay
from scenthound.cli import main as cli
from scenthound.evaluation.compare import build_grid, web_values
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.grid_file import read_grid_file
from scenthound.papers.ontologies.checks import find_problems
from scenthound.papers.ontologies.files import read_ontology
from scenthound.sample.web import write_topics, write_warc
from scenthound.similarity.topic_file import read_topic

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
FOLDER = EXAMPLES / "comparisons"
PAGE = ROOT / "docs" / "howto" / "papers-experiments.md"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(sample_web(1), tmp_path_factory.mktemp("web"), "web")


def grid_over(web: Path, paper: str) -> Grid:
    given = web_values(
        web / "web.warc.gz", [web / "topics" / "storms.toml"], web / "labels.tsv"
    )  # fmt: skip
    return build_grid(FOLDER / f"{paper}.toml", web / "out", given)


@pytest.mark.filterwarnings("ignore::scenthound.ScenthoundWarning")
def test_each_paper_has_its_runs_and_the_strategies_of_the_page(web: Path) -> None:
    for paper, crawlers, budget, runs in (
        ("svsm-mcoa", 5, "5000", 3 + 2 * 3),
        ("sdvsm", 4, "5000", 4 * 2),
        ("bsvsm-ha", 4, "5000", 4),
        ("olmoaco", 6, "15000", 2 + 4 * 10),
    ):
        grid = grid_over(web, paper)
        assert len(grid.contenders) == crawlers
        assert grid.baseline == grid.contenders[0].label
        assert grid.options.budget == budget
        assert len(list(grid.cells())) == runs
    assert grid.options.judge == "ontology"
    assert grid_over(web, "sdvsm").options.seeds == ("relevant", "irrelevant")
    text = PAGE.read_text(encoding="utf-8")
    papers = re.search(r"^\| +\|(.+)\|\n\|---", text[text.index("## What each paper did") :], re.M)
    row = re.search(r"^\| `--strategy` \|(.+)\|$", text, re.MULTILINE)
    assert papers and row
    for paper, listed in zip(papers[1].split("|"), row[1].split("|"), strict=True):
        grid = grid_over(web, paper.strip())
        assert re.findall(r"`([\w-]+)`", listed) == [each.label for each in grid.contenders]


def test_every_file_is_on_the_page_and_the_web_may_be_written_into_it(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    files = sorted(FOLDER.glob("*.toml"))
    assert len(files) == 4
    for path in files:
        file = path.read_text(encoding="utf-8")
        assert f"| `{path.name}` |" in text
        assert f"{path.name} --out DIR" in file
        head, mark, web = file.partition("# [[web]]\n")
        assert mark
        edited = tmp_path / path.name
        edited.write_text(head + "[[web]]\n" + web.replace("# ", ""))
        webs = read_grid_file(edited)["web"]
        assert isinstance(webs, list) and len(webs) == 1
        assert webs[0]["archive"] == str(tmp_path / "web.warc.gz") and webs[0]["topics"]


def test_one_of_them_is_run(web: Path) -> None:
    done = compare(
        web / "web.warc.gz", [web / "topics" / "storms.toml"], labels=web / "labels.tsv",
        out=web / "sdvsm", grid=FOLDER / "sdvsm.toml", budget=10, cache="none", workers=1,
    )  # fmt: skip
    assert [each.error for each in done.outcomes] == [""] * 8
    seeds = Counter(each.cell.seeds for each in done.outcomes if each.fetched == 10)
    assert seeds == {"relevant": 4, "irrelevant": 4}


ONTOLOGY = """# topic: storm
storm
  hurricane
    storm surge
  wind
  rain
    flood
"""


@pytest.fixture(scope="module")
def storms(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    folder = EXAMPLES / "olmoaco"
    typhoon = experiment.read_grid(folder / "typhoon-grid.toml")
    assert (typhoon.pages, typhoon.runs) == (15_000, 10)
    assert (typhoon.sigma, typhoon.eta) == ((0.62, 0.67, 0.72), (0.06, 0.09, 0.12, 0.15))
    assert typhoon.published[1] == (0.53, 0.70, 0.75, "-")
    rainstorm = experiment.read_grid(folder / "rainstorm-grid.toml")
    assert (rainstorm.sigma, rainstorm.eta) == ((0.65, 0.70, 0.75), (0.09, 0.12, 0.15, 0.18))
    assert rainstorm.published[1] == (0.54, 0.71, 0.74, "-")
    for topic, printed in (("typhoon", typhoon), ("rainstorm", rainstorm)):
        assert read_topic(printed.topic).ontology
        ours = experiment.read_grid(folder / f"{topic}-grid-calibrated.toml")
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
    for text, printed in cases:
        path.write_text(text)
        with pytest.raises(InputError, match=printed):
            experiment.read_grid(path)
    assert olmoaco.main([str(tmp_path / "none.toml"), "--archive", "a.warc.gz"]) == 2
    assert "none.toml: No such file" in capsys.readouterr().err


def test_cells_by_hand() -> None:
    grid = experiment.Grid(Path("t"), 4, 2, (0.4,), (0.1, 0.2), ((0.5, "-"),))
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
    assert table_text(grid, found).split("\n")[1].split() == "0.4 0.75 ± 0.25 (0.50) - (-)".split()


def test_one_crawl_is_judged_as_a_crawl_of_its_own_at_every_sigma(storms: Path) -> None:
    archive, grid = storms / "sample.warc.gz", experiment.read_grid(storms / "grid.toml")
    once = olmoaco.crawled(archive, grid, 0.0, 1)
    for sigma in grid.sigma:
        run = replay(
            archive, read_topic(grid.topic), "olmoaco", parameters={"eta": 0.0}, judge="ontology",
            threshold=sigma, budget=grid.pages, random_seed=1,
        )  # fmt: skip
        assert once.accuracy(sigma) == run.final.hr


def test_the_grid_of_the_sample_web_and_what_a_crawl_warns_of(
    storms: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, data = storms / "figures.csv", storms / "figures.json"
    arguments = [str(storms / "grid.toml"), "--archive", str(storms / "sample.warc.gz")]
    outputs = ["--out", str(table), "--out", str(data)]
    assert olmoaco.main([*arguments, "--pages", "30", "--processes", "2", *outputs]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split()[-2:] == ["0.0", "0.99"]
    assert [row.split()[0] for row in rows] == ["0.1", "0.3"]
    assert all(row.split()[-1] == "-" for row in rows)  # no link lies above 0.99
    found = json.loads(data.read_text())
    assert [cell["runs"] for cell in found] == [2] * 4
    assert found[0]["mean"] >= found[2]["mean"] > 0
    with table.open(newline="") as file:
        assert [float(row["mean"]) for row in csv.DictReader(file)] == [c["mean"] for c in found]
    topic = storms / "lost.toml"
    seeds = (
        (storms / "storms.toml").read_text().replace("seeds = [", 'seeds = ["http://lost.test/",')
    )
    topic.write_text(seeds)
    shorter = ["--topic", str(topic), "--pages", "5", "--runs", "1", "--processes", "1"]
    assert olmoaco.main([*arguments, *shorter]) == 0
    assert capsys.readouterr().err.count("http://lost.test/") == 1


TOPICS = ("typhoon", "rainstorm")
PAGES = sorted(EXAMPLES.glob("*/pages/*.html"))
QUERY_WORDS = {
    "typhoon": ("typhoon", "storm surge", "wind", "tropical cyclone", "hurricane"),
    "rainstorm": ("rainstorm", "rainfall", "urban waterlogging", "flood"),
}


def test_a_topic_its_pages_study_notes_and_ontology_are_whole() -> None:
    for name in TOPICS:
        topic = read_topic(EXAMPLES / name / "topic.toml")
        assert (topic.name, topic.keywords) == (name, QUERY_WORDS[name])
        assert {Path(page) for page in topic.examples} == {*EXAMPLES.glob(f"{name}/pages/*.html")}
        assert topic.ontology == str(EXAMPLES / name / "ontology.owl")
        assert len(set(topic.seeds)) == len(topic.seeds) == 30
        assert {urlsplit(seed).scheme for seed in topic.seeds} == {"https"}
        assert len({urlsplit(seed).hostname for seed in topic.seeds}) > 10
        text = (EXAMPLES / name / "papers.bib").read_text(encoding="utf-8")
        entries = text.count("@misc{")
        assert entries >= 12
        assert text.count("author = {Scenthound examples}") == text.count("author =") - 1 == entries
        abstracts = re.findall(r"abstract = \{(.*?)\n  \}", text, re.DOTALL)
        assert len(abstracts) == entries
        assert all(60 <= len(abstract.split()) <= 100 for abstract in abstracts)
        ontology = read_ontology(EXAMPLES / name / "ontology.owl")
        assert ontology.topic == name
        assert [word for word in topic.keywords if word not in ontology] == []
        assert all(concept.origin for concept in ontology.concepts)
        assert 60 <= len(ontology) <= 100
        assert [found for found in find_problems(ontology) if found.is_serious] == []
    for path in PAGES:
        tree = html.fromstring(path.read_bytes())
        (title,), (heading,) = tree.xpath("//title/text()"), tree.xpath("//h1/text()")
        assert title == heading
        assert len(tree.xpath("//meta[@name='description']/@content")[0].split()) >= 8
        assert len(tree.xpath("//h2")) >= 3 and tree.xpath("//ul")
        assert 200 <= len(tree.text_content().split()) <= 350
        assert [
            link for link in tree.xpath("//a/@href") if not (path.parent / link).is_file()
        ] == []


@pytest.mark.parametrize("name", TOPICS)
def test_the_command_learns_the_shipped_ontology(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, learned = EXAMPLES / name, tmp_path / "ontology.owl"
    arguments = ["--topic", folder / "topic.toml", "--pages", folder / "pages"]
    outputs = ["--papers", folder / "papers.bib", "--out", learned]
    words = ["scenthound", "ontology", "learn", *arguments, *outputs]
    monkeypatch.setattr(sys, "argv", [str(word) for word in words])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert not stop.value.code
    same = learned.read_bytes() == (folder / "ontology.owl").read_bytes()
    assert same, "learning has changed: write them again with make -C examples"
