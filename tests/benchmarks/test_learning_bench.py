"""The bench of ontology learning: what it times, and what it prints."""

from __future__ import annotations

import pytest
from benchmarks.ontology.learning import BAR, PAGES, learning, sample_sources

from sample.sample_once import sample_web
from scenthound.papers.olmoaco.learner import STEPS


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
