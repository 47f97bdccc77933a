"""The crawl folder of a replay: its files, requests to pause and stop, a lock while it runs."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from crawler.web_building import Field, Plant, at, labelled, page
from scenthound.core.errors import FolderError
from scenthound.core.events import PageEvent
from scenthound.crawler import replay
from scenthound.crawler.control import ControlRequests
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayJob, ReplayPlan
from scenthound.sample.web import build
from scenthound.storage.folder import LOCK_NAME, PAUSE, STOP, CrawlFolder, lock_holder
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


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_what_a_rerun_needs_is_stored(
    web: Field, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.txt").write_text("storm and flood")
    run_job(web.archive, web.job("vsm", examples=("page.txt", "storm flood"), out=tmp_path / "out"))
    topic = CrawlFolder.open(tmp_path / "out" / "storms" / "vsm").crawl_spec()["topic"]
    assert isinstance(topic, dict)
    assert topic["examples"] == [str(tmp_path / "page.txt"), "storm flood"]
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
            "labels": {"pages": 1, "sha256": hashlib.sha256(at("/a").encode()).hexdigest()},
            "wordnet": {"version": "3.0", "origin": "shipped with Scenthound"},
            "pdf": False,
            "weights": None,
        },
    }


def test_results_journal_and_run_agree_and_no_second_run(web: Field, tmp_path: Path) -> None:
    job = shark(web, tmp_path / "out")
    result = run_job(web.archive, job)
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
    before = content(folder)
    with pytest.raises(FolderError, match="holds a crawl already"):
        run_job(web.archive, job)
    assert content(folder) == before


def test_state_is_saved_meanwhile(
    web: Field, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "STATE_EVERY", 1)
    folder = CrawlFolder(tmp_path / "out" / "storms" / "shark")
    seen: list[bool] = []
    run_job(
        web.archive, shark(web, tmp_path / "out"), lambda _: seen.append(folder.state_path.exists())
    )
    assert seen == [True, True]


def test_sample_web_twice_is_the_same_journal_of_1_kb_a_page(plant: Plant, tmp_path: Path) -> None:
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


# Requests in the folder.


@pytest.fixture(autouse=True)
def look_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "_POLL_INTERVAL_S", 0.0)


@pytest.fixture
def star(plant: Plant) -> Field:
    names = [f"/{n}" for n in range(6)]
    return plant(page("/", *names), *(page(name) for name in names))


def replayed(star: Field, out: Path, at_page: dict[int, list[str]]) -> list[dict[str, object]]:
    """The events of a replay; requests are left as the pages come."""
    folder = out / "storms" / "breadth-first"
    requests, seen = ControlRequests(folder), []

    def on_page(event: PageEvent) -> None:
        seen.append(lock_holder(folder))
        for name in at_page.get(event.n, ()):
            requests.leave(name)

    result = run_job(star.archive, star.job("breadth-first", budget="7", out=out), on_page)
    events = list(read_journal(CrawlFolder(folder).journal_path))
    assert None not in seen and lock_holder(folder) is None
    assert not (folder / LOCK_NAME).exists()
    assert result.stopped == events[-1]["reason"]
    return events


def kinds(events: list[dict[str, object]]) -> list[object]:
    return [event["event"] for event in events]


def test_a_replay_is_stopped_between_pages_and_in_a_pause(star: Field, tmp_path: Path) -> None:
    events = replayed(star, tmp_path / "out", {3: [STOP]})
    assert kinds(events) == ["started", "page", "page", "page", "stopped"]
    assert events[-1]["reason"] == "stopped"
    assert not ControlRequests(tmp_path / "out" / "storms" / "breadth-first").is_left(STOP)
    paused = replayed(star, tmp_path / "paused", {2: [PAUSE, STOP]})
    assert kinds(paused) == ["started", "page", "page", "stopped"]


def test_a_replay_can_be_paused(
    star: Field, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = []
    requests = ControlRequests(tmp_path / "out" / "storms" / "breadth-first")

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            requests.withdraw(PAUSE)

    monkeypatch.setattr(replay.ReplayController.__init__, "__defaults__", (lambda: 0.0, sleep))
    events = replayed(star, tmp_path / "out", {2: [PAUSE]})
    assert kinds(events)[:5] == ["started", "page", "page", "paused", "unpaused"]
    assert len(waited) == 3 and kinds(events).count("page") == 7


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (KeyboardInterrupt, "interrupted"),
        (ZeroDivisionError, "error: ZeroDivisionError: ZeroDivisionError"),
    ],
)
def test_a_replay_that_breaks_off_leaves_its_journal_and_lets_go_of_its_folder(
    star: Field, tmp_path: Path, error: type[BaseException], reason: str
) -> None:
    def fail(event: PageEvent) -> None:
        raise error

    out = tmp_path / "out"
    with pytest.raises(error):
        run_job(star.archive, star.job("breadth-first", budget="7", out=out), fail)
    folder = out / "storms" / "breadth-first"
    events = list(read_journal(folder / "journal.jsonl"))
    assert kinds(events) == ["started", "page", "stopped"]
    assert events[-1]["reason"] == reason
    assert lock_holder(folder) is None and not (folder / LOCK_NAME).exists()
