from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from sample.sample_once import sample_web, write_files
from scenthound import compare
from scenthound.evaluation.compare import build_grid, web_values
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.grid_file import read_grid_file

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.filterwarnings("ignore::scenthound.ScenthoundWarning")

FOLDER = ROOT / "examples" / "comparisons"
FILES = sorted(FOLDER.glob("*.toml"))
PAGE = ROOT / "docs" / "howto" / "papers-experiments.md"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(sample_web(1), tmp_path_factory.mktemp("web"), "web")


def grid_over(web: Path, paper: str) -> Grid:
    given = web_values(
        web / "web.warc.gz", [web / "topics" / "storms.toml"], web / "labels.tsv"
    )  # fmt: skip
    return build_grid(FOLDER / f"{paper}.toml", web / "out", given)


def test_what_each_paper_ran(web: Path) -> None:
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


def test_the_strategies_are_those_of_the_page(web: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    papers = re.search(r"^\| +\|(.+)\|\n\|---", text[text.index("## What each paper did") :], re.M)
    row = re.search(r"^\| `--strategy` \|(.+)\|$", text, re.MULTILINE)
    assert papers and row
    for paper, listed in zip(papers[1].split("|"), row[1].split("|"), strict=True):
        grid = grid_over(web, paper.strip())
        assert re.findall(r"`([\w-]+)`", listed) == [each.label for each in grid.contenders]


def test_every_file_is_on_the_page_and_the_web_may_be_written_into_it(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(FILES) == 4
    for path in FILES:
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
