"""The ontologies of the examples are what the command learns from their pages and notes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scenthound.cli.main import main
from scenthound.papers.ontologies.checks import find_problems
from scenthound.papers.ontologies.files import read_ontology
from scenthound.similarity.topic_file import read_topic

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TOPICS = ("typhoon", "rainstorm")


@pytest.mark.parametrize("name", TOPICS)
def test_the_command_learns_the_shipped_ontology(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, learnt = EXAMPLES / name, tmp_path / "ontology.owl"
    arguments = ["--topic", folder / "topic.toml", "--pages", folder / "pages"]
    outputs = ["--papers", folder / "papers.bib", "--out", learnt]
    words = ["scenthound", "ontology", "learn", *arguments, *outputs]
    monkeypatch.setattr(sys, "argv", [str(word) for word in words])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    same = learnt.read_bytes() == (folder / "ontology.owl").read_bytes()
    assert same, "learning has changed: write them again with make -C examples"


def test_a_shipped_ontology_has_the_keywords_and_no_fault() -> None:
    for name in TOPICS:
        ontology = read_ontology(EXAMPLES / name / "ontology.owl")
        keywords = read_topic(EXAMPLES / name / "topic.toml").keywords
        assert ontology.topic == name
        assert [word for word in keywords if word not in ontology] == []
        assert all(concept.origin for concept in ontology.concepts)
        assert 60 <= len(ontology) <= 100
        assert [found for found in find_problems(ontology) if found.is_serious] == []
