"""The benches of ontology learning, PageRank and choosing links: what they measure and print."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.ontology.grown_web import LINKS, grown_web
from benchmarks.ontology.learning import BAR, PAGES, learning, sample_sources
from benchmarks.ontology.pagerank import pagerank
from benchmarks.ontology.selection import selection, waiting_links

from sample.sample_once import sample_web
from scenthound.papers.olmoaco.learner import STEPS
from scenthound.papers.olmoaco.link_graph import LinkGraph
from scenthound.sample.responses import make_response
from scenthound.sample.web import SampleWeb, write_warc


def test_a_web_without_end() -> None:
    pages = list(grown_web(200))
    graph = LinkGraph()
    assert [page.into(graph) for page in pages[:1]] == [0]
    assert all(len(page.targets) == len(page.anchors) == LINKS for page in pages)
    inlinks = Counter(target for page in pages for target in page.targets)
    assert len(inlinks) > 5 * len(pages)
    assert max(inlinks.values()) > 10 * sum(inlinks.values()) / len(inlinks)
    assert pages == list(grown_web(200))


def test_pagerank_by_size(capsys: pytest.CaptureFixture[str]) -> None:
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


def test_learning_is_told_step_by_step(
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
