"""Bad input to ``scenthound topic`` and ``--wordnet``: one sentence, exit code 2."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.commands import Command, refused
from scenthound.storage.folder import CrawlFolder
from text.wordnet_building import HEAD, write

EXAMPLES = 'examples = ["http://stormwatch.test/"]\n'


@pytest.fixture
def crawl(scenthound: Command, sample: Path, topic: Path, tmp_path: Path) -> Path:
    """A crawl folder that learnt a graph, and one beside it that did not."""
    answer = scenthound(
        "replay", sample / "sample.warc.gz", "-t", topic, "-s", "sdvsm", "-s", "vsm",
        "--budget", "5", "--out", tmp_path / "out", "-q",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    return tmp_path / "out" / "storms" / "sdvsm"


@pytest.mark.parametrize("command", ["show", "graph"])
def test_only_addresses_and_no_archive(scenthound: Command, tmp_path: Path, command: str) -> None:
    path = tmp_path / "t.toml"
    path.write_text('name = "storms"\n' + EXAMPLES)
    refused(scenthound("topic", command, path), "t.toml", "1 example", "--archive")


@pytest.mark.parametrize("command", ["show", "graph"])
def test_missing_files(scenthound: Command, topic: Path, command: str) -> None:
    refused(scenthound("topic", command, "no.toml"), "no.toml")
    refused(scenthound("topic", command, topic, "--archive", "no.warc"), "no.warc")
    refused(scenthound("topic", command, topic, "--crawl", "nowhere"), "nowhere", "no crawl")


def test_places_that_cannot_be_written_to(scenthound: Command, topic: Path, tmp_path: Path) -> None:
    (tmp_path / "dir.graphml").mkdir()
    (tmp_path / "dir.svg").mkdir()
    for option, name, words in [
        ("--out", "g.gml", [".graphml"]),
        ("--out", "no/g.graphml", ["there is no folder"]),
        ("--out", "dir.graphml", ["is a folder"]),
        ("--draw", "g.gif", [".svg or .png or .pdf"]),
    ]:
        refused(scenthound("topic", "graph", topic, option, tmp_path / name), option, name, *words)


@pytest.mark.parametrize("command", ["show", "graph"])
def test_folders_without_a_graph_of_the_topic(
    scenthound: Command, topic: Path, crawl: Path, command: str
) -> None:
    def ask(folder: Path) -> None:
        refused(scenthound("topic", command, topic, "--crawl", folder), *words)

    words = ["vsm", "sdvsm or soft-sdvsm"]
    ask(crawl.parent / "vsm")
    for folder in (crawl.parent, crawl.parent.parent):
        words = ["folder of crawls", str(crawl)]
        ask(folder)
    topic.write_text('name = "coffee"\nkeywords = ["coffee"]\n')
    words = ["'storms'", "'coffee'"]
    ask(crawl)


@pytest.mark.parametrize("command", ["show", "graph"])
def test_names_that_are_no_folder(scenthound: Command, topic: Path, command: str) -> None:
    line = ["topic", command, topic]
    refused(scenthound(*line, "--crawl", topic), "t.toml is a file", "folder of a crawl")
    refused(scenthound(*line, "--crawl", ""), "--crawl", "empty")
    refused(scenthound(*line, "--wordnet", ""), "--wordnet", "empty")


def test_what_a_learnt_graph_would_not_read(
    scenthound: Command, sample: Path, topic: Path, crawl: Path
) -> None:
    line = ["topic", "graph", topic, "--crawl", crawl]
    archive = ["--archive", sample / "sample.warc.gz"]
    refused(scenthound(*line, *archive), "archive would not be read")
    refused(scenthound(*line, *archive, "--wordnet", crawl), "archive and wordnet would not")


def test_a_damaged_graph(scenthound: Command, topic: Path, crawl: Path) -> None:
    for key in ["names", "weights", "cooccurrence", "ambiguous", "rule"]:
        folder = CrawlFolder.open(crawl)
        state = folder.load_state()
        graph: Any = state
        for name in ("scorer", "graph", "graph"):
            graph = graph[name]
        for value in (None, np.zeros(7)):
            graph[key] = value
            folder.save_state(state)
            refused(scenthound("topic", "graph", topic, "--crawl", crawl), "state.npz", "damaged")


def test_a_folder_that_is_no_wordnet(
    scenthound: Command, sample: Path, topic: Path, tmp_path: Path
) -> None:
    for command in ["show", "graph", "replay"]:
        line = {
            "show": ["topic", "show", topic],
            "graph": ["topic", "graph", topic],
            "replay": ["replay", sample / "sample.warc.gz", "-t", topic, "--budget", "5"],
        }[command]
        refused(scenthound(*line, "--wordnet", tmp_path / "no"), "there is no WordNet folder")
        refused(scenthound(*line, "--wordnet", tmp_path), "lacks", "data.noun")
        old = write(tmp_path / "old", data_noun=HEAD.replace("3.0", "1.7") + "x")
        refused(scenthound(*line, "--wordnet", old), "1.7", "3.0")


def test_a_wordnet_of_the_settings_file(
    scenthound: Command, sample: Path, topic: Path, tmp_path: Path
) -> None:
    write(tmp_path / "dict")
    config = tmp_path / "c.toml"
    line = ["replay", sample / "sample.warc.gz", "-t", topic, "--budget", "5", "-q",
            "--config", config, "--out"]  # fmt: skip
    config.write_text('[replay]\nwordnet = "dict"\n')
    assert scenthound(*line, tmp_path / "out").code == 0
    settings = CrawlFolder.open(tmp_path / "out" / "storms" / "scent").order()["settings"]
    assert isinstance(settings, dict)
    assert settings["wordnet"] == {"version": "3.0", "origin": str(tmp_path / "dict")}
    refused(scenthound(*line, tmp_path / "o2", "--wordnet", tmp_path / "no"), "no WordNet folder")


def test_ontology_of_a_topic(scenthound: Command, topic: Path) -> None:
    text = topic.read_text()
    for name, content, words in [
        ("", None, ["t.toml", "ontology is empty"]),
        ("no.txt", None, ["no.txt", "No such file"]),
        ("o.txt", "", ["o.txt", "empty"]),
    ]:
        if content is not None:
            (topic.parent / name).write_text(content)
        topic.write_text(f'ontology = "{name}"\n{text}')
        refused(scenthound("topic", "show", topic), *words)
