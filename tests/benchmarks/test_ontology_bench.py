"""The bench of PageRank and of choosing links: what it measures is right, and what it prints."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.ontology.grown_web import LINKS, grown_web
from benchmarks.ontology.pagerank import from_scratch, pagerank
from benchmarks.ontology.run import main, sections
from benchmarks.ontology.selection import selection, waiting_links

from linkgraph.slow_pagerank import graph_of, slow_pagerank
from scenthound.linkgraph.graph import LinkGraph
from scenthound.linkgraph.pareto import first_front
from scenthound.sample.files import write_warc
from scenthound.sample.response import answer
from scenthound.sample.web import SampleWeb


def test_a_web_without_end() -> None:
    pages = list(grown_web(200))
    graph = LinkGraph()
    assert [page.into(graph) for page in pages[:1]] == [0]
    assert all(len(page.targets) == len(page.anchors) == LINKS for page in pages)
    inlinks = Counter(target for page in pages for target in page.targets)
    assert len(inlinks) > 5 * len(pages)
    assert max(inlinks.values()) > 10 * sum(inlinks.values()) / len(inlinks)
    assert pages == list(grown_web(200))


def test_a_web_that_is_fetched_to_its_end() -> None:
    pages = list(grown_web(50, urls=50))
    assert {target for page in pages for target in page.targets} == {page.url for page in pages}


def test_from_scratch_as_printed() -> None:
    graph = graph_of({"a": [("b", 1.0), ("c", 0.2)], "b": [("a", 0.0)], "d": [("c", 0.5)]})
    assert from_scratch(graph) == pytest.approx(slow_pagerank(graph), abs=1e-4)


def test_pagerank_by_size(capsys: pytest.CaptureFixture[str]) -> None:
    pagerank([30, 60])
    growing, _, *rows = capsys.readouterr().out.splitlines()
    assert "30 links" in growing
    assert [row.split()[0] for row in (*rows[:2], *rows[4:])] == ["30", "60"] * 2
    for row in (*rows[:2], *rows[4:]):
        error = next(cell for cell in row.split() if cell.endswith("%"))
        assert 0.0 <= float(error.rstrip("%")) < 1.0


def test_the_hard_links_are_hard() -> None:
    links = waiting_links(100)
    assert len(first_front(links["none better than another"])) == 100
    assert len(first_front(links["all equal"])) == 100
    assert 1 < len(first_front(links["as in a crawl"])) < 100


def test_selection_beside_extraction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    urls = [f"http://a.test/{number}" for number in range(30)]
    web = SampleWeb(0, {url: answer(url, f"<title>{url}</title>") for url in urls}, (), {})
    write_warc(web, tmp_path / "schools.warc.gz")
    selection(tmp_path, waiting=40, pages=2)
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("30 of 40 waiting links, beside extracting 2 pages")
    assert [row.partition(":")[0] for row in rows] == list(waiting_links(1))
    assert all("(bar: 0.2)" in row for row in rows)


def test_selection_beside_pages_of_the_sample_web(capsys: pytest.CaptureFixture[str]) -> None:
    selection(None, waiting=40, pages=2)
    head = capsys.readouterr().out.splitlines()[0]
    assert "extracting 2 pages of 3" in head  # about 30 kB


def test_help_names_every_section(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    said = capsys.readouterr().out
    assert all(name in said for name in sections(None))


def test_a_section_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--only", "pagernak"])
    assert "selection" in capsys.readouterr().err


def test_a_folder_without_webs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--webs", str(tmp_path), "--only", "selection"]) == 2
    assert "bench-ontology: " in capsys.readouterr().err
