"""``--judge``: pages judged by the topic's ontology, in every command that judges."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scenthound as package
from cli.commands import Answer, Command, refused
from crawler.live_web import LiveWeb
from crawler.seed_site import add_site
from scenthound.core.errors import SettingsError, UnknownNameError

ONTOLOGY = "# topic: storm\nstorm\n  typhoon\n  rain\n    hail\n  flood (induced-by)\n"
NETWORK = ("--allow-private", "--delay", "0", "--timeout", "5s")


@pytest.fixture
def topic(sample: Path, tmp_path: Path) -> Path:
    """The sample's topic with an ontology beside it."""
    path = tmp_path / "t.toml"
    path.write_text('ontology = "storms.txt"\n' + (sample / "topics" / "storms.toml").read_text())
    (tmp_path / "storms.txt").write_text(ONTOLOGY)
    return path


@pytest.fixture(scope="module")
def web() -> Iterator[LiveWeb]:
    with LiveWeb(hosts=4) as served:
        add_site(served)
        yield served


def replay(scenthound: Command, sample: Path, topic: Path, *more: str | Path) -> Answer:
    return scenthound(
        "replay", sample / "sample.warc.gz", "-t", topic, "-s", "breadth-first",
        "--budget", "40", *more,
    )  # fmt: skip


def figures(answer: Answer) -> dict[str, Any]:
    assert answer.code == 0, answer.err
    run: dict[str, Any] = json.loads(answer.out)["runs"][0]
    return run


def test_a_replay_is_judged_as_it_is_told(scenthound: Command, sample: Path, topic: Path) -> None:
    own = figures(replay(scenthound, sample, topic, "--json", "-"))
    option = ("--judge", "ontology", "--threshold", "0.5")
    by_option = figures(replay(scenthound, sample, topic, "--json", "-", *option))
    sets = ("--set", "replay.judge=ontology", "--set", "replay.threshold=0.5")
    by_setting = figures(replay(scenthound, sample, topic, "--json", "-", *sets))
    assert (own["judge"], by_option["judge"], by_setting["judge"]) == (
        "similarity",
        "ontology",
        "ontology",
    )
    assert by_option["threshold"] == {"value": 0.5, "origin": "given"}
    assert own["order"] == by_option["order"] and own["final"] != by_option["final"]
    assert by_option["final"] == by_setting["final"]
    twin = package.replay(
        sample / "sample.warc.gz", package.read_topic(topic), "breadth-first", budget=40,
        judge="ontology", threshold=0.5,
    )  # fmt: skip
    assert twin.final.rn == by_option["final"]["rn"] and twin.judge == "ontology"


def test_the_table_says_who_judged(scenthound: Command, sample: Path, topic: Path) -> None:
    assert "All by the judge (VSM)." in replay(scenthound, sample, topic).out
    by_ontology = replay(scenthound, sample, topic, "--judge", "ontology")
    assert "All by the judge (ontology)." in by_ontology.out and by_ontology.code == 0


def test_what_cannot_be_is_one_sentence(scenthound: Command, sample: Path, topic: Path) -> None:
    unknown = replay(scenthound, sample, topic, "--judge", "ontologie")
    refused(unknown, "unknown judge 'ontologie'; did you mean 'ontology'?")
    outside = replay(scenthound, sample, topic, "--threshold", "1.5")
    refused(outside, "--threshold lies within 0 and 1, not at 1.5.")
    topic.with_name("storms.txt").unlink()
    refused(replay(scenthound, sample, topic, "--judge", "ontology"), "storms.txt")
    assert replay(scenthound, sample, topic).code == 0


def test_python_says_the_same(sample: Path, topic: Path) -> None:
    asked = package.read_topic(topic)
    with pytest.raises(UnknownNameError, match="unknown judge 'me'"):
        package.replay(sample, asked, judge="me")
    with pytest.raises(SettingsError, match='judge takes "similarity" or "ontology", not 5'):
        package.replay(sample, asked, judge=5)  # type: ignore[arg-type]


def crawled(scenthound: Command, web: LiveWeb, folder: Path, *more: str) -> Answer:
    ontology = folder / "o.txt"
    ontology.write_text("# topic: typhoon\ntyphoon\n  storm surge\n")
    topic = folder / "live.toml"
    seed = web.url(1, "/storm-surge.html")
    topic.write_text(
        f'name = "s"\nkeywords = ["typhoon"]\nseeds = ["{seed}"]\nontology = "o.txt"\n'
    )
    return scenthound("crawl", "-t", topic, "--out", folder / "c", *NETWORK, *more)


def test_a_crawl_is_judged_as_it_is_told(scenthound: Command, web: LiveWeb, tmp_path: Path) -> None:
    options = ("--max-pages", "1", "--json", "-", "--judge", "ontology", "--threshold", "0.9")
    run = figures(crawled(scenthound, web, tmp_path, *options))
    assert (run["judge"], run["threshold"]["value"], run["final"]["rn"]) == ("ontology", 0.9, 1)
    (told,) = json.loads(scenthound("explain", tmp_path / "c", "1", "--json").out)["explanations"]
    assert {term["term"] for term in told["relevance"]["terms"]} == {"typhoon", "storm surge"}
    assert told["relevance"]["judge"] == "ontology"


def test_seeds_are_judged_as_a_crawl_would(
    scenthound: Command, web: LiveWeb, tmp_path: Path
) -> None:
    """A page that names a concept of the ontology is an example; others are none."""
    (tmp_path / "o.txt").write_text("# topic: office\noffice\n  opening hours\n")
    topic = tmp_path / "t.toml"
    topic.write_text(
        f'name = "storms"\nkeywords = ["typhoon", "storm surge"]\nseeds = ["{web.url(1)}"]\n'
        'ontology = "o.txt"\n'
    )
    options = (*NETWORK, "--fetch", "4", "--json", "--judge", "ontology", "--threshold", "0.5")
    proposals = json.loads(scenthound("seeds", topic, *options).out)
    found = {each["url"]: each["kind"] for each in proposals}
    assert found[web.url(1, "/typhoon-shop")] == "example"
    assert found.get(web.url(1, "/storm-surge.html")) != "example"
