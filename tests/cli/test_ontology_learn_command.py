"""``scenthound ontology learn``: what a user sees, types and gets."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import scenthound as package
from cli.commands import Command, pipe, refused, written
from crawler.web_building import Plant, at, page
from scenthound.cli import ontology as command
from scenthound.cli.ontology import ProposalReview
from scenthound.core.errors import OntologyError, SettingsError
from scenthound.papers.olmoaco.learner import LearningPlan
from scenthound.papers.olmoaco.skeleton import Proposal
from scenthound.papers.ontologies.model import Concept, Kind, Relation

PAGE = "<html><title>{0}</title><body><h1>{0}</h1><p>{1}</p></body></html>"


def pages_of(folder: Path, made: Mapping[str, tuple[str, str]]) -> Path:
    """A folder of pages, by name with their title and text."""
    folder.mkdir()
    for name, (title, text) in made.items():
        (folder / f"{name}.html").write_text(PAGE.format(title, text))
    return folder


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(
        'name = "storms"\nkeywords = ["storm", "hurricane"]\n'
        'examples = ["The storm brought the wind and the rain to the coast of the sea.", '
        '"The wind of the storm raised the waves of the sea, and the waves hit the coast."]\n'
    )
    return path


@pytest.fixture
def learn(cli: Command, topic: Path) -> Command:
    return cli.begun("ontology", "learn", "-t", topic)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    text = "The {0} has a wind. The wind of the {0} turns round the eye."
    names = ("typhoon", "tornado")
    return pages_of(tmp_path / "pages", {each: (each.title(), text.format(each)) for each in names})


def test_learning_from_the_examples_of_a_topic(learn: Command, topic: Path, tmp_path: Path) -> None:
    out = tmp_path / "storms.owl"
    answer = learn.ok("--out", out)
    assert f"wrote {out}" in answer.err
    assert answer.out.splitlines()[1].startswith("the topic 1, keywords 1, terms of the texts ")
    assert f'To use it, put ontology = "storms.owl" into {topic}.' in answer.out
    read = package.read_ontology(out)
    assert read.topic == "storm" and {"hurricane", "wind", "wave"} <= set(read.labels)
    assert read["hurricane"].origin == "keyword of the topic"


def test_learning_from_an_archive(cli: Command, tmp_path: Path) -> None:
    out, topic = tmp_path / "s.txt", tmp_path / "t.toml"
    texts = ("The storm and the wind. Wind and waves.", "The wind drives the waves of the storm.")
    with ExitStack() as stack:
        made = [page(f"/{n}", text=text) for n, text in enumerate(texts)]
        archive = Plant(tmp_path, stack)(*made).archive.path
    topic.write_text(f'name = "storms"\nkeywords = ["storm"]\nexamples = {[at("/0"), at("/1")]}\n')
    answer = cli.ok(
        "ontology", "learn", "-t", topic, "--archive", archive, "--out", out, "--concepts", "6",
        "--topics", "5", "--json",
    )  # fmt: skip
    found = json.loads(answer.out)
    assert 3 < len(found["concepts"]) == sum(found["origins"].values()) <= 6
    assert found["complete"] and found["topics"] and found["levels"] > 1
    assert {each["label"] for each in found["concepts"]} == set(package.read_ontology(out).labels)


def test_pages_papers_and_pictures(learn: Command, pages: Path, tmp_path: Path) -> None:
    papers = tmp_path / "p.bib"
    papers.write_text(
        "@misc{a, title={Storm surge of a typhoon}, keywords={storm surge}}\n"
        "@misc{b, title={A storm surge and its dike}, abstract={The dike holds the storm surge.}}"
    )
    out, draw, lattice = (tmp_path / name for name in ("o.ttl", "o.svg", "l.png"))
    line = ["--pages", pages, "--papers", papers, "--out", out]
    learn.ok(*line, "--draw", draw, "--lattice", lattice)
    assert "storm surge" in package.read_ontology(out) and "wave" not in package.read_ontology(out)
    assert draw.read_text().startswith("<?xml") and lattice.stat().st_size > 1000
    again = learn(*line)
    assert again.code == 2 and f"{out} exists already" in again.err
    learn.ok(*line, "--force")


def test_what_texts_say_and_in_which_language(learn: Command, tmp_path: Path) -> None:
    out = tmp_path / "o.txt"
    text = "The storm and the flood. The flood is caused by the storm."
    folder = pages_of(tmp_path / "said", {"a": ("The flood", text), "b": ("The flood", text)})
    line = ["--pages", folder, "--out", out, "--force"]
    answer = learn.ok(*line)
    assert "1 relation stated in texts: flood induced-by storm" in answer.out.splitlines()
    kinds = {(each.child, each.parent): each.kind for each in package.read_ontology(out).relations}
    assert kinds["flood", "storm"] is Kind.INDUCED_BY
    (printed,) = json.loads(learn(*line, "--json").out)["said"]
    assert printed == {
        "child": "flood", "parent": "storm", "kind": "induced-by",
        "words": "flood is caused by the storm", "texts": 2,
    }  # fmt: skip
    text = "La tempête a soufflé toute la nuit sur la côte, et les vagues ont brisé le port."
    folder = pages_of(tmp_path / "french", {"a": ("La tempête", text), "b": ("La tempête", text)})
    answer = learn.ok("--pages", folder, "--out", out, "--force")
    assert out.exists()
    assert "texts that look 'fr', though the topic is in 'en': 2 of 2; put" in answer.err


def test_a_thesaurus(learn: Command, tmp_path: Path) -> None:
    out, thesaurus = tmp_path / "o.txt", tmp_path / "t.ttl"
    known = package.Ontology(
        "weather", (Concept("Seas"), Concept("Waves")), (Relation("Waves", "Seas", Kind.PART_OF),)
    )
    package.write_ontology(known, thesaurus)
    line = ["--out", out, "--force", "--thesaurus"]
    answer = learn.ok(*line, thesaurus)
    assert Relation("wave", "sea", Kind.PART_OF) in package.read_ontology(out).relations
    assert 'below "sea" in the thesaurus' in package.read_ontology(out)["wave"].origin
    answer = learn(*line, tmp_path / "no.ttl")
    assert answer.code == 2 and answer.err.startswith("error: ontology file ")
    thesaurus.with_suffix(".txt").write_text("music\n  opera\n")
    answer = learn.ok(*line, thesaurus.with_suffix(".txt"))
    assert "the thesaurus relates no two terms of the texts" in answer.err


def test_the_numbers_are_heeded(learn: Command, tmp_path: Path) -> None:
    plans = []

    def noted(read: object, *, plan: LearningPlan, **others: object) -> None:
        plans.append(plan)
        raise SettingsError("nothing is learned here.")

    learn.monkeypatch.setattr(command, "ontology_learner", noted)
    line = ["--out", tmp_path / "o.txt"]
    learn(*line)
    learn(
        *line, "--concepts", "4", "--terms", "3", "--gamma", "0.7", "--topics", "2",
        "--support", "0.4", "--confidence", "1", "--seed", "8",
    )  # fmt: skip
    assert plans == [
        LearningPlan(),
        LearningPlan(concepts=4, terms=3, gamma=0.7, topics=2, support=0.4, confidence=1.0, seed=8),
    ]


def test_bad_input_is_one_sentence(learn: Command, topic: Path, tmp_path: Path) -> None:
    for options, reported in [
        (["--concepts", "0"], "concepts takes a whole number from 1 to 5,000, not 0."),
        (["--support", "2"], "--support is more than 0 and at most 1, not 2."),
        (["--pages", "/nowhere"], "/nowhere: there is no such file or folder"),
        (["--papers", "/nowhere.bib"], "/nowhere.bib: there is no such file or folder"),
        (["--draw", "o.gif"], "o.gif: give a file name that ends in .svg or .png or .pdf."),
        (["--confidence", "2"], "--confidence is more than 0 and at most 1, not 2."),
        (["--wordnet", "/nowhere"], "/nowhere"),
        (["--review"], "--review needs a terminal; leave it out to accept every proposal."),
    ]:
        refused(learn("--out", tmp_path / "o.owl", *options), reported)
        assert not (tmp_path / "o.owl").exists()
    topic.write_text('name = "storms"\nkeywords = ["storm"]\nexamples = ["http://a.test/"]\n')
    answer = learn("--out", tmp_path / "o.owl")
    assert answer.code == 2
    assert "there is no example page to learn from" in answer.err.splitlines()[-1]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What somebody at a terminal types; at its end, Ctrl-C."""
    typed: list[str] = []

    def reply(*_: object) -> str:
        if not typed:
            raise KeyboardInterrupt
        return typed.pop(0)

    monkeypatch.setattr("scenthound.cli.screen.is_interactive", lambda: True)
    monkeypatch.setattr(Console, "input", reply)
    yield typed


