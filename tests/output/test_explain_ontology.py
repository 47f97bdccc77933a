"""Pages that an ontology judged, explained by the concepts they name."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

import scenthound
from output.corpus_making import html_web
from scenthound import Explanation, Topic, explain
from scenthound.cli.explain import print_explanation

AT = "http://w.test/"
PAGES = {
    "index.html": "<title>Storms</title><p>Typhoon and flood.</p>"
    "<a href='same.html'>one</a> <a href='cake.html'>cake</a>",
    "same.html": "<p>A storm.</p>",
    "cake.html": "<p>Cake.</p>",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """R of the second page is exactly sigma, which does not make it relevant."""
    web = html_web(tmp_path, PAGES)
    ontology = tmp_path / "storms.txt"
    ontology.write_text("# topic: storm\nstorm\n  typhoon\n  flood (induced-by)\n")
    topic = Topic("t", ("storm",), (f"{AT}index.html",), ontology=str(ontology))
    measured = tmp_path / "measured"
    given = {"strategy": "breadth-first", "judge": "ontology"}
    scenthound.replay(web, topic, out=measured, threshold=0.0, **given)  # type: ignore[arg-type]
    relevance = explain(measured, 2).relevance
    assert relevance is not None and relevance.recomputed is not None
    out, sigma = tmp_path / "out", relevance.recomputed
    scenthound.replay(web, topic, out=out, threshold=sigma, **given)  # type: ignore[arg-type]
    ontology.unlink()
    return out


def shown(told: Explanation) -> list[str]:
    console = Console(file=io.StringIO(), width=100, highlight=False)
    print_explanation(told, console)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_the_concepts_of_a_page_add_up(folder: Path) -> None:
    """The ontology is gone by now: the folder has what the crawl was judged by."""
    found = explain(folder, 1, terms=2).relevance
    assert found is not None and found.recomputed is not None
    assert (found.judge, found.nearest, found.note, found.relevant) == ("ontology", "", "", True)
    assert (found.terms[0].term, found.terms[0].count, found.rest_terms) == ("storm", 1, 1)
    added = sum(term.contribution for term in found.terms) + found.rest
    assert added == pytest.approx(found.recomputed, abs=1e-9)
    assert found.recomputed == pytest.approx(found.similarity, abs=1e-5)
    lines = shown(explain(folder, 1, terms=2))
    assert "  judge:     the concepts of the ontology" in lines
    assert any(line.split() == ["concept", "on", "the", "page", "adds"] for line in lines)
    assert any(line.startswith("  1 other concepts") for line in lines)
    assert not any(line.startswith("  nearest") for line in lines)
    at_sigma = explain(folder, 2).relevance  # which is not called a copy for it
    assert at_sigma is not None and at_sigma.similarity == at_sigma.threshold
    assert (at_sigma.relevant, at_sigma.note) == (False, "")


def test_without_its_concepts_the_journal_is_left_and_without_a_judge_similarity(
    folder: Path,
) -> None:
    (folder / "concepts.json").unlink()
    found = explain(folder, 1).relevance
    assert found is not None and found.recomputed is None and found.similarity > 0.0
    assert found.note.startswith("the stored page or the topic cannot be read any more")
    spec_path = folder / "crawl.json"
    spec_path.write_text(spec_path.read_text().replace('"judge": "ontology",', ""))
    found = explain(folder, 1).relevance
    assert found is not None and (found.judge, found.nearest) == ("similarity", "the keywords")
