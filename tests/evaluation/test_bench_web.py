"""The open benchmark: fixed webs, one way to count, files of other crawlers, score cards."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urljoin

import pytest

from sample.sample_once import sample_web
from scenthound import bench_web, score_urls
from scenthound.core.errors import FolderError, ScenthoundWarning, SettingsError, UnknownNameError
from scenthound.crawler.metrics import read_labels
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.evaluation import bench_web as webs
from scenthound.evaluation import score_card
from scenthound.sample.web import SampleWeb, write_labels, write_warc
from scenthound.storage.archive import open_archive
from scenthound.strategies.catalogue import CATALOGUE

TOPIC = "big cats"


@pytest.fixture(scope="module")
def web() -> SampleWeb:
    return sample_web(score_card.FIRST_WEB)


def labelled(web: SampleWeb, topic: str = TOPIC) -> list[str]:
    return sorted(url for url, name in web.labels.items() if name == topic)


def test_the_webs_are_those_of_the_version_and_others_are_refused(tmp_path: Path) -> None:
    """A web that has changed is another benchmark: then VERSION must change too."""
    for seed in list(webs.FINGERPRINTS):
        assert webs.fingerprint(sample_web(seed)) == webs.FINGERPRINTS[seed]
    with pytest.raises(UnknownNameError, match="did you mean 'snakes'"):
        webs.one_topic(score_card.FIRST_WEB, "snake")
    with pytest.raises(UnknownNameError, match="unknown web of bench-web '7'"):
        webs.one_web(7)
    with pytest.raises(SettingsError, match="is a reference of the card"):
        score_urls(tmp_path / "urls", TOPIC, name="oracle")
    with pytest.raises(SettingsError, match="a list of names"):
        bench_web("shark")


def test_pages_are_counted_once_up_to_the_budget_and_redirects_cost_nothing(web: SampleWeb) -> None:
    pages = labelled(web)
    moved = (url for url, answer in web.responses.items() if answer.status == 301)
    old, new = next((u, to) for u in moved if (to := webs.final_address(web, u)) in web.labels)
    found = webs.score_fetch_order(web, TOPIC, [pages[0], pages[0], pages[1]])
    assert (found.found_at, found.fetches, found.hosts) == (
        (1, 2),
        2,
        len({url.split("/")[2] for url in pages[:2]}),
    )
    topic = web.labels[new]
    for order in ([old], [old, new], [new, old]):
        assert webs.score_fetch_order(web, topic, order).found_at == (1,)
        assert webs.score_fetch_order(web, topic, order).fetches == 1
    # What is not there costs a fetch, and robots.txt none.
    lost, robots = "http://nowhere.test/", urljoin(pages[0], "/robots.txt")
    found = webs.score_fetch_order(web, TOPIC, [lost, lost, None, None, robots, pages[0]])
    assert (found.found_at, found.fetches, found.unknown) == ((4,), 4, 3)
    budget = webs.budget_of(web, TOPIC)
    misses = [f"http://nowhere.test/{number}" for number in range(budget - 1)]
    found = webs.score_fetch_order(web, TOPIC, [*misses, *pages])
    assert (found.budget, found.fetches, found.beyond) == (budget, budget, len(pages) - 1)
    assert found.found_at == (budget,)
    assert found.harvest == 1 / budget and found.recall == 1 / len(pages)


def test_a_replay_scored_from_its_journal_has_the_figures_of_the_replay(
    web: SampleWeb, tmp_path: Path
) -> None:
    write_warc(web, tmp_path / "web.warc.gz")
    write_labels(web, tmp_path / "labels.tsv")
    plan = ReplayPlan([(CATALOGUE["shark"], {})], read_labels(tmp_path / "labels.tsv"), webs.BUDGET,
                count_missing=True, out=tmp_path / "out")  # fmt: skip
    with open_archive(tmp_path / "web.warc.gz", cache=tmp_path / "cache") as archive:
        (job,) = plan.jobs(archive, [each for each in web.topics if each.name == "snakes"])
        result = run_job(archive, job)
    assert job.out is not None and result.missing > 0
    found = webs.score_fetch_order(web, "snakes", webs.journal_order(job.out / "journal.jsonl"))
    assert found.harvest == pytest.approx(result.final.labelled_harvest)
    assert found.recall == pytest.approx(result.final.target_recall)
    assert (found.fetches, found.unknown) == (result.fetched + result.missing, result.missing)


def test_orders_of_others_are_read_as_lines_or_json(tmp_path: Path) -> None:
    file = tmp_path / "urls"
    lines = ["# mine", "", "HTTP://A.test:80/x#top", json.dumps({"url": "http://a.test/y"}),
             "{broken", '{"url": 3}', '{"address": "http://a.test/"}', "no address"]  # fmt: skip
    file.write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    assert score_card.read_external_order(file) == (("http://a.test/x", "http://a.test/y"), 4)
    for content, words in (
        (b"\n# nothing\n", "holds no address"),
        (b"just words\n", "holds no address"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
        (b"x" * 3_000_000, "holds no address"),
    ):
        file.write_bytes(content)
        with pytest.raises(SettingsError, match=words):
            score_card.read_external_order(file)
    with pytest.raises(SettingsError, match="No such file"):
        score_card.read_external_order(tmp_path / "none")


def found(number: int) -> webs.FetchOrderScore:
    return webs.FetchOrderScore(20, 10, tuple(range(1, number + 1)), 20, 0, 3)


def card_of(figures: dict[str, list[int | None]]) -> score_card.ScoreCard:
    """A card of one web, with as many topics as each strategy has figures; None failed."""
    web = sample_web(score_card.FIRST_WEB)
    topics = webs.topic_names(web)[: len(next(iter(figures.values())))]
    runs = [
        webs.BenchRun("web-11", topic, name, None, error="strategy 'x' failed.")
        if number is None
        else webs.BenchRun("web-11", topic, name, found(number), 2.0)
        for name, numbers in figures.items()
        for topic, number in zip(topics, numbers, strict=True)
    ]
    asked = [name for name in figures if name not in webs.REFERENCES]
    return score_card.score_card(webs.BenchWeb((web,), topics), runs, asked)


REFERENCES: dict[str, list[int | None]] = {
    "breadth-first": [2, 2, 3, 2, 3, 2, 2, 2],
    "soft-sdvsm": [6, 6, 7, 6, 6, 6, 7, 6],
    "oracle": [8, 8, 8, 8, 8, 8, 8, 8],
}


def test_a_card_sets_a_strategy_against_the_references_and_counts_failed_runs() -> None:
    card = card_of({**REFERENCES, "mine": [6, 7, 6, 6, 7, 6, 6, 6]})
    verdicts = {each.reference: each.difference.verdict for each in card.against}
    assert verdicts == {
        "breadth-first": "better", "soft-sdvsm": "no difference", "oracle": "worse"
    }  # fmt: skip
    mine = next(line for line in card.lines if line.strategy == "mine")
    assert mine.harvest is not None and mine.harvest.value == pytest.approx(50 / 160, abs=1e-6)
    assert mine.harvests["storms"] == 0.3 and (mine.speed, mine.hosts) == (1.0, 3.0)
    assert mine.way == pytest.approx((50 - 18) / (64 - 18), abs=1e-3)
    assert card.errors == ()
    card = card_of({**REFERENCES, "mine": [6, None, 6, 6, 6, 6, None, 6], "bad": [None] * 8})
    mine, bad = (line for line in card.lines if line.strategy in ("mine", "bad"))
    assert (mine.failed, mine.runs, bad.failed, bad.harvest) == (2, 8, 8, None)
    assert card.errors == ("strategy 'x' failed.",) and bad.way is None
    assert {each.strategy for each in card.against} == {"mine"}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, web: SampleWeb) -> webs.BenchWeb:
    """One topic of one web, and breadth-first and the oracle beside it."""
    bench = webs.BenchWeb((web,), (TOPIC,))
    monkeypatch.setattr("scenthound.evaluation.bench_web.build_bench_web", lambda quick: bench)
    monkeypatch.setattr(webs, "REFERENCES", ("breadth-first", "oracle"))
    monkeypatch.setattr(webs, "BUDGET", "80")
    return bench


def test_strategies_and_another_crawler_are_scored_from_python(
    tiny: webs.BenchWeb, tmp_path: Path, web: SampleWeb
) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    card = bench_web(["best-first"], out=out, workers=1)
    assert [line.strategy for line in card.lines] == ["breadth-first", "oracle", "best-first"]
    assert all(line.harvest and line.speed for line in card.lines)
    again = bench_web(["best-first"], out=out, workers=1)
    assert again.lines == card.lines  # seconds too: nothing was run again
    assert (out / "webs" / "web-11" / "sample.warc.gz").is_file()
    assert (out / "comparison" / "comparison.json").is_file()
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    with pytest.raises(FolderError, match="holds other files; choose a new --out"):
        bench_web(out=other)
    assert [path.name for path in other.iterdir()] == ["letter.txt"]
    urls = [*labelled(web), "nothing", *(f"http://nowhere.test/{n}" for n in range(500))]
    (tmp_path / "urls.txt").write_text("\n".join(urls))
    with pytest.warns(ScenthoundWarning) as warned:
        card = score_urls(tmp_path / "urls.txt", TOPIC, workers=1, name="mine")
    reported = [str(each.message) for each in warned]
    mine = card.lines[-1]
    assert (mine.strategy, mine.recall, mine.speed) == ("mine", 1.0, None)
    assert len(reported) == 3 and "1 lines hold no URL" in reported[1] and "are cut" in reported[2]
    (tmp_path / "others.txt").write_text("http://elsewhere.test/\nhttp://elsewhere.test/2\n")
    with pytest.raises(SettingsError, match="none of its 2 addresses is in web 11 of bench-web"):
        score_urls(tmp_path / "others.txt", TOPIC)
    assert f"only {len(labelled(web))} of its {len(labelled(web)) + 500} addresses" in reported[0]
