"""The example topics are whole: pages, notes and seeds."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from lxml import html

from scenthound import read_topic

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TOPICS = ("typhoon", "rainstorm")
PAGES = sorted(EXAMPLES.glob("*/pages/*.html"))
QUERY_WORDS = {
    "typhoon": ("typhoon", "storm surge", "wind", "tropical cyclone", "hurricane"),
    "rainstorm": ("rainstorm", "rainfall", "urban waterlogging", "flood"),
}


def test_a_topic_names_its_query_words_and_every_page() -> None:
    for name in TOPICS:
        topic = read_topic(EXAMPLES / name / "topic.toml")
        assert (topic.name, topic.keywords) == (name, QUERY_WORDS[name])
        assert {Path(page) for page in topic.examples} == {*EXAMPLES.glob(f"{name}/pages/*.html")}
        assert topic.ontology == str(EXAMPLES / name / "ontology.owl")


def test_thirty_seeds_on_several_hosts() -> None:
    for name in TOPICS:
        seeds = read_topic(EXAMPLES / name / "topic.toml").seeds
        assert len(set(seeds)) == len(seeds) == 30
        assert {urlsplit(seed).scheme for seed in seeds} == {"https"}
        assert len({urlsplit(seed).hostname for seed in seeds}) > 10


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
