"""What a live crawl is asked to do, how that comes back from its folder, and what its result is."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import scenthound
from crawler.scripted_downloads import NOW, page_event, url
from crawler.warning_recording import recorded_warnings
from crawler.web_building import Field, Plant, page
from scenthound.core import events
from scenthound.core.crawl_loop import NOT_A_NUMBER
from scenthound.core.errors import (
    FolderError,
    LabelsError,
    SettingsError,
    StrategyError,
    UnknownNameError,
)
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.urls import PRIVATE
from scenthound.crawler.control import Status
from scenthound.crawler.crawl import warn_changed_topic
from scenthound.crawler.job import LiveJob, stored_job
from scenthound.crawler.live import ReportingJournal
from scenthound.crawler.metrics import Result
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.crawler.session import live_result
from scenthound.similarity.judge import Threshold
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.journal import FileJournal, read_journal
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import LinkWeights

TOPIC = Topic(
    "storms", ("storm",), (url("a/1"),), ("a text",), (url("a/no/*"),), "de", file="/t.toml"
)


def job_of(topic: Topic = TOPIC, strategy: str = "vsm", **options: Any) -> LiveJob:
    return LiveJob(topic, CATALOGUE[strategy], {}, CrawlOptions(**options))


def folder(path: Path, kept: LiveJob) -> CrawlFolder:
    return CrawlFolder.create(path / "c", kept.crawl_spec())


def again(kept: CrawlFolder, **changes: Any) -> LiveJob:
    return stored_job(kept, **changes)


def rewrite(kept: CrawlFolder, **values: Any) -> None:
    crawl_spec = {**kept.crawl_spec(), **values}
    crawl_spec = {key: value for key, value in crawl_spec.items() if value != "gone"}
    kept.spec_path.write_text(json.dumps(crawl_spec))


def test_a_crawl_needs_somewhere_to_start() -> None:
    with pytest.raises(SettingsError, match=r"topic 'storms' has no seeds; give --seed"):
        job_of(Topic("storms", ("storm",), examples=("a text",)))
    assert job_of(Topic("storms", examples=(" HTTPS://a.test/ ",))).topic.seeds == ()
    with pytest.raises(SettingsError, match="'oracle' is steered by labels and only replays"):
        job_of(strategy="oracle")
    with pytest.raises(SettingsError, match="'shark' takes no weights"):
        LiveJob(TOPIC, CATALOGUE["shark"], {}, CrawlOptions(), weights=WEIGHTS)
    pages = Topic("storms", examples=(url("a/1"), url("a/2")))
    with pytest.raises(SettingsError, match="has 2 example pages to fetch first, more than"):
        job_of(pages, max_pages=1)


def test_a_job_comes_back_from_its_folder(tmp_path: Path) -> None:
    labels = tmp_path / "labels.tsv"
    labels.write_text(f"{url('a/5')}\tstorms\n{url('a/6')}\tother\n")
    kept = LiveJob(
        TOPIC, CATALOGUE["vsm"], {}, CrawlOptions(max_pages=5, random_seed=3),
        frozenset({url("a/5")}), labels
    )  # fmt: skip
    back = again(folder(tmp_path, kept))
    assert (back.topic, back.topic.file, back.spec) == (TOPIC, "/t.toml", CATALOGUE["vsm"])
    assert (back.options, back.parameters) == (kept.options, {})
    assert (back.labels, back.labels_file) == (frozenset({url("a/5")}), labels)
    more = again(CrawlFolder.open(tmp_path / "c"), max_pages=50).options
    assert (more.max_pages, more.random_seed) == (50, 3)
    with pytest.raises(SettingsError, match="max_pages"):
        again(CrawlFolder.open(tmp_path / "c"), max_pages=0)


def test_its_files_are_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warned: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = f'name = "s"\nseeds = ["{url("a/1")}"]\nexamples = ["a.html"]\nontology = "o.owl"'
    Path("t.toml").write_text(text)
    kept = folder(tmp_path, job_of(read_topic("t.toml")))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    topic = again(kept).topic
    assert topic.examples == (str(tmp_path / "a.html"),)
    assert (topic.ontology, topic.file) == (str(tmp_path / "o.owl"), str(tmp_path / "t.toml"))
    warn_changed_topic(topic)
    assert warned == []


WEIGHTS = LinkWeights({"full": 0.3, "anchor": 1.0}, "vsm", "gone.toml")


def test_parameters_and_weights_come_back(tmp_path: Path) -> None:
    spec = next(spec for spec in CATALOGUE.values() if spec.parameters)
    given = dict(list(spec.parameters.items())[:1])
    (tmp_path / "p").mkdir()
    assert (
        again(folder(tmp_path / "p", LiveJob(TOPIC, spec, given, CrawlOptions()))).parameters
        == given
    )
    weighted = LiveJob(TOPIC, CATALOGUE["mcoa"], {}, CrawlOptions(), weights=WEIGHTS)
    kept = folder(tmp_path, weighted)
    assert again(kept).weights == WEIGHTS  # its file is gone
    settings = dict(kept.crawl_spec()["settings"])  # type: ignore[call-overload]
    del settings["weights"]  # a folder from before there were weights
    rewrite(kept, settings=settings)
    assert again(kept).weights is None


def test_no_password_is_in_the_folder_but_which_hosts_had_one(tmp_path: Path) -> None:
    kept = folder(tmp_path, job_of(proxy="http://user:secret@p.test:1", auth=("a.test=me:secret",)))
    assert "secret" not in kept.spec_path.read_text()
    back = again(kept)
    assert back.options.proxy == "http://p.test:1"
    assert (back.auth_hosts, back.options.auth) == (("a.test",), ())
    more = replace(back, options=back.options.changed(auth="b.test=me:secret"))
    assert more.crawl_spec().settings["auth_hosts"] == ["a.test", "b.test"]


def test_damage_a_replay_and_an_unknown_strategy_are_reported(tmp_path: Path) -> None:
    kept = folder(tmp_path, job_of())
    whole = kept.spec_path.read_text()
    settings = dict(kept.crawl_spec()["settings"])  # type: ignore[call-overload]
    weights: tuple[object, ...] = (7, {}, {"values": {"full": 7}, "model": None, "origin": ""})
    damages: list[dict[str, Any]] = [
        {"source": "gone"}, {"source": 5}, {"source": {}}, {"topic": []}, {"topic": {"nom": "x"}},
        {"settings": [1]}, {"settings": {"max_pages": "many"}}, {"parameters": None},
        {"strategy": "gone"}, *({"settings": {**settings, "weights": each}} for each in weights)
    ]  # fmt: skip
    for damage in damages:
        kept.spec_path.write_text(whole)
        rewrite(kept, **damage)
        with pytest.raises(FolderError, match=r"crawl\.json is damaged: "):
            again(kept)
    kept.spec_path.write_text(whole)
    rewrite(kept, kind="replay")
    with pytest.raises(FolderError, match="holds a replay, which cannot be resumed"):
        again(kept)
    kept.spec_path.write_text(whole)
    rewrite(kept, strategy="my own")
    with pytest.raises(UnknownNameError, match="unknown strategy 'my own'"):
        again(kept)
    own = CATALOGUE["vsm"]  # a strategy of the user's own must be given again
    assert stored_job(kept, own).spec is own


def test_labels_that_are_gone_are_reported(tmp_path: Path) -> None:
    gone = tmp_path / "gone.tsv"
    kept = LiveJob(TOPIC, CATALOGUE["vsm"], {}, CrawlOptions(), frozenset(), gone)
    with pytest.raises(LabelsError, match=r"gone\.tsv: No such file"):
        again(folder(tmp_path, kept))


# The result of a crawl, read from its journal, and the warnings on the way.

THRESHOLD = Threshold(0.4, "given")
WAYS = events.TextRepresentations(("words", "meaning"), "it is so")


def event(n: int, similarity: float, problem: str = "", **dropped: int) -> events.PageEvent:
    drops = events.DroppedLinks({reason: (count, ()) for reason, count in dropped.items()})
    summary = events.Summary(fetched=n, failed=n // 2)
    return replace(
        page_event(n, similarity >= 0.4),
        similarity=similarity, drops=drops, problem=problem, summary=summary
    )  # fmt: skip


def result(path: Path, *events: events.Event, labels: frozenset[str] | None = None) -> Result:
    with closing(FileJournal(path / "journal.jsonl")) as journal:
        for each in events:
            journal.append(each)
    topic = Topic("storms", ("storm",), (url("a/1"),))
    job = LiveJob(topic, CATALOGUE["vsm"], {}, CrawlOptions(max_pages=10, random_seed=3), labels)
    return live_result(job, path / "journal.jsonl", THRESHOLD, 2.5)


def test_a_crawl_without_pages(tmp_path: Path) -> None:
    stops = [
        events.StoppedEvent(NOW, reason, events.Summary()) for reason in ("interrupted", "stopped")
    ]
    run = result(tmp_path, *stops)  # the last reason counts
    assert (run.fetched, run.failed, run.stopped, run.seconds) == (0, 0, "stopped", 2.5)
    assert (run.dropped, run.problems, run.labelled_pages) == ({}, {}, None)
    assert (run.budget, run.seed, run.strategy, run.threshold) == (10, 3, "vsm", THRESHOLD)


def test_pages_and_reasons_are_counted(tmp_path: Path) -> None:
    run = result(
        tmp_path,
        events.StartedEvent(NOW, "storms", "vsm", 10, (), 0.4, WAYS),
        event(1, 0.5, nofollow=2, excluded=1),
        events.FailedEvent(NOW, "u", "timeout", 1, NOW + 30),
        events.FailedEvent(NOW, "u", "timeout", 2, None),
        event(2, 0.1, problem="copy", nofollow=1),
        events.RedirectEvent("u", "v", "followed"),
        events.RedirectEvent("u", "v", "fetched before"),
        events.RejectedEvent(NOW, "u", "robots.txt"),
        events.DroppedEvent(7, "host budget"),
        events.ControlEvent(NOW, "paused", 10),
        event(3, 0.9),
        events.StoppedEvent(NOW, "budget spent", events.Summary(fetched=3, failed=1)),
    )
    assert (run.fetched, run.failed, run.stopped) == (3, 1, "budget spent")
    assert run.dropped == {
        "host budget": 7, "nofollow": 3, "excluded": 1, "fetched before": 1, "robots.txt": 1
    }  # fmt: skip
    assert run.problems == {"timeout": 1, "copy": 1}
    assert (run.final.rn, run.final.hr) == (2, 2 / 3)
    assert run.final.ar == pytest.approx(0.5)
    assert run.representations == WAYS


def test_weights_are_those_of_the_end_and_tell_what_they_were_learned_from(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with closing(FileJournal(path)) as journal:
        for n, links in ((50, 41), (100, 88)):
            journal.append(events.RevisedEvent(NOW, n, {"full": 0.1}, links))
    topic = Topic("storms", ("storm",), (url("a/1"),))
    job = LiveJob(topic, CATALOGUE["mcoa"], {}, CrawlOptions())
    scorer = job.strategy(TopicProfile("storms", ("storm",), ()), job.analyzer()).scorer
    found = live_result(job, path, THRESHOLD, 2.5, scorer).weights
    assert found is not None and found.learned_from == 88
    assert found.values == dict.fromkeys(("full", "title", "anchor", "context"), 0.25)
    assert live_result(job, path, THRESHOLD, 2.5).weights is None


def test_labels_are_measured_over_the_whole_budget(tmp_path: Path) -> None:
    labels = frozenset({url("a/2"), url("a/9")})
    run = result(tmp_path, event(1, 0.5), event(2, 0.5), labels=labels)
    assert run.labelled_pages == 2
    assert (run.final.labelled, run.final.target_recall) == (1, 0.5)
    assert run.final.labelled_harvest == 0.1


def test_scores_of_which_none_is_a_number_are_refused(tmp_path: Path) -> None:
    drops = events.DroppedLinks({NOT_A_NUMBER: (700, ())})
    pages = [replace(event(n, 0.5), drops=drops, new=0, rescored=0, closed=0) for n in (1, 2)]
    with pytest.raises(StrategyError, match=r"'vsm' returned 1,400 scores, and none is a number"):
        result(tmp_path, *pages)
    assert result(tmp_path, replace(event(3, 0.5), closed=1)).dropped == {NOT_A_NUMBER: 1_400}


class Watching:
    def __init__(self) -> None:
        self.seen: list[events.Event] = []

    def saw(self, event: events.Event) -> None:
        self.seen.append(event)

    def look(self, status: Status) -> None:
        """Nothing to see."""


def reported(path: Path, *events: events.Event) -> list[str]:
    """What the user hears of these events, when ``a/1`` and ``a/2`` are seeds."""
    watching = Watching()
    with closing(FileJournal(path / "journal.jsonl")) as file, recorded_warnings() as warned:
        journal = ReportingJournal(file, watching, (url("a/1"), url("a/2")))
        for each in events:
            journal.append(each)
    assert watching.seen == list(events)
    recorded = list(read_journal(path / "journal.jsonl"))[-len(events) :]
    assert [each["event"] for each in recorded] == [each.to_json()["event"] for each in events]
    return warned


def failed(name: str, retry_at: float | None = None) -> events.FailedEvent:
    return events.FailedEvent(NOW, url(name), "timeout", 1, retry_at)


def test_the_first_failure_of_a_seed_is_reported_and_of_no_other_page(tmp_path: Path) -> None:
    assert reported(
        tmp_path,
        failed("a/1", NOW + 30.0),
        failed("a/1"),
        events.RejectedEvent(NOW, url("a/2"), "robots.txt"),
        failed("a/3"),
        page_event(1),
        events.RejectedEvent(NOW, url("b/1"), "x"),
    ) == [
        f"the seed {url('a/1')} cannot be fetched: timeout; retry in 30 s",
        f"the seed {url('a/2')} cannot be fetched: robots.txt",
    ]
    assert reported(tmp_path, failed("a/2"), events.RejectedEvent(NOW, url("a/1"), PRIVATE)) == [
        f"the seed {url('a/2')} cannot be fetched: timeout",
        f"the seed {url('a/1')} cannot be fetched: {PRIVATE}; to fetch it, give --allow-private",
    ]


# What the results say of weights: the strategy's own, given ones, learned ones.

GIVEN = LinkWeights({"full": 0.25, "anchor": 0.5}, "vsm", "w.toml")
REPLAYED = Topic("storms", ("storm",), ("http://w.test/0",))


@pytest.fixture
def web(plant: Plant) -> Field:
    """Links with ``storm`` in their words lead to pages about storms, the others do not."""
    words = ["storm" if n % 3 else f"cake {n}" for n in range(40)]
    links = [(f"/{n}", f"{words[n]} here") for n in range(40)]
    texts = [f"{words[n]} and {words[n]}, page {n}." for n in range(40)]
    return plant(*(page(f"/{n}", *links, text=texts[n], title=words[n]) for n in range(40)))


def crawled(web: Field, name: str, weights: LinkWeights | None = None, **parameters: int) -> Result:
    plan = ReplayPlan([(CATALOGUE[name], parameters)], budget="40", weights=weights)
    (job,) = plan.jobs(web.archive, [REPLAYED])
    return run_job(web.archive, job)


def test_weights_are_the_strategys_own_or_learned_from_given_ones(web: Field) -> None:
    assert crawled(web, "breadth-first").to_json()["weights"] is None
    assert crawled(web, "shark").weights is None
    assert crawled(web, "vsm").to_json()["weights"] == {
        "values": {"full": 0.5, "anchor": 0.5}, "model": "vsm", "origin": "the strategy's own",
        "learnt_from": None, "reason": None
    }  # fmt: skip
    found = crawled(web, "mcoa", every=10).weights
    assert found is not None and found.origin == "learnt in the crawl"
    assert found.learned_from is not None and 20 <= found.learned_from < 40
    assert dict(found.values) != dict.fromkeys(found.values, 0.25)
    begun = crawled(web, "mcoa", GIVEN, every=10).weights
    assert begun is not None and begun.origin == "w.toml" and begun.learned_from
    assert list(begun.values) == ["full", "anchor"] and dict(begun.values) != GIVEN.values
    too_late = crawled(web, "mcoa", every=1_000).weights
    assert too_late is not None and too_late.is_remarkable
    assert (too_late.origin, too_late.learned_from) == ("the strategy's own", 0)
    assert dict(too_late.values) == dict.fromkeys(("full", "title", "anchor", "context"), 0.25)


def test_weights_from_python_and_what_is_none(web: Field, tmp_path: Path) -> None:
    file = tmp_path / "w.toml"
    file.write_text("[weights]\nanchor = 0.5\nfull = 0.25\n")
    runs = [
        scenthound.replay(web.archive.path, REPLAYED, "vsm", weights=given, out=tmp_path / name)
        for given, name in ((str(file), "a"), (file, "b"), (GIVEN, "c"))
    ]
    assert len({run.order for run in runs}) == 1
    crawl_spec = json.loads((tmp_path / "a" / "crawl.json").read_text())
    assert crawl_spec["settings"]["weights"] == {
        "values": {"full": 0.25, "anchor": 0.5}, "model": None, "origin": str(file)
    }  # fmt: skip
    results = json.loads((tmp_path / "c" / "results.json").read_text())
    assert results["weights"]["origin"] == "w.toml"
    cases: list[tuple[object, str]] = [
        ({"full": 0.5}, r"write LinkWeights\(\{...\}\)"),
        (7, r"weights takes a path or LinkWeights\(...\), not a value of type int"),
        ("", "weights is an empty path"),
        ("nowhere.toml", "weights file nowhere.toml: No such file"),
    ]
    for given, message in cases:
        with pytest.raises(SettingsError, match=message):
            scenthound.replay(web.archive.path, REPLAYED, "vsm", weights=given)  # type: ignore[arg-type]
        with pytest.raises(SettingsError, match=message):
            scenthound.crawl(REPLAYED, tmp_path / "d", "vsm", weights=given)  # type: ignore[arg-type]
        assert not (tmp_path / "d").exists()
    with pytest.raises(SettingsError, match="'fish' takes no weights"):
        ReplayPlan([(CATALOGUE["vsm"], {}), (CATALOGUE["fish"], {})], weights=GIVEN)
