"""The ontology that steers or judges a crawl: in its folder, and reported where it was learned."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from crawler.live_running import again, crawl, job
from crawler.live_web import MemoryWeb
from crawler.live_web import page as live_page
from crawler.warning_recording import recorded_warnings
from crawler.web_building import Field, Plant, page
from scenthound.core.errors import FolderError, OntologyError, ScenthoundWarning
from scenthound.core.model import Document, TopicProfile
from scenthound.crawler.job import LiveJob, stored_job
from scenthound.crawler.judges import ONTOLOGY_NAME, save_ontology
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayJob
from scenthound.crawler.session import start_crawl
from scenthound.papers.ontologies.files import read_ontology
from scenthound.papers.ontologies.model import Concept, Ontology
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.state import read_concepts

TEXTS = ("A storm is a kind of weather. The storm brought a flood.", "A flood after the storm.")


@pytest.fixture
def web(plant: Plant) -> Field:
    return plant(page("/", "/a", text="storm and flood"), page("/a", text="storm"))


def heard_in(
    web: Field, strategy: str, out: Path | None, ontology: Path | None = None
) -> list[str]:
    """What is reported in a replay."""
    job: ReplayJob = web.job(strategy, examples=TEXTS, budget="2", out=out)
    named = None if ontology is None else str(ontology)
    job = replace(
        job, topic=replace(job.topic, ontology=named), profile=replace(job.profile, ontology=named)
    )
    with recorded_warnings() as heard:
        run_job(web.archive, job)
    return heard


@pytest.mark.parametrize("strategy", ["best-first-ontology", "olmoaco"])
def test_a_learned_ontology_is_kept_and_reported(web: Field, tmp_path: Path, strategy: str) -> None:
    (reported,) = heard_in(web, strategy, tmp_path / "out")
    path = tmp_path / "out" / "storms" / strategy / ONTOLOGY_NAME
    kept = read_ontology(path)
    assert "storm" in kept and kept.topic == "storm"
    assert all(concept.origin for concept in kept.concepts)
    assert reported == (
        f"storms: learned an ontology of {len(kept)} concepts from 2 example pages, kept in {path}"
    )


def test_one_that_the_topic_names_is_kept_and_not_reported(web: Field, tmp_path: Path) -> None:
    named = tmp_path / "mine.txt"
    named.write_text("# topic: storm\nstorm\n  typhoon ; a friend\n  flood (induced-by)\n")
    assert heard_in(web, "olmoaco", tmp_path / "out", named) == []
    kept = read_ontology(tmp_path / "out" / "storms" / "olmoaco" / ONTOLOGY_NAME)
    given = read_ontology(named)
    assert (kept.concepts, kept.relations, kept.topic) == (given.concepts, given.relations, "storm")


def test_what_is_reported_and_a_folder_that_cannot_be_written(web: Field, tmp_path: Path) -> None:
    small = Ontology("o", (Concept("storm"), Concept("flood")), topic="storm")
    scorer: Any = SimpleNamespace(ontology=small)
    cases: list[tuple[int, str]] = [(0, "keywords"), (1, "1 example page"), (2, "2 example pages")]
    for pages, source in cases:
        profile = TopicProfile("t", ("storm",), (Document(text="storm"),) * pages)
        line = f"t: learned an ontology of 2 concepts from {source}"
        with pytest.warns(ScenthoundWarning, match=f"^{line}$"):
            save_ontology(scorer, profile, None)
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
    reported = f"learned an ontology of {len(kept)} concepts from 2 example pages, kept in {out}"
    assert [line for line in first.warned if reported in line] and "storm" in kept
    assert second.run.fetched == 2
    assert not any("ontology" in line for line in second.warned)
    assert (out / ONTOLOGY_NAME).read_text() == mine


SEED = "http://127.0.0.1:1/"


@pytest.fixture
def ontology(tmp_path: Path) -> Path:
    path = tmp_path / "storms.txt"
    path.write_text("# topic: storm\nstorm\n  typhoon\n  flood (induced-by)\n")
    return path


def judged(seed: str, ontology: Path, **options: Any) -> LiveJob:
    asked = job([seed], judge="ontology", concurrency=1, **options)
    return replace(asked, topic=replace(asked.topic, ontology=str(ontology)))


def test_a_crawl_is_judged_the_same_when_it_goes_on(tmp_path: Path, ontology: Path) -> None:
    """The ontology is gone by then; both pages name the same concepts."""
    out = tmp_path / "out"
    with MemoryWeb() as web:
        seed = web.add(1, "/", live_page("Home", "A storm and a flood.", ["/2", "/3"]))
        web.add(1, "/2", live_page("Two", "The flood of the storm."))
        web.add(1, "/3", live_page("Three", "Cake and tea."))
        run = start_crawl(judged(seed, ontology, max_pages=1, threshold=0.5), out, None)
        ontology.unlink()
        kept = again(out, max_pages=3)
    assert (run.judge, run.fetched, kept.run.judge, kept.warned) == ("ontology", 1, "ontology", [])
    first, second, third = (event["similarity"] for event in kept.pages)
    assert first == second > 0.5 and third == 0.0
    assert [event["relevant"] for event in kept.pages] == [True, True, False]
    assert json.loads((out / "results.json").read_text())["judge"] == "ontology"
    assert set(read_concepts(out) or {}) == {"storm", "typhoon", "flood"}


def test_unusable_ontologies_and_unknown_judges(tmp_path: Path, ontology: Path) -> None:
    ontology.write_text("")
    with pytest.raises(OntologyError):
        start_crawl(judged(SEED, ontology), tmp_path / "out", None)
    assert not (tmp_path / "out").exists()
    folder = CrawlFolder.create(tmp_path / "out", job([SEED]).crawl_spec())
    stored, judge = folder.spec_path.read_text(), '"judge": "similarity",'
    assert judge in stored
    folder.spec_path.write_text(stored.replace(judge, ""))
    assert stored_job(folder).options.judge == "similarity"
    folder.spec_path.write_text(stored.replace(judge, '"judge": "me",'))
    with pytest.raises(FolderError, match=r"is damaged: judge takes .* not 'me'"):
        stored_job(folder)
