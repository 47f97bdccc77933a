"""The ontology that steers a replay: in its folder, and told where it was learnt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engines.web_building import Field, Plant, page
from scenthound.core.errors import FolderError
from scenthound.core.model import Briefing, Document
from scenthound.experiments.jobs import Job
from scenthound.experiments.kept_ontology import NAME, keep_ontology, learnt_line
from scenthound.experiments.runner import run
from scenthound.ontology.files import read_ontology
from scenthound.ontology.model import Concept, Ontology
from scenthound.vectors.protocols import Equipment

USING = ("best-first-ontology", "olmoaco", "olmode", "wseo")
TEXTS = ("A storm is a kind of weather. The storm brought a flood.", "A flood after the storm.")
GIVEN = "# topic: storm\nstorm\n  typhoon ; a friend\n  flood (induced-by)\n"
SMALL = Ontology("o", (Concept("storm"), Concept("flood")), topic="storm")


@pytest.fixture
def web(plant: Plant) -> Field:
    return plant(page("/", "/a", text="storm and flood"), page("/a", text="storm"))


def heard_in(
    web: Field, strategy: str, out: Path | None, ontology: Path | None = None
) -> list[str]:
    """What is told in a replay."""
    heard: list[str] = []
    job: Job = web.job(strategy, examples=TEXTS, budget="2", out=out)
    named = None if ontology is None else str(ontology)
    job = replace(
        job,
        topic=replace(job.topic, ontology=named),
        briefing=replace(job.briefing, ontology=named),
        equipment=Equipment(warn=heard.append),
    )
    run(web.archive, job)
    return heard


@pytest.mark.parametrize("strategy", USING)
def test_a_learnt_ontology_is_kept_and_told(web: Field, tmp_path: Path, strategy: str) -> None:
    (told,) = heard_in(web, strategy, tmp_path / "out")
    path = tmp_path / "out" / "storms" / strategy / NAME
    kept = read_ontology(path, pytest.fail)
    assert "storm" in kept and kept.topic == "storm"
    assert all(concept.origin for concept in kept.concepts)
    assert told == (
        f"storms: learnt an ontology of {len(kept)} concepts from 2 example pages, kept in {path}"
    )


def test_without_a_folder_it_is_only_told(web: Field, tmp_path: Path) -> None:
    (told,) = heard_in(web, "olmoaco", None)
    assert told.startswith("storms: learnt an ontology of ") and told.endswith(" example pages")
    assert not list(tmp_path.rglob(NAME))


def test_one_that_the_topic_names_is_kept_and_not_told(web: Field, tmp_path: Path) -> None:
    named = tmp_path / "mine.txt"
    named.write_text(GIVEN)
    assert heard_in(web, "olmoaco", tmp_path / "out", named) == []
    kept = read_ontology(tmp_path / "out" / "storms" / "olmoaco" / NAME, pytest.fail)
    given = read_ontology(named, pytest.fail)
    assert (kept.concepts, kept.relations, kept.topic) == (given.concepts, given.relations, "storm")


@pytest.mark.parametrize("strategy", ["vsm", "moaco", "annealing"])
def test_strategies_without_one_keep_none(web: Field, tmp_path: Path, strategy: str) -> None:
    assert heard_in(web, strategy, tmp_path / "out") == []
    assert not list(tmp_path.rglob(NAME))


@pytest.mark.parametrize(
    ("pages", "source"), [(0, "keywords"), (1, "1 example page"), (2, "2 example pages")]
)
def test_line_says_what_it_was_learnt_from(pages: int, source: str) -> None:
    briefing = Briefing("t", ("storm",), (Document(text="storm"),) * pages)
    line = f"t: learnt an ontology of 2 concepts from {source}"
    assert learnt_line(SMALL, briefing, None) == line
    assert learnt_line(SMALL, briefing, Path("out") / NAME) == f"{line}, kept in out/ontology.txt"


def test_folder_that_cannot_be_written_is_one_sentence(web: Field, tmp_path: Path) -> None:
    job = web.job("olmoaco", examples=TEXTS, budget="2")
    scorer = job.strategy(job.analyzer()).scorer
    with pytest.raises(FolderError, match=r"ontology\.txt cannot be written"):
        keep_ontology(scorer, job.briefing, tmp_path / "gone", pytest.fail)
