"""``scenthound ontology``, and strategies that use one: what a user sees, and bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import scenthound as package
from cli.commands import Command, refused
from crawler.live_web import LiveWeb, page
from papers.ontology_building import STORMS, STORMS_TEXT, same


@pytest.fixture
def storms(tmp_path: Path) -> Path:
    package.write_ontology(STORMS, tmp_path / "storms.owl")
    return tmp_path / "storms.owl"


def text(path: Path, content: str) -> Path:
    path.write_text(content)
    return path


def test_show(cli: Command, storms: Path, tmp_path: Path) -> None:
    answer = cli.ok("ontology", "show", text(tmp_path / "storms.txt", STORMS_TEXT))
    assert answer.err == ""
    assert answer.out == STORMS_TEXT + (
        "\n"
        "6 concepts, 3 levels, 6 relations (1 synonym, 1 induced-by, 2 is-a, 1 part-of, "
        "1 coordinate-term-of); topic 'storm'.\n"
    )
    found = json.loads(cli("ontology", "show", storms, "--json").out)
    assert (found["name"], found["topic"], found["levels"]) == ("Storms", "storm", 3)
    assert {"label": "flood", "origin": "WordNet", "level": 2} in found["concepts"]
    assert {"child": "eye", "parent": "typhoon", "kind": "part-of"} in found["relations"]
    odd = tmp_path / "o.txt"
    odd.write_text('# ontology: \x1b[31mred\n"a\\u001b[2Jb"\n  c ; \x1b]0;title\x07\n  [bold]d\n')
    for command in ("show", "check"):
        answer = cli("ontology", command, odd)
        assert "\x1b" not in answer.out + answer.err and "\x07" not in answer.out
    assert "[bold]d" in cli("ontology", "show", odd).out


def test_check_and_convert(cli: Command, storms: Path, tmp_path: Path) -> None:
    assert cli.ok("ontology", "check", storms).out.startswith("It can be used: 6 concepts")
    circle = text(tmp_path / "o.txt", "a\n  b\n    a\n")
    answer = cli("ontology", "check", circle)
    assert answer.code == 1
    assert 'serious: there is a circle, "b" below "a" below "b"' in answer.out
    assert "It cannot be used as it is." in answer.out
    answer = cli.ok("ontology", "convert", circle, tmp_path / "o.owl")
    assert "warning: there is a circle" in answer.err
    for suffix in ["ttl", "rdf", "txt", "OWL"]:
        out = storms.with_name(f"out.{suffix}")
        answer = cli("ontology", "convert", storms, out)
        assert (answer.code, answer.out, answer.err) == (0, "", f"wrote {out}\n")
        assert same(package.read_ontology(out), STORMS)
    cli.ok("ontology", "convert", storms, out, "--topic", "Typhoon", "--force")
    assert package.read_ontology(out).topic == "typhoon"
    answer = cli("ontology", "convert", storms, out, "--topic", "sea", "--force")
    refused(answer, "--topic 'sea' is no concept of 'Storms'")


def test_merge(cli: Command, storms: Path, tmp_path: Path) -> None:
    other = text(tmp_path / "b.txt", "typhoon\n  storm\n  rain\n  eye\n")
    out = tmp_path / "both.owl"
    answer = cli.ok("ontology", "merge", storms, other, "--out", out)
    for reported in (
        "'storm' is-a 'typhoon' was left out: it would close a circle.",
        "'eye' is-a 'typhoon' was left out: the two are already related as part-of.",
    ):
        assert reported in answer.err
    merged = package.read_ontology(out)
    assert "rain" in merged and (merged.name, merged.topic) == ("Storms", "storm")
    lines = [f"  c{n}" for n in range(13)]  # of many relations that do not fit some are reported
    first = text(tmp_path / "a.txt", "\n".join(["a", *lines]))
    second = text(tmp_path / "c.txt", "\n".join(["a", *(f"{line} (part-of)" for line in lines)]))
    answer = cli("ontology", "merge", first, second, "--out", tmp_path / "o.txt")
    assert answer.err.count("was left out") == 10 and "3 more relations did not fit" in answer.err


def test_files_that_are_there_are_kept(cli: Command, storms: Path, tmp_path: Path) -> None:
    there = [text(tmp_path / name, "mine") for name in ("o.txt", "o.svg")]
    lines = [
        (there[0], "convert", storms, there[0]),
        (there[0], "merge", storms, storms, "--out", there[0]),
        (there[1], "draw", storms, "--out", there[1], "--most", "2"),
    ]
    for _, *line in lines:
        answer = cli("ontology", *line)
        assert answer.code == 2 and "exists already; give another name, or --force." in answer.err
        assert [path.read_text() for path in there] == ["mine", "mine"]
    for path, *line in lines:
        assert cli.ok("ontology", *line, "--force").err.endswith(f"wrote {path}\n")
    assert "2 of 6 concepts" in there[1].read_text()


def test_bad_input_is_one_sentence(cli: Command, tmp_path: Path) -> None:
    cli.monkeypatch.chdir(tmp_path)
    text(tmp_path / "page.owl", "<!doctype html><html></html>")
    text(tmp_path / "empty.owl", "")
    text(tmp_path / "tabs.txt", "a\n  b\n\tc\n")
    text(tmp_path / "s.txt", "storm\n")
    (tmp_path / "folder.owl").mkdir()
    for line, words in [
        (["show", "no.owl"], "No such file"),
        (["check", "page.owl"], "web page"),
        (["check", "empty.owl"], "it is empty"),
        (["show", "tabs.txt"], "line 3"),
        (["convert", "s.txt", "s.doc"], "ends in .owl or .ttl or .rdf or .txt"),
        (["convert", "s.txt", "no/s.owl"], "there is no folder"),
        (["convert", "s.txt", "folder.owl"], "is a folder"),
        (["merge", "s.txt", "--out", "x.txt"], "give two files or more"),
        (["draw", "s.txt", "--out", "x.gif"], "ends in .svg or .png or .pdf"),
        (["draw", "s.txt", "--out", "x.svg", "--most", "9999"], "from 1 to 500"),
    ]:
        refused(cli("ontology", *line), words)
        assert not list(tmp_path.glob("x.*"))


def test_from_python(tmp_path: Path) -> None:
    path = text(
        tmp_path / "o.ttl",
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "<urn:a> a owl:Class . <urn:b> a owl:Class ; owl:deprecated true .",
    )
    with pytest.warns(package.ScenthoundWarning, match=r"left out: deprecated classes \(1\)"):
        read = package.read_ontology(path)
    assert read.labels == ("a",)
    assert [each.is_serious for each in package.check_ontology(read)] == [False]
    assert package.merge_ontologies(read, STORMS).ontology.topic == "storm"
    package.draw_ontology(read, tmp_path / "o.svg", most=5)
    assert (tmp_path / "o.svg").exists()
    for wrong in ("", 5):
        with pytest.raises(package.InputError, match="path"):
            package.read_ontology(wrong)
        with pytest.raises(package.InputError, match="path"):
            package.write_ontology(STORMS, wrong)


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


def test_replay_refuses_a_bad_ontology(replay: Command, sample: Path, tmp_path: Path) -> None:
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


def test_poor_ontologies_and_topics(replay: Command, sample: Path, tmp_path: Path) -> None:
    replay.ok("-t", topic_file(tmp_path, sample, "missing.owl"), "-s", "moaco")
    (tmp_path / "o.txt").write_text("# topic: zeugma\nzeugma\n  litotes\n")
    topic = topic_file(tmp_path, sample, "o.txt")
    answer = replay.ok("-t", topic, "-s", "olmoaco", "--json", "-")
    assert json.loads(answer.out)["runs"][0]["fetched"] == 25
    reported = " ".join(answer.err.split())
    assert "no concept of the ontology" in reported and "is it about this topic?" in reported
    assert "none of the first 20 pages names a concept" in reported
    topic = tmp_path / "t.toml"
    lines = (sample / "topics" / "storms.toml").read_text()
    seeds = lines[lines.index("seeds") :].split("]")[0]
    topic.write_text(f'name = "t"\nkeywords = ["storm", "heavy rain"]\n{seeds}]\n')
    for strategy in USING[:2]:
        answer = replay.ok("-t", topic, "-s", strategy, "--json", "-")
        assert json.loads(answer.out)["runs"][0]["fetched"] == 25
        assert "the ontology is learned from no example page" in " ".join(answer.err.split())


def test_explain_of_an_ant(cli: Command, replay: Command, sample: Path, tmp_path: Path) -> None:
    topic, out = sample / "topics" / "storms.toml", tmp_path / "out"
    replay.ok("-t", topic, "-s", "moaco", "--out", out)
    (folder,) = {path.parent for path in out.glob("**/journal.jsonl")}
    seeds = (folder / "journal.jsonl").read_text().count('"depth":0')
    explain = cli.begun("explain", folder, "--page", f"{seeds + 1}")
    assert re.search(STEP, " ".join(explain.ok().out.split()))
    assert re.search(STEP, json.dumps(json.loads(explain("--json").out)))
