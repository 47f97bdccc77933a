"""``scenthound ontology learn``: what a user sees, types and gets."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from rich.console import Console

import scenthound
import scenthound as package
from cli.commands import Command
from crawler.web_building import Plant, at, page
from scenthound.cli import ontology_learn
from scenthound.cli.ontology_learn import ProposalReview
from scenthound.core.errors import OntologyError, SettingsError
from scenthound.papers.olmoaco.learner import LearningPlan
from scenthound.papers.olmoaco.skeleton import Proposal
from scenthound.papers.ontologies.model import Concept, Kind, Relation

PAGE = "<html><title>{0}</title><body><h1>{0}</h1><p>{1}</p></body></html>"


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
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("typhoon", "tornado"):
        text = f"The {name} has a wind. The wind of the {name} turns round the eye."
        (folder / f"{name}.html").write_text(PAGE.format(name.title(), text))
    return folder


def test_learning_from_the_examples_of_a_topic(
    scenthound: Command, topic: Path, tmp_path: Path
) -> None:
    out = tmp_path / "storms.owl"
    answer = scenthound("ontology", "learn", "--topic", topic, "--out", out)
    assert answer.code == 0, answer.err
    assert f"wrote {out}" in answer.err
    assert answer.out.splitlines()[1].startswith("the topic 1, keywords 1, terms of the texts ")
    assert f'To use it, put ontology = "storms.owl" into {topic}.' in answer.out
    read = read_back(out)
    assert read.topic == "storm" and {"hurricane", "wind", "wave"} <= set(read.labels)
    assert read["hurricane"].origin == "keyword of the topic"


def read_back(path: Path) -> scenthound.Ontology:
    return scenthound.read_ontology(path)


def test_learning_from_an_archive(scenthound: Command, tmp_path: Path) -> None:
    out, topic = tmp_path / "s.txt", tmp_path / "t.toml"
    texts = ("The storm and the wind. Wind and waves.", "The wind drives the waves of the storm.")
    with ExitStack() as stack:
        made = [page(f"/{n}", text=text) for n, text in enumerate(texts)]
        archive = Plant(tmp_path, stack)(*made).archive.path
    topic.write_text(f'name = "storms"\nkeywords = ["storm"]\nexamples = {[at("/0"), at("/1")]}\n')
    answer = scenthound(
        "ontology", "learn", "-t", topic, "--archive", archive, "--out", out, "--concepts", "6",
        "--topics", "5", "--json",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    assert 3 < len(found["concepts"]) == sum(found["origins"].values()) <= 6
    assert found["complete"] and found["topics"] and found["levels"] > 1
    assert {each["label"] for each in found["concepts"]} == set(read_back(out).labels)


def test_pages_papers_and_pictures(
    scenthound: Command, topic: Path, pages: Path, tmp_path: Path
) -> None:
    papers = tmp_path / "p.bib"
    papers.write_text(
        "@misc{a, title={Storm surge of a typhoon}, keywords={storm surge}}\n"
        "@misc{b, title={A storm surge and its dike}, abstract={The dike holds the storm surge.}}"
    )
    out, draw, lattice = (tmp_path / name for name in ("o.ttl", "o.svg", "l.png"))
    line = ["ontology", "learn", "-t", topic, "--pages", pages, "--papers", papers, "--out", out]
    answer = scenthound(*line, "--draw", draw, "--lattice", lattice)
    assert answer.code == 0, answer.err
    assert "storm surge" in read_back(out) and "wave" not in read_back(out)
    assert draw.read_text().startswith("<?xml") and lattice.stat().st_size > 1000
    again = scenthound(*line)
    assert again.code == 2 and f"{out} exists already" in again.err
    assert scenthound(*line, "--force").code == 0


def test_what_texts_say(scenthound: Command, topic: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "said", tmp_path / "o.txt"
    folder.mkdir()
    for name in ("a", "b"):
        text = "The storm and the flood. The flood is caused by the storm."
        (folder / f"{name}.html").write_text(PAGE.format("The flood", text))
    line = ["ontology", "learn", "-t", topic, "--pages", folder, "--out", out, "--force"]
    answer = scenthound(*line)
    assert answer.code == 0, answer.err
    assert "1 relation stated in texts: flood induced-by storm" in answer.out.splitlines()
    kinds = {(each.child, each.parent): each.kind for each in read_back(out).relations}
    assert kinds["flood", "storm"] is Kind.INDUCED_BY
    (said,) = json.loads(scenthound(*line, "--json").out)["said"]
    assert said == {
        "child": "flood", "parent": "storm", "kind": "induced-by",
        "words": "flood is caused by the storm", "texts": 2,
    }  # fmt: skip


def test_a_thesaurus(scenthound: Command, topic: Path, tmp_path: Path) -> None:
    out, thesaurus = tmp_path / "o.txt", tmp_path / "t.ttl"
    known = package.Ontology(
        "weather", (Concept("Seas"), Concept("Waves")), (Relation("Waves", "Seas", Kind.PART_OF),)
    )
    package.write_ontology(known, thesaurus)
    line = ["ontology", "learn", "-t", topic, "--out", out, "--force", "--thesaurus"]
    answer = scenthound(*line, thesaurus)
    assert answer.code == 0, answer.err
    assert Relation("wave", "sea", Kind.PART_OF) in read_back(out).relations
    assert 'below "sea" in the thesaurus' in read_back(out)["wave"].origin
    answer = scenthound(*line, tmp_path / "no.ttl")
    assert answer.code == 2 and answer.err.startswith("error: ontology file ")
    thesaurus.with_suffix(".txt").write_text("music\n  opera\n")
    answer = scenthound(*line, thesaurus.with_suffix(".txt"))
    assert answer.code == 0 and "the thesaurus relates no two terms of the texts" in answer.err


def test_the_numbers_are_heeded(
    scenthound: Command, topic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = []

    def noted(read: object, *, plan: LearningPlan, **others: object) -> None:
        plans.append(plan)
        raise SettingsError("nothing is learned here.")

    monkeypatch.setattr(ontology_learn, "ontology_learner", noted)
    line = ["ontology", "learn", "-t", topic, "--out", tmp_path / "o.txt"]
    scenthound(*line)
    scenthound(
        *line, "--concepts", "4", "--terms", "3", "--gamma", "0.7", "--topics", "2",
        "--support", "0.4", "--confidence", "1", "--seed", "8",
    )  # fmt: skip
    assert plans == [
        LearningPlan(),
        LearningPlan(concepts=4, terms=3, gamma=0.7, topics=2, support=0.4, confidence=1.0, seed=8),
    ]


def test_bad_input_is_one_sentence(scenthound: Command, topic: Path, tmp_path: Path) -> None:
    for options, told in [
        (["--concepts", "0"], "concepts takes a whole number from 1 to 5,000, not 0."),
        (["--support", "2"], "support takes a part above 0 and up to 1, such as 0.5, not 2."),
        (["--pages", "/nowhere"], "/nowhere: there is no such file or folder"),
        (["--papers", "/nowhere.bib"], "/nowhere.bib: there is no such file or folder"),
        (["--draw", "o.gif"], "o.gif: give a file name that ends in .svg or .png or .pdf."),
        (["--confidence", "2"], "confidence takes a part above 0"),
        (["--wordnet", "/nowhere"], "/nowhere"),
        (["--review"], "--review needs a terminal; leave it out to accept every proposal."),
    ]:
        answer = scenthound("ontology", "learn", "-t", topic, "--out", tmp_path / "o.owl", *options)
        assert answer.code == 2 and told in answer.err, answer.err
        assert answer.err.count("\n") == 1 and not (tmp_path / "o.owl").exists()


def test_a_topic_without_texts(scenthound: Command, tmp_path: Path) -> None:
    bare = tmp_path / "bare.toml"
    bare.write_text('name = "storms"\nkeywords = ["storm"]\nexamples = ["http://a.test/"]\n')
    answer = scenthound("ontology", "learn", "-t", bare, "--out", tmp_path / "o.owl")
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


def test_a_review_that_is_quit(
    scenthound: Command, topic: Path, tmp_path: Path, answers: list[str]
) -> None:
    answers += ["n", "what?", "y", "q"]
    topic.write_text(topic.read_text().replace('"storm", ', '"gale", '))
    out = tmp_path / "o.txt"
    answer = scenthound("ontology", "learn", "-t", topic, "--out", out, "--review")
    assert answer.code == 0 and read_back(out).labels == ("storms", "hurricane")
    assert "[skeleton, 1 of " in answer.err and "[skeleton, 2 of " in answer.err
    assert answer.err.count("The answers are: y, n, a, s and q") == 1
    assert "gale is-a storms" in answer.err and "keyword of the topic" in answer.err
    assert "the review was ended; what was accepted until then is kept." in answer.err


def test_an_interruption_does_not_replace_what_is_whole(
    scenthound: Command, topic: Path, tmp_path: Path, answers: list[str]
) -> None:
    out, picture = tmp_path / "o.txt", tmp_path / "o.svg"
    line = ["ontology", "learn", "-t", topic, "--out", out, "--force", "--draw", picture]
    assert scenthound(*line).code == 0
    whole, part = out.read_bytes(), tmp_path / "o.partial.txt"
    drawn = picture.read_bytes()
    answers += ["y"]
    answer = scenthound(*line, "--review")
    assert answer.code == 130 and len(read_back(part)) == 2
    assert (out.read_bytes(), picture.read_bytes()) == (whole, drawn)
    assert (tmp_path / "o.partial.svg").exists()
    assert f"interrupted; what was learned until then is in {part}." in answer.err


def test_a_folder_that_cannot_be_written_is_told_before_the_first_question(
    scenthound: Command, topic: Path, tmp_path: Path, answers: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    answer = scenthound("ontology", "learn", "-t", topic, "--out", tmp_path / "o.owl", "--review")
    assert answer.code == 2 and not answers
    assert "o.owl cannot be written: Permission denied; give another name." in answer.err


def test_pages_in_another_language_are_told(
    scenthound: Command, topic: Path, tmp_path: Path
) -> None:
    folder, out = tmp_path / "french", tmp_path / "o.txt"
    folder.mkdir()
    for name in ("a", "b"):
        text = "La tempête a soufflé toute la nuit sur la côte, et les vagues ont brisé le port."
        (folder / f"{name}.html").write_text(PAGE.format("La tempête", text))
    answer = scenthound("ontology", "learn", "-t", topic, "--pages", folder, "--out", out)
    assert answer.code == 0 and out.exists()
    assert "2 of 2 texts look French (fr) and the topic is in English (en); put" in answer.err


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


def test_answers_for_a_whole_step() -> None:
    review = reviewing("a", "SKIP", "y")
    review.begin("terms", 0, 2)
    assert [review(proposal()) for _ in range(3)] == [True] * 3
    review.begin("terms", 1, 2)
    assert review(proposal())
    review.begin("pairs", 0, 1)
    assert [review(proposal()) for _ in range(2)] == [False] * 2
    review.begin("more", 0, 1)
    assert review(proposal())


def test_the_place_in_a_step(capsys: pytest.CaptureFixture[str]) -> None:
    review = ProposalReview(Console(width=80), lambda prompt: "y")
    for done in (0, 11, 65):
        review.begin("terms", done, 65)
        review(proposal())
    shown = [line for line in capsys.readouterr().out.splitlines() if line.startswith("[")]
    assert shown == [
        "[terms, 1 of 65 in this step] gale",
        "[terms, 12 of 65 in this step] gale",
        "[terms, beyond the 65 expected in this step] gale",
    ]


def test_what_pages_say_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    review = ProposalReview(Console(width=80), lambda prompt: "n")
    review(proposal("\x1b[31m[bold]gale[/bold]"))
    shown = capsys.readouterr().out
    assert "\x1b" not in shown and "[bold]gale[/bold] is-a storm" in shown


def test_from_python(topic: Path, pages: Path) -> None:
    read = scenthound.read_topic(topic)
    plan = scenthound.LearningPlan(concepts=8)
    learned = scenthound.learn_ontology(read, pages=pages, plan=plan)
    assert len(learned.ontology) == 8
    with pytest.raises(SettingsError, match="plan takes LearningPlan"):
        scenthound.learn_ontology(read, plan={"concepts": 8})
    with pytest.raises(SettingsError, match="path takes a path"):
        scenthound.learn_ontology(read, pages=pages, thesaurus=3)
    with pytest.raises(SettingsError, match="papers takes a list of files"):
        scenthound.learn_ontology(read, papers="p.bib")
    with pytest.raises(SettingsError, match="topic takes a Topic"):
        scenthound.learn_ontology("t.toml")
    with pytest.raises(OntologyError, match="no example page to learn from"):
        scenthound.learn_ontology(scenthound.Topic("storms", ("storm",)))
