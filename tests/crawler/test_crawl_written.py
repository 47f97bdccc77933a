"""The crawl folder that a run leaves behind."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from crawler.web_building import Field, Plant, at, labelled, page
from scenthound.core.errors import FolderError
from scenthound.crawler import replay
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayJob, ReplayPlan
from scenthound.sample.web import build
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.journal import read_journal
from scenthound.strategies.catalogue import CATALOGUE


@pytest.fixture
def web(plant: Plant) -> Field:
    return plant(page("/", "/a", "/b", text="storm"), page("/a", text="storm"), page("/b"))


def shark(web: Field, out: Path, examples: tuple[str, ...] = ("storm flood",)) -> ReplayJob:
    return web.job(
        "shark",
        examples=examples,
        labels=labelled("/a"),
        budget="2",
        seed=5,
        parameters={"decay": 0.25},
        threshold=0.3,
        out=out,
    )


LABELS = {"pages": 1, "sha256": hashlib.sha256(at("/a").encode()).hexdigest()}


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_order_names_files_of_the_topic_by_their_whole_paths(
    web: Field, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.txt").write_text("storm and flood")
    run_job(web.archive, web.job("vsm", examples=("page.txt", "storm flood"), out=tmp_path / "out"))
    topic = CrawlFolder.open(tmp_path / "out" / "storms" / "vsm").crawl_spec()["topic"]
    assert isinstance(topic, dict)
    assert topic["examples"] == [str(tmp_path / "page.txt"), "storm flood"]


def test_order_says_enough_to_run_the_crawl_again(web: Field, tmp_path: Path) -> None:
    run_job(web.archive, shark(web, tmp_path / "out"))
    crawl_spec = CrawlFolder.open(tmp_path / "out" / "storms" / "shark").crawl_spec()
    versions = crawl_spec.pop("versions")
    assert isinstance(versions, dict)
    assert {"python", "scenthound", "numpy", "selectolax"} <= set(versions)
    assert crawl_spec == {
        "format": "scenthound-crawl",
        "version": 1,
        "kind": "replay",
        "topic": {
            "name": "storms",
            "keywords": ["storm"],
            "seeds": [at("/")],
            "examples": ["storm flood"],
            "exclude": [],
            "language": "en",
            "ontology": None,
            "file": None,
        },
        "strategy": "shark",
        "parameters": {"decay": 0.25, "inherited_weight": 0.5, "anchor_weight": 0.8},
        "budget": 2,
        "seed": 5,
        "source": {
            "archive": str(web.archive.path.resolve()),
            "sha256": hashlib.sha256(web.archive.path.read_bytes()).hexdigest(),
            "labels": None,
        },
        "settings": {
            "inlinks": "max",
            "count_missing": False,
            "judge": "similarity",
            "threshold": 0.3,
            "labels": LABELS,
            "wordnet": {"version": "3.0", "origin": "shipped with Scenthound"},
            "pdf": False,
            "weights": None,
        },
    }


def test_results_journal_and_run_agree(web: Field, tmp_path: Path) -> None:
    result = run_job(web.archive, shark(web, tmp_path / "out"))
    folder = tmp_path / "out" / "storms" / "shark"
    names = {"crawl.json", "journal.jsonl", "state.npz", "results.json", "waiting.sqlite"}
    assert set(content(folder)) == names
    results = json.loads((folder / "results.json").read_text("utf-8"))
    assert results == result.to_json()
    assert results["order"] == [at("/"), at("/a")]
    assert (results["stopped"], results["labelled_pages"]) == ("budget spent", 1)
    assert results["threshold"] == {"value": 0.3, "origin": "given"}
    assert results["final"]["labelled_harvest"] == 0.5
    events = list(read_journal(folder / "journal.jsonl"))
    assert [e["event"] for e in events] == ["started", "page", "page", "stopped"]
    assert [e["url"] for e in events if e["event"] == "page"] == results["order"]


def test_state_is_saved_on_the_way(
    web: Field, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "STATE_EVERY", 1)
    folder = CrawlFolder(tmp_path / "out" / "storms" / "shark")
    seen: list[bool] = []
    run_job(
        web.archive, shark(web, tmp_path / "out"), lambda _: seen.append(folder.state_path.exists())
    )
    assert seen == [True, True]


def test_second_run_into_the_folder_is_refused_and_changes_nothing(
    web: Field, tmp_path: Path
) -> None:
    job = shark(web, tmp_path / "out")
    run_job(web.archive, job)
    assert job.out is not None
    before = content(job.out)
    with pytest.raises(FolderError, match="holds a crawl already"):
        run_job(web.archive, job)
    assert content(job.out) == before


def test_sample_web_twice_is_the_same_journal_of_about_1_kb_a_page(
    plant: Plant, tmp_path: Path
) -> None:
    web = build()
    field = plant.web(web)
    journals = []
    for name in ("one", "two"):
        plan = ReplayPlan([(CATALOGUE["vsm-mean"], {})], budget="100", out=tmp_path / name)
        (job,) = plan.jobs(field.archive, web.topics[:1])
        assert run_job(field.archive, job).fetched == 100
        assert job.out is not None
        journals.append((job.out / "journal.jsonl").read_bytes())
    assert journals[0] == journals[1]
    assert 300 < len(journals[0]) / 100 < 1_500
