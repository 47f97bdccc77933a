"""Strategies that use an ontology: bad files are one sentence, poor topics a warning."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.commands import Command, refused
from crawler.live_web import LiveWeb, page

USING = ["olmoaco", "wseo", "best-first-ontology"]
HTML = "<!doctype html><html><body><p>Not found</p></body></html>"
CIRCLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://o.test/> .
:a a skos:Concept ; skos:prefLabel "storm" ; skos:broader :b .
:b a skos:Concept ; skos:prefLabel "flood" ; skos:broader :a .
"""
STEP = r"ant \d+, step 1 of 9 in cycle 1: chance \d\.\d\d by anchor \d\.\d\d, target \d\.\d\d and"
BAD = {
    "missing.owl": (None, "No such file"),
    "empty.owl": ("", "empty"),
    "page.owl": (HTML, "a web page, not an ontology"),
    "circle.ttl": (CIRCLE, "circle"),
    "empty.txt": ("\n", "empty"),
    "cut.owl": ("<rdf:RDF", "cut.owl"),
}


def topic_file(folder: Path, sample: Path, name: str) -> Path:
    path = folder / "t.toml"
    given = (sample / "topics" / "storms.toml").read_text()
    path.write_text(f'ontology = "{name}"\n{given}')
    return path


@pytest.fixture
def replay(cli: Command, sample: Path) -> Command:
    return cli.begun("replay", sample / "sample.warc.gz", "--budget", "25")


def test_replay_refuses_an_ontology_that_cannot_be_used(
    replay: Command, sample: Path, tmp_path: Path
) -> None:
    for (name, (content, word)), strategy in zip(BAD.items(), 2 * USING, strict=True):
        if content is not None:
            (tmp_path / name).write_text(content)
        topic, out = topic_file(tmp_path, sample, name), tmp_path / f"out-{name}"
        refused(replay("-t", topic, "-s", strategy, "--out", out), name.split(".")[0], word)
        assert not list(out.glob("**/journal.jsonl"))


def test_live_crawl_refuses_it_before_anything_is_fetched(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "page.owl").write_text(HTML)
    with LiveWeb(hosts=1) as web:
        seed = web.add(1, "/", page("Storm", "A storm."))
        topic, out = tmp_path / "t.toml", tmp_path / "out"
        topic.write_text(
            f'name = "t"\nkeywords = ["storm"]\nseeds = ["{seed}"]\nontology = "page.owl"\n'
        )
        answer = cli("crawl", "-t", topic, "-s", "olmoaco", "--out", out, "--allow-private")
        assert web.requested() == []
    refused(answer, "page", BAD["page.owl"][1])
    assert not (out / "journal.jsonl").exists()


def test_strategies_without_one_do_not_care(replay: Command, sample: Path, tmp_path: Path) -> None:
    replay.ok("-t", topic_file(tmp_path, sample, "missing.owl"), "-s", "moaco")


def test_ontology_that_no_page_names_is_told_and_the_crawl_goes_on(
    replay: Command, sample: Path, tmp_path: Path
) -> None:
    (tmp_path / "o.txt").write_text("# topic: zeugma\nzeugma\n  litotes\n")
    topic = topic_file(tmp_path, sample, "o.txt")
    answer = replay.ok("-t", topic, "-s", "olmoaco", "--json", "-")
    assert json.loads(answer.out)["runs"][0]["fetched"] == 25
    told = " ".join(answer.err.split())
    assert "no concept of the ontology" in told and "is it about this topic?" in told
    assert "none of the first 20 pages names a concept" in told


def test_topic_of_keywords_alone_is_told_to_be_poor_and_works(
    replay: Command, sample: Path, tmp_path: Path
) -> None:
    topic = tmp_path / "t.toml"
    lines = (sample / "topics" / "storms.toml").read_text()
    seeds = lines[lines.index("seeds") :].split("]")[0]
    topic.write_text(f'name = "t"\nkeywords = ["storm", "heavy rain"]\n{seeds}]\n')
    for strategy in USING[:2]:
        answer = replay.ok("-t", topic, "-s", strategy, "--json", "-")
        assert json.loads(answer.out)["runs"][0]["fetched"] == 25
        assert "the ontology is learned from no example page" in " ".join(answer.err.split())


def test_explain_shows_why_an_ant_went_there(
    cli: Command, replay: Command, sample: Path, tmp_path: Path
) -> None:
    topic, out = sample / "topics" / "storms.toml", tmp_path / "out"
    replay.ok("-t", topic, "-s", "moaco", "--out", out)
    (folder,) = {path.parent for path in out.glob("**/journal.jsonl")}
    seeds = (folder / "journal.jsonl").read_text().count('"depth":0')
    explain = cli.begun("explain", folder, "--page", f"{seeds + 1}")
    assert re.search(STEP, " ".join(explain.ok().out.split()))
    assert re.search(STEP, json.dumps(json.loads(explain("--json").out)))
