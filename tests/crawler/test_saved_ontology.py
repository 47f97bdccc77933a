"""The ontology that steers a crawl: in its folder, and told where it was learnt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crawler.live_running import again, crawl
from crawler.live_web import MemoryWeb
from crawler.live_web import page as live_page
from crawler.warning_recording import recorded_warnings
from crawler.web_building import Field, Plant, page
from scenthound.core.errors import FolderError, ScenthoundWarning
from scenthound.core.model import Document, TopicProfile
from scenthound.crawler.judges import ONTOLOGY_NAME, save_ontology
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayJob
from scenthound.papers.ontologies.files import read_ontology
from scenthound.papers.ontologies.model import Concept, Ontology

USING = ("best-first-ontology", "olmoaco")
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
    job: ReplayJob = web.job(strategy, examples=TEXTS, budget="2", out=out)
    named = None if ontology is None else str(ontology)
    job = replace(
        job, topic=replace(job.topic, ontology=named), profile=replace(job.profile, ontology=named)
    )
    with recorded_warnings() as heard:
        run_job(web.archive, job)
    return heard


@pytest.mark.parametrize("strategy", USING)
def test_a_learnt_ontology_is_kept_and_told(web: Field, tmp_path: Path, strategy: str) -> None:
    (told,) = heard_in(web, strategy, tmp_path / "out")
    path = tmp_path / "out" / "storms" / strategy / ONTOLOGY_NAME
    kept = read_ontology(path)
    assert "storm" in kept and kept.topic == "storm"
    assert all(concept.origin for concept in kept.concepts)
    assert told == (
        f"storms: learned an ontology of {len(kept)} concepts from 2 example pages, kept in {path}"
    )


def test_one_that_the_topic_names_is_kept_and_not_told(web: Field, tmp_path: Path) -> None:
    named = tmp_path / "mine.txt"
    named.write_text(GIVEN)
    assert heard_in(web, "olmoaco", tmp_path / "out", named) == []
    kept = read_ontology(tmp_path / "out" / "storms" / "olmoaco" / ONTOLOGY_NAME)
    given = read_ontology(named)
    assert (kept.concepts, kept.relations, kept.topic) == (given.concepts, given.relations, "storm")


class SmallOntology:
    """As a scorer that goes by an ontology."""

    ontology = SMALL


def test_line_says_what_it_was_learnt_from() -> None:
    cases: list[tuple[int, str]] = [(0, "keywords"), (1, "1 example page"), (2, "2 example pages")]
    for pages, source in cases:
        briefing = TopicProfile("t", ("storm",), (Document(text="storm"),) * pages)
        line = f"t: learned an ontology of 2 concepts from {source}"
        with pytest.warns(ScenthoundWarning, match=f"^{line}$"):
            save_ontology(SmallOntology(), briefing, None)  # type: ignore[arg-type]


def test_folder_that_cannot_be_written_is_one_sentence(web: Field, tmp_path: Path) -> None:
    job = web.job("olmoaco", examples=TEXTS, budget="2")
    scorer = job.strategy(job.analyzer()).scorer
    with pytest.raises(FolderError, match=r"ontology\.txt cannot be written"):
        save_ontology(scorer, job.profile, tmp_path / "gone")


def test_a_live_crawl_that_goes_on_keeps_the_one_in_its_folder(tmp_path: Path) -> None:
    out, mine = tmp_path / "out", "# kept as it was\nstorm\n"
    with MemoryWeb() as web:
        seed = web.add(1, "/", live_page("Home", "A storm and a flood.", ["/2"]))
        web.add(1, "/2", live_page("Two", "The flood of the storm."))
        first = crawl(out, [seed], strategy="olmoaco", examples=TEXTS, max_pages=1)
        kept = read_ontology(out / ONTOLOGY_NAME)
        (out / ONTOLOGY_NAME).write_text(mine)
        second = again(out, max_pages=2)
    told = f"learned an ontology of {len(kept)} concepts from 2 example pages, kept in {out}"
    assert [line for line in first.warned if told in line] and "storm" in kept
    assert second.run.fetched == 2
    assert not any("ontology" in line for line in second.warned)
    assert (out / ONTOLOGY_NAME).read_text() == mine
