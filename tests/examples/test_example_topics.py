"""The example topics are whole: pages, notes, seeds, and the ontologies learned from them."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lxml import html

from scenthound.cli.main import main
from scenthound.papers.ontologies.checks import find_problems
from scenthound.papers.ontologies.files import read_ontology
from scenthound.similarity.topic_file import read_topic

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TOPICS = ("typhoon", "rainstorm")
PAGES = sorted(EXAMPLES.glob("*/pages/*.html"))
QUERY_WORDS = {
    "typhoon": ("typhoon", "storm surge", "wind", "tropical cyclone", "hurricane"),
    "rainstorm": ("rainstorm", "rainfall", "urban waterlogging", "flood"),
}


def test_a_topic_names_its_query_words_every_page_and_seeds_on_several_hosts() -> None:
    for name in TOPICS:
        topic = read_topic(EXAMPLES / name / "topic.toml")
        assert (topic.name, topic.keywords) == (name, QUERY_WORDS[name])
        assert {Path(page) for page in topic.examples} == {*EXAMPLES.glob(f"{name}/pages/*.html")}
        assert topic.ontology == str(EXAMPLES / name / "ontology.owl")
        assert len(set(topic.seeds)) == len(topic.seeds) == 30
        assert {urlsplit(seed).scheme for seed in topic.seeds} == {"https"}
        assert len({urlsplit(seed).hostname for seed in topic.seeds}) > 10


def test_a_page_has_what_a_reader_looks_for() -> None:
    for page in PAGES:
        tree = html.fromstring(page.read_bytes())
        (title,), (heading,) = tree.xpath("//title/text()"), tree.xpath("//h1/text()")
        assert title == heading
        assert len(tree.xpath("//meta[@name='description']/@content")[0].split()) >= 8
        assert len(tree.xpath("//h2")) >= 3 and tree.xpath("//ul")
        assert 200 <= len(tree.text_content().split()) <= 350
        assert [
            link for link in tree.xpath("//a/@href") if not (page.parent / link).is_file()
        ] == []


def test_study_notes_claim_no_author() -> None:
    for name in TOPICS:
        text = (EXAMPLES / name / "papers.bib").read_text(encoding="utf-8")
        entries = text.count("@misc{")
        assert entries >= 12
        assert text.count("author = {Scenthound examples}") == text.count("author =") - 1 == entries
        abstracts = re.findall(r"abstract = \{(.*?)\n  \}", text, re.DOTALL)
        assert len(abstracts) == entries
        assert all(60 <= len(abstract.split()) <= 100 for abstract in abstracts)


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