def test_a_review_quit(learn: Command, topic: Path, tmp_path: Path, answers: list[str]) -> None:
    answers += ["n", "what?", "y", "q"]
    topic.write_text(topic.read_text().replace('"storm", ', '"gale", '))
    out = tmp_path / "o.txt"
    answer = learn.ok("--out", out, "--review")
    assert package.read_ontology(out).labels == ("storms", "hurricane")
    assert "[skeleton, 1 of " in answer.err and "[skeleton, 2 of " in answer.err
    assert answer.err.count("The answers are: y, n, a, s and q") == 1
    assert "gale is-a storms" in answer.err and "keyword of the topic" in answer.err
    assert "the review was ended; what was accepted until then is kept." in answer.err


def test_an_interruption_keeps_files(learn: Command, tmp_path: Path, answers: list[str]) -> None:
    out, picture = tmp_path / "o.txt", tmp_path / "o.svg"
    line = ["--out", out, "--force", "--draw", picture]
    learn.ok(*line)
    whole, part = out.read_bytes(), tmp_path / "o.partial.txt"
    drawn = picture.read_bytes()
    answers += ["y"]
    answer = learn(*line, "--review")
    assert answer.code == 130 and len(package.read_ontology(part)) == 2
    assert (out.read_bytes(), picture.read_bytes()) == (whole, drawn)
    assert (tmp_path / "o.partial.svg").exists()
    assert f"interrupted; what was learned until then is in {part}." in answer.err


