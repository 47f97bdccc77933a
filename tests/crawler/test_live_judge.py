"""A live crawl that is judged by an ontology, stopped and gone on with."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawler.live_running import again, job
from crawler.live_web import MemoryWeb, page
from scenthound.core.errors import FolderError, OntologyError
from scenthound.crawler.job import LiveJob, stored_job
from scenthound.crawler.session import start_crawl
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.state import read_concepts
from scenthound.strategies.catalogue import CATALOGUE

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
        seed = web.add(1, "/", page("Home", "A storm and a flood.", ["/2", "/3"]))
        web.add(1, "/2", page("Two", "The flood of the storm."))
        web.add(1, "/3", page("Three", "Cake and tea."))
        run = start_crawl(judged(seed, ontology, max_pages=1, threshold=0.5), out, None)
        ontology.unlink()
        kept = again(out, max_pages=3)
    assert (run.judge, run.fetched, kept.run.judge, kept.warned) == ("ontology", 1, "ontology", [])
    first, second, third = (event["similarity"] for event in kept.pages)
    assert first == second > 0.5 and third == 0.0
    assert [event["relevant"] for event in kept.pages] == [True, True, False]
    assert json.loads((out / "results.json").read_text())["judge"] == "ontology"
    assert set(read_concepts(out) or {}) == {"storm", "typhoon", "flood"}


def test_an_ontology_that_cannot_be_used_leaves_no_folder(tmp_path: Path, ontology: Path) -> None:
    ontology.write_text("")
    with pytest.raises(OntologyError):
        start_crawl(judged(SEED, ontology), tmp_path / "out", None)
    assert not (tmp_path / "out").exists()


def test_a_folder_may_name_no_judge_and_one_that_names_an_unknown_one_is_damaged(
    tmp_path: Path,
) -> None:
    folder = CrawlFolder.create(tmp_path / "out", job([SEED]).crawl_spec())
    stored, judge = folder.spec_path.read_text(), '"judge": "similarity",'
    assert judge in stored
    folder.spec_path.write_text(stored.replace(judge, ""))
    assert stored_job(folder, CATALOGUE, {}).options.judge == "similarity"
    folder.spec_path.write_text(stored.replace(judge, '"judge": "me",'))
    with pytest.raises(FolderError, match="is damaged: unknown judge 'me'"):
        stored_job(folder, CATALOGUE, {})
