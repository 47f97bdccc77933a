"""The open benchmark: fixed webs, one way to count, files of other crawlers, score cards."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sample.sample_once import sample_web
from scenthound import ScenthoundWarning, bench_web, score_urls
from scenthound.api import DEFAULT_STRATEGY, FIRST_WEB
from scenthound.archive import open_archive
from scenthound.comparison import bench_web as running
from scenthound.comparison import open_web as webs
from scenthound.comparison.bench_files import write_for_others
from scenthound.comparison.bench_web import BenchRun, journal_order, with_references
from scenthound.comparison.contenders import contender
from scenthound.comparison.fetch_order import Fetched, fetched_in, final_address
from scenthound.comparison.open_web import OpenWeb, fingerprint, one_topic, one_web
from scenthound.comparison.outside_run import LONGEST_LINE, read_order
from scenthound.comparison.score_card import ScoreCard, score_card
from scenthound.core.errors import FolderError, SettingsError, UnknownNameError
from scenthound.experiments.jobs import Plan
from scenthound.experiments.labels import read_labels
from scenthound.experiments.runner import run
from scenthound.sample import SampleWeb, write_labels, write_warc
from scenthound.strategies.catalogue import CATALOGUE

TOPIC = "big cats"


@pytest.fixture(scope="module")
def web() -> SampleWeb:
    return sample_web(FIRST_WEB)


def labelled(web: SampleWeb, topic: str = TOPIC) -> list[str]:
    return sorted(url for url, name in web.labels.items() if name == topic)


def redirect(web: SampleWeb) -> tuple[str, str]:
    """An address that redirects, and where to."""
    moved = (url for url, answer in web.responses.items() if answer.status == 301)
    return next((url, to) for url in moved if (to := final_address(web, url)) in web.labels)


@pytest.mark.parametrize("seed", list(webs.FINGERPRINTS))
def test_the_webs_are_those_of_the_version(seed: int) -> None:
    """A web that has changed is another benchmark: then VERSION must change too."""
    assert fingerprint(one_web(seed)) == webs.FINGERPRINTS[seed]


def test_a_web_has_one_fingerprint_and_another_web_another(web: SampleWeb) -> None:
    topics = webs.topic_names(web)
    one, fewer = OpenWeb((web,), topics), OpenWeb((web,), topics[:3])
    page = next(iter(web.responses.values()))
    changed = replace(web, responses={**web.responses, page.url: replace(page, body=b"other")})
    other = OpenWeb((changed,), topics)
    assert one.is_known and not other.is_known and not one.is_whole
    assert one.fingerprints == fewer.fingerprints == {FIRST_WEB: fingerprint(web)}
    assert other.fingerprints != one.fingerprints
    assert set(webs.QUICK_TOPICS) < set(topics) and set(webs.QUICK_WEBS) < set(webs.FINGERPRINTS)


def test_the_references_come_first_and_none_depends_on_what_is_installed() -> None:
    assert DEFAULT_STRATEGY not in webs.REFERENCES
    asked = [contender("shark decay=0.3"), contender("oracle")]
    assert [each.label for each in with_references(asked)] == [*webs.REFERENCES, "shark decay=0.3"]


def test_pages_are_counted_once_and_redirects_cost_nothing(web: SampleWeb) -> None:
    pages, (old, new) = labelled(web), redirect(web)
    found = fetched_in(web, TOPIC, [pages[0], pages[0], pages[1]])
    assert (found.found_at, found.fetches, found.hosts) == ((1, 2), 2, len({*map(host, pages[:2])}))
    topic = web.labels[new]
    for order in ([old], [old, new], [new, old]):
        assert fetched_in(web, topic, order).found_at == (1,)
        assert fetched_in(web, topic, order).fetches == 1


def host(url: str) -> str:
    return url.split("/")[2]


def test_what_is_not_there_costs_a_fetch_and_robots_txt_none(web: SampleWeb) -> None:
    page = labelled(web)[0]
    robots = f"http://{host(page)}/robots.txt"
    order = ["http://nowhere.test/", "http://nowhere.test/", None, None, robots, page]
    found = fetched_in(web, TOPIC, order)
    assert (found.found_at, found.fetches, found.unknown) == ((4,), 4, 3)


def test_a_loop_of_redirects_ends(web: SampleWeb) -> None:
    page = next(iter(web.responses.values()))
    there = replace(page, url="http://a.test/1", status=302, headers=(("Location", "/2"),))
    back = replace(page, url="http://a.test/2", status=302, headers=(("Location", "/1"),))
    out = replace(page, url="http://a.test/3", status=302, headers=(("Location", "mailto:a"),))
    looped = replace(web, responses={each.url: each for each in (there, back, out)})
    assert final_address(looped, there.url) == there.url
    assert final_address(looped, out.url) == out.url


def test_fetches_beyond_the_budget_are_cut(web: SampleWeb) -> None:
    budget = webs.budget_of(web, TOPIC)
    misses = [f"http://nowhere.test/{number}" for number in range(budget - 1)]
    found = fetched_in(web, TOPIC, [*misses, *labelled(web)])
    assert (found.budget, found.fetches, found.beyond) == (budget, budget, len(labelled(web)) - 1)
    assert found.found_at == (budget,)
    assert found.harvest == 1 / budget and found.recall == 1 / len(labelled(web))


def test_area_is_the_mean_of_the_recall() -> None:
    assert Fetched(4, 2, (1, 2)).area == (0.5 + 1 + 1 + 1) / 4
    assert Fetched(4, 2, (4,)).area == 0.5 / 4 and Fetched(4, 2).area == 0.0


def test_a_replay_scored_from_its_journal_has_the_figures_of_the_replay(
    web: SampleWeb, tmp_path: Path
) -> None:
    write_warc(web, tmp_path / "web.warc.gz")
    write_labels(web, tmp_path / "labels.tsv")
    plan = Plan([(CATALOGUE["shark"], {})], read_labels(tmp_path / "labels.tsv"), webs.BUDGET,
                count_missing=True, out=tmp_path / "out")  # fmt: skip
    with open_archive(tmp_path / "web.warc.gz", cache=tmp_path / "cache") as archive:
        (job,) = plan.jobs(archive, [webs.topic_named(web, "snakes")], print)
        result = run(archive, job)
    assert job.out is not None and result.missing > 0
    found = fetched_in(web, "snakes", journal_order(job.out / "journal.jsonl"))
    assert found.harvest == pytest.approx(result.final.labelled_harvest)
    assert found.recall == pytest.approx(result.final.target_recall)
    assert (found.fetches, found.unknown) == (result.fetched + result.missing, result.missing)


def test_orders_of_others_are_read_as_lines_or_json(tmp_path: Path) -> None:
    file = tmp_path / "urls"
    lines = ["# mine", "", "HTTP://A.test:80/x#top", json.dumps({"url": "http://a.test/y"}),
             "{broken", '{"url": 3}', '{"address": "http://a.test/"}', "no address"]  # fmt: skip
    file.write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    order = read_order(file)
    assert order.urls == ("http://a.test/x", "http://a.test/y") and order.unreadable == 4


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "holds no address"),
        (b"\n# nothing\n", "holds no address"),
        (b"just words\n", "holds no address"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
        (b"x" * (3 * LONGEST_LINE), "holds no address"),
        (b"[" * 100_000, "holds no address"),
        (None, "No such file"),
    ],
)
def test_files_of_no_use_are_refused(tmp_path: Path, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / "urls").write_bytes(content)
    with pytest.raises(SettingsError, match=words):
        read_order(tmp_path / "urls")


def test_a_file_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.comparison.outside_run.MOST_LINES", 10)
    (tmp_path / "urls").write_text("http://a.test/\n" * 11)
    with pytest.raises(SettingsError, match="more than 10 lines"):
        read_order(tmp_path / "urls")


def test_topics_and_webs_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'snakes'"):
        one_topic(FIRST_WEB, "snake")
    with pytest.raises(UnknownNameError, match="unknown web of bench-web '7'"):
        one_web(7)
    with pytest.raises(SettingsError, match="is a reference of the card"):
        score_urls(tmp_path / "urls", TOPIC, name="oracle")
    with pytest.raises(SettingsError, match="a list of names"):
        bench_web("shark")


def test_labels_stay_behind_unless_asked_for(web: SampleWeb, tmp_path: Path) -> None:
    write_for_others(web, tmp_path / "bare", with_labels=False)
    files = {str(path.relative_to(tmp_path / "bare")) for path in (tmp_path / "bare").rglob("*.*")}
    assert {"topics/big-cats.toml", "seeds/big-cats.txt", "bench-web.json"} < files
    assert len(files) == 2 * len(web.topics) + 1 and "labels.tsv" not in files
    seeds = (tmp_path / "bare" / "seeds" / "big-cats.txt").read_text().split()
    assert tuple(seeds) == webs.topic_named(web, TOPIC).seeds
    about = json.loads((tmp_path / "bare" / "bench-web.json").read_text())
    assert about["benchmark"] == webs.NAME and about["fetches"][TOPIC] == webs.budget_of(web, TOPIC)
    write_for_others(web, tmp_path / "all", with_labels=True)
    assert (tmp_path / "all" / "labels.tsv").is_file()
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match="cannot be written"):
        write_for_others(web, tmp_path / "file", with_labels=False)


def found(number: int) -> Fetched:
    return Fetched(20, 10, tuple(range(1, number + 1)), 20, 0, 3)


def card_of(figures: dict[str, list[int | None]]) -> ScoreCard:
    """A card of one web, with as many topics as each strategy has figures; None failed."""
    web = sample_web(FIRST_WEB)
    topics = webs.topic_names(web)[: len(next(iter(figures.values())))]
    runs = [
        BenchRun("web-11", topic, name, None, error="strategy 'x' failed.")
        if number is None
        else BenchRun("web-11", topic, name, found(number), 2.0)
        for name, numbers in figures.items()
        for topic, number in zip(topics, numbers, strict=True)
    ]
    asked = [name for name in figures if name not in webs.REFERENCES]
    return score_card(OpenWeb((web,), topics), runs, asked)


REFERENCES: dict[str, list[int | None]] = {
    "breadth-first": [2, 2, 3, 2, 3, 2, 2, 2],
    "soft-sdvsm": [6, 6, 7, 6, 6, 6, 7, 6],
    "oracle": [8, 8, 8, 8, 8, 8, 8, 8],
}


def test_a_card_sets_a_strategy_against_the_references() -> None:
    card = card_of({**REFERENCES, "mine": [6, 7, 6, 6, 7, 6, 6, 6]})
    verdicts = {each.reference: each.difference.verdict for each in card.against}
    assert verdicts == {
        "breadth-first": "better", "soft-sdvsm": "no difference", "oracle": "worse"
    }  # fmt: skip
    mine = next(line for line in card.lines if line.strategy == "mine")
    assert mine.harvest is not None and mine.harvest.value == pytest.approx(50 / 160, abs=1e-6)
    assert mine.harvests["storms"] == 0.3 and (mine.speed, mine.hosts) == (1.0, 3.0)
    assert card.way["mine"] == pytest.approx((50 - 18) / (64 - 18), abs=1e-3)
    assert card.errors == ()


def test_failed_runs_are_counted_and_told() -> None:
    card = card_of({**REFERENCES, "mine": [6, None, 6, 6, 6, 6, None, 6], "bad": [None] * 8})
    mine, bad = (line for line in card.lines if line.strategy in ("mine", "bad"))
    assert (mine.failed, mine.runs, bad.failed, bad.harvest) == (2, 8, 8, None)
    assert card.errors == ("strategy 'x' failed.",) and "bad" not in card.way
    assert {each.strategy for each in card.against} == {"mine"}


def test_a_few_topics_give_no_verdict() -> None:
    card = card_of({**{name: numbers[:3] for name, numbers in REFERENCES.items()}, "m": [9, 9, 9]})
    assert {each.difference.verdict for each in card.against} == {"too few topics to tell"}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, web: SampleWeb) -> OpenWeb:
    """One topic of one web, and breadth-first and the oracle beside it."""
    bench = OpenWeb((web,), (TOPIC,))
    monkeypatch.setattr("scenthound.api.benchmark.open_web", lambda quick: bench)
    monkeypatch.setattr(running, "REFERENCES", ("breadth-first", "oracle"))
    return bench


def test_nothing_of_a_passing_folder_stays_in_the_cache(
    tiny: OpenWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    bench_web(workers=1, cache=tmp_path / "kept")
    assert any((tmp_path / "kept").iterdir())
    assert not list(tmp_path.rglob("archive-*"))
    bench_web(workers=1, cache="none", out=tmp_path / "out")
    assert list(tmp_path.rglob("archive-*")), "of a folder that stays it does"


def test_a_folder_full_of_other_things_is_left_alone(tiny: OpenWeb, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(FolderError, match="holds other files; choose a new --out"):
        bench_web(out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_strategies_are_run_and_kept_from_python(tiny: OpenWeb, tmp_path: Path) -> None:
    card = bench_web(["best-first"], out=tmp_path, workers=1)
    assert [line.strategy for line in card.lines] == ["breadth-first", "oracle", "best-first"]
    assert all(line.harvest and line.speed for line in card.lines)
    again = bench_web(["best-first"], out=tmp_path, workers=1)
    assert again.lines == card.lines  # seconds too: nothing was run again
    assert (tmp_path / "webs" / "web-11" / "sample.warc.gz").is_file()
    assert (tmp_path / "comparison" / "comparison.json").is_file()


def test_another_crawler_is_scored_from_python(
    tiny: OpenWeb, web: SampleWeb, tmp_path: Path
) -> None:
    urls = [*labelled(web), "nothing", *(f"http://nowhere.test/{n}" for n in range(500))]
    (tmp_path / "urls.txt").write_text("\n".join(urls))
    told: list[str] = []
    card = score_urls(tmp_path / "urls.txt", TOPIC, workers=1, name="mine", warn=told.append)
    mine = card.lines[-1]
    assert (mine.strategy, mine.recall, mine.speed) == ("mine", 1.0, None)
    assert len(told) == 3 and "1 lines hold no URL" in told[1] and "are cut" in told[2]
    assert f"only {len(labelled(web))} of its {len(labelled(web)) + 500} addresses" in told[0]


def test_addresses_of_another_web_are_refused(tiny: OpenWeb, tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("http://elsewhere.test/\nhttp://elsewhere.test/2\n")
    with pytest.raises(SettingsError, match="none of its 2 addresses is in web 11 of bench-web"):
        score_urls(tmp_path / "urls.txt", TOPIC)


def test_webs_of_another_generator_are_told(tiny: OpenWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.api.benchmark.run_bench", lambda *_, **__: [])
    monkeypatch.setattr(webs, "FINGERPRINTS", {FIRST_WEB: "another", 12: "", 13: ""})
    with pytest.warns(ScenthoundWarning, match="compare with no others"):
        assert not bench_web().known