def test_a_closed_folder_is_reported_first(
    learn: Command, tmp_path: Path, answers: list[str]
) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    learn.monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    answer = learn("--out", tmp_path / "o.owl", "--review")
    assert answer.code == 2 and not answers
    assert "o.owl cannot be written: Permission denied; give another name." in answer.err


def reviewing(*typed: str) -> ProposalReview:
    waiting = list(typed)

    def ask(prompt: str) -> str:
        del prompt
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    return ProposalReview(Console(quiet=True), ask)


def proposal(label: str = "gale") -> Proposal:
    return Proposal(label, "storm", Kind.IS_A, "somebody said so")


def test_answers_and_what_is_shown_of_a_proposal() -> None:
    review = reviewing("a", "SKIP", "y")
    review.begin("terms", 0, 2)
    assert [review(proposal()) for _ in range(3)] == [True] * 3
    review.begin("terms", 1, 2)
    assert review(proposal())
    review.begin("pairs", 0, 1)
    assert [review(proposal()) for _ in range(2)] == [False] * 2
    review.begin("more", 0, 1)
    assert review(proposal())
    console = pipe()
    review = ProposalReview(console, lambda prompt: "y")
    for done in (0, 11, 65):
        review.begin("terms", done, 65)
        review(proposal())
    shown = [line for line in written(console).splitlines() if line.startswith("[")]
    assert shown == [
        "[terms, 1 of 65 in this step] gale",
        "[terms, 12 of 65 in this step] gale",
        "[terms, beyond the 65 expected in this step] gale",
    ]
    review(proposal("\x1b[31m[bold]gale[/bold]"))  # pages cannot steer the terminal
    assert "\x1b" not in written(console)
    assert "[bold]gale[/bold] is-a storm" in written(console)


def test_from_python(topic: Path, pages: Path) -> None:
    read = package.read_topic(topic)
    plan = package.LearningPlan(concepts=8)
    learned = package.learn_ontology(read, pages=pages, plan=plan)
    assert len(learned.ontology) == 8
    cases: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"plan": {"concepts": 8}}, SettingsError, "plan takes LearningPlan"),
        ({"pages": pages, "thesaurus": 3}, SettingsError, "path takes a path"),
        ({"papers": "p.bib"}, SettingsError, "papers takes a list of files"),
        ({"topic": "t.toml"}, SettingsError, "topic takes a Topic"),
        ({"topic": package.Topic("storms", ("storm",))}, OntologyError, "no example page to learn"),
    ]
    for given, error, message in cases:
        with pytest.raises(error, match=message):
            package.learn_ontology(**{"topic": read, **given})
