"""``scenthound topic``: what a user sees of a topic and of its graph, and bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from cli.commands import Command, refused
from scenthound.storage.folder import CrawlFolder
from text.wordnet_building import write


@pytest.fixture
def rich_topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(
        'name = "storms"\nkeywords = ["storm", "tropical cyclone", "Wirbelsturm"]\n'
        'examples = ["A storm brings wind and hail.", "A storm brings wind and rain."]\n'
    )
    return path


@pytest.fixture
def show(cli: Command, rich_topic: Path) -> Command:
    return cli.begun("topic", "show", rich_topic)


@pytest.fixture
def graph(cli: Command, rich_topic: Path) -> Command:
    return cli.begun("topic", "graph", rich_topic)


@pytest.fixture
def crawl(cli: Command, sample: Path, topic: Path, tmp_path: Path) -> Path:
    """A crawl folder that learned a graph, and one beside it that did not."""
    cli.ok(
        "replay", sample / "sample.warc.gz", "-t", topic, "-s", "sdvsm", "-s", "vsm",
        "--budget", "5", "--out", tmp_path / "out", "-q",
    )  # fmt: skip
    return tmp_path / "out" / "storms" / "sdvsm"


def line_of(text: str, start: str) -> str:
    """The first line that starts so, with single blanks."""
    return next(" ".join(line.split()) for line in text.splitlines() if line.startswith(start))


def test_show_tells_terms_senses_and_what_is_not_known(show: Command) -> None:
    answer = show.ok()
    assert "examples: 2 of 2 pages read" in answer.out
    assert "WordNet:  3.0, shipped with Scenthound" in answer.out
    assert "language: en: base forms of WordNet, 322 stop words" in answer.out
    row = line_of(answer.out, "storm  ")
    assert row.endswith("3 - storm, violent storm (a kind of atmospheric phenomenon)")
    assert line_of(answer.out, "wirbelsturm ").endswith(" -")
    written = line_of(answer.out, "compared as written (lexical only)")
    assert "tropical" in written and written.lower().count("wirbelsturm") == 1
    assert (
        "keyword 'tropical cyclone': its words are compared: cyclone by meaning, tropical as "
        "written" in answer.out
    )
    assert "fewer than 12 words of this topic" in answer.out
    assert answer.err.count("warning") == 1 and "(lexical only): Wirbelsturm" in answer.err
    found = json.loads(show("--json", "--terms", "2").out)
    assert found["name"] == "storms" and found["examples"] == 2
    assert len(found["terms"]) == 2
    storm = found["terms"][0]
    assert (storm["term"], storm["senses"]) == ("storm", 3)
    assert storm["sense"]["kind_of"] == ["atmospheric phenomenon"]
    assert (storm["vouched"], found["vouching"]) == (None, False)
    assert (found["ambiguous"], found["graph_origin"]) == ([], None)


def test_show_with_an_archive(cli: Command, sample: Path) -> None:
    line = ["topic", "show", sample / "topics" / "cars.toml",
            "--archive", sample / "sample.warc.gz"]  # fmt: skip
    answer = cli(*line)
    assert line_of(answer.out, "jaguar ").endswith("1 0 no sense fits: compared as written")
    assert "fit: senses that another term of the topic supports" in answer.out
    terms = {each["term"]: each for each in json.loads(cli(*line, "--json").out)["terms"]}
    assert (terms["jaguar"]["vouched"], terms["jaguar"]["sense"]) == (0, None)
    line = ["topic", "show", sample / "topics" / "storms.toml"]
    with_archive = cli(*line, "--archive", sample / "sample.warc.gz")
    assert "examples: 8 of 8 pages read" in with_archive.out and with_archive.err == ""
    without = cli(*line)
    assert "examples: 0 of 8 pages read" in without.out
    assert "8 of 8 examples are addresses and are left out" in without.err
    assert "--archive" in without.err


def test_nothing_ambiguous_and_long_keywords(
    show: Command, graph: Command, rich_topic: Path
) -> None:
    why = "yet: before a crawl no irrelevant page is known; give --crawl with a crawl by sdvsm"
    for command in (show, graph):
        answer = command()
        assert why in " ".join(answer.out.split()) and "yes" not in answer.out.split()
    assert "two of each example page and the keywords" in " ".join(answer.out.split())
    many = " ".join(f"{a}{b}q" for a in "bcdfghjk" for b in "aeiou")
    rich_topic.write_text(f'name = "t"\nkeywords = ["storm", "{many} {many}", "{"x" * 12_000}"]\n')
    for command in (show, graph):
        answer = command.ok()
        assert f"{many[:57]}..." in answer.out
        assert many[:61] not in answer.out and "x" * 61 not in answer.out + answer.err
    assert f"say nothing are left out: {'x' * 57}..." in answer.err


def test_show_of_wordnet_and_ontology(show: Command, rich_topic: Path, tmp_path: Path) -> None:
    folder = write(tmp_path / "dict")
    answer = show("--wordnet", folder)
    assert f"WordNet:  3.0, {folder}" in answer.out.replace("\n", "")
    assert line_of(answer.out, "storm  ").endswith("1 - storm, tempest (a kind of event)")
    assert "ontology:" not in show().out
    assert json.loads(show("--json").out)["ontology"] is None
    file = rich_topic.parent / "o.txt"
    file.write_text("# topic: storm\nstorm\n  typhoon\n  flood (induced-by)\n")
    rich_topic.write_text(f'ontology = "o.txt"\n{rich_topic.read_text()}')
    assert "\nontology: " in show().out and "o.txt, 3 concepts, about 'storm'" in show().out
    found = json.loads(show("--json").out)["ontology"]
    assert found == {"file": str(file), "concepts": 3, "about": "storm"}


def test_show_of_another_language_and_of_hostile_names(show: Command, rich_topic: Path) -> None:
    rich_topic.write_text(rich_topic.read_text() + 'language = "de"\n')
    answer = show.ok()
    assert "WordNet:  not used: it is English, the topic's language is de" in answer.out
    assert "language: de: stems (Snowball, german), " in answer.out
    assert "Not nouns of WordNet" not in answer.out
    assert answer.err.count("warning") == 1 and "WordNet is English" in answer.err
    rich_topic.write_text('name = "[red]x\\u001b[31m"\nkeywords = ["storm [bold]\\u009b"]\n')
    answer = show.ok()
    assert "[red]x" in answer.out and "\x1b" not in answer.out and "\x9b" not in answer.out
    assert "\x9b" not in show("--json").out


def test_show_and_graph_of_a_crawl(cli: Command, topic: Path, crawl: Path) -> None:
    shown = cli("topic", "show", topic, "--crawl", crawl)
    assert f"(learned by the crawl in {crawl})" in shown.out.replace("\n", "")
    answer = cli.ok("topic", "graph", topic, "--crawl", crawl)
    assert answer.err == ""
    before = cli("topic", "graph", topic)
    assert line_of(answer.out, "storm ") != line_of(before.out, "storm ")


def test_graph_is_printed_written_and_drawn(graph: Command, tmp_path: Path) -> None:
    answer = graph.ok()
    assert answer.err == ""
    # Storms bring something on both pages, and hail on one of them.
    assert "storm 1.00" in line_of(answer.out, "bring ")
    assert "storm 0.50" in line_of(answer.out, "hail ")
    assert line_of(answer.out, "wirbelsturm ").endswith("never seen beside others")
    found = json.loads(graph("--json").out)
    terms = {each["term"]: each for each in found["terms"]}
    assert found["graph_origin"] is None
    assert not any(each["ambiguous"] or each["companions"] for each in found["terms"])
    assert (terms["storm"]["TR"], terms["storm"]["TP"]) == (2.0, 2.0)  # once on each page
    degrees = {frozenset(edge["terms"]): edge["cd"] for edge in found["edges"]}
    assert degrees[frozenset(("hail", "storm"))] == 0.5
    out, draw = tmp_path / "g.graphml", tmp_path / "g.svg"
    draw.write_text("old")
    answer = graph.ok("--out", out, "--draw", draw)
    assert (answer.out, answer.err) == ("", f"wrote {out}\nwrote {draw}\n")
    names = {data.text for data in ElementTree.parse(out).iter() if data.tag.endswith("data")}
    assert {"storm", "hail", "wirbelsturm"} <= names
    assert "<svg" in draw.read_text("utf-8")


def test_what_cannot_be_used(cli: Command, topic: Path, tmp_path: Path) -> None:
    path = tmp_path / "addresses.toml"
    path.write_text('name = "storms"\nexamples = ["http://stormwatch.test/"]\n')
    refused(cli("topic", "show", path), "addresses.toml", "1 example", "--archive")
    refused(cli("topic", "show", "no.toml"), "no.toml")
    for options, words in [
        (("--archive", "no.warc"), ("no.warc",)),
        (("--crawl", "nowhere"), ("nowhere", "no crawl")),
        (("--crawl", topic), ("t.toml is a file", "folder of a crawl")),
        (("--crawl", ""), ("--crawl", "empty")),
        (("--wordnet", ""), ("--wordnet", "empty")),
        (("--wordnet", tmp_path), ("lacks", "data.noun")),
    ]:
        refused(cli("topic", "graph", topic, *options), *words)
    (tmp_path / "dir.graphml").mkdir()
    (tmp_path / "dir.svg").mkdir()
    for option, name, reported in [
        ("--out", "g.gml", [".graphml"]),
        ("--out", "no/g.graphml", ["there is no folder"]),
        ("--out", "dir.graphml", ["is a folder"]),
        ("--draw", "g.gif", [".svg or .png or .pdf"]),
    ]:
        refused(cli("topic", "graph", topic, option, tmp_path / name), option, name, *reported)
    text = topic.read_text()
    for name, content, reported in [
        ("", None, ["t.toml", "ontology is empty"]),
        ("no.txt", None, ["no.txt", "No such file"]),
        ("o.txt", "", ["o.txt", "empty"]),
    ]:
        if content is not None:
            (topic.parent / name).write_text(content)
        topic.write_text(f'ontology = "{name}"\n{text}')
        refused(cli("topic", "show", topic), *reported)


def test_folders_without_a_graph_of_the_topic(cli: Command, topic: Path, crawl: Path) -> None:
    show = cli.begun("topic", "show", topic, "--crawl")
    refused(show(crawl.parent / "vsm"), "vsm", "sdvsm or soft-sdvsm")
    for folder in (crawl.parent, crawl.parent.parent):
        refused(show(folder), "folder of crawls", str(crawl))
    topic.write_text('name = "coffee"\nkeywords = ["coffee"]\n')
    refused(show(crawl), "'storms'", "'coffee'")


def test_a_damaged_graph(cli: Command, topic: Path, crawl: Path) -> None:
    for key in ["names", "cooccurrence"]:
        folder = CrawlFolder.open(crawl)
        state = folder.load_state()
        graph: Any = state
        for name in ("scorer", "graph", "graph"):
            graph = graph[name]
        for value in (None, np.zeros(7)):
            graph[key] = value
            folder.save_state(state)
            refused(cli("topic", "graph", topic, "--crawl", crawl), "state.npz", "damaged")


def test_wordnet_of_the_settings(cli: Command, sample: Path, topic: Path, tmp_path: Path) -> None:
    write(tmp_path / "dict")
    config = tmp_path / "c.toml"
    config.write_text('[replay]\nwordnet = "dict"\n')
    replay = cli.begun("replay", sample / "sample.warc.gz", "-t", topic, "--budget", "5", "-q")
    replay.ok("--config", config, "--out", tmp_path / "out")
    settings: Any = CrawlFolder.open(tmp_path / "out" / "storms" / "scent").crawl_spec()["settings"]
    assert settings["wordnet"] == {"version": "3.0", "origin": str(tmp_path / "dict")}
    refused(replay("--config", config, "--wordnet", tmp_path / "no"), "no WordNet folder")
