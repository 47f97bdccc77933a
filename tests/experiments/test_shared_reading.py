"""A run that shares what it reads is the run that reads by itself, to the last digit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engines.object_walk import texts
from engines.test_nothing_peeks import Spy, ring
from engines.web_building import Field, Plant, at, moved, page, raw
from scenthound.archive import Archive, open_archive
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.experiments import shared_reading as module
from scenthound.experiments.cache_folder import cache_report
from scenthound.experiments.equipping import CacheChoice
from scenthound.experiments.jobs import Plan
from scenthound.experiments.labels import Labels
from scenthound.experiments.result import Run
from scenthound.experiments.runner import run
from scenthound.experiments.shared_reading import SharedReading, shared_reading
from scenthound.sample import SampleWeb, build, write_warc
from scenthound.store.page_cache import PAGES
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe
from text.pdf_writing import pdf

STRATEGIES = ("vsm", "shark", "soft-svsm", "sdvsm", "sentences-light", "moaco")
BREADTH_FIRST = CATALOGUE["breadth-first"]


@pytest.fixture(scope="module")
def sample() -> SampleWeb:
    return build(3)


@pytest.fixture(scope="module")
def archive(sample: SampleWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    folder = tmp_path_factory.mktemp("web")
    write_warc(sample, folder / "sample.warc.gz")
    with open_archive(folder / "sample.warc.gz", cache=folder) as opened:
        yield opened


def labels_of(sample: SampleWeb) -> Labels:
    by_topic: dict[str, set[str]] = {}
    for url, topic in sample.labels.items():
        by_topic.setdefault(topic, set()).add(url)
    return Labels({topic: frozenset(urls) for topic, urls in by_topic.items()}, "labels.tsv")


def topics_of(sample: SampleWeb) -> list[Topic]:
    """Three topics: with phrases that WordNet has not, without any, and in another language."""
    one, two, three = sample.topics[:3]
    return [
        replace(one, keywords=(*one.keywords, "the sea level", "warm wind")),
        two,
        replace(three, language="de"),
    ]


def runs(
    archive: Archive,
    topics: Sequence[Topic],
    reading: SharedReading | None,
    strategies: Sequence[Recipe],
    labels: Labels | None = None,
) -> list[dict[str, object]]:
    plan = Plan(
        [(recipe, {}) for recipe in strategies], labels, budget="25", reading=reading, every=7
    )
    return [told(run(archive, job)) for job in plan.jobs(archive, topics, lambda _: None)]


def told(result: Run) -> dict[str, object]:
    """All that a run came to, but for what it cost."""
    costs = dict.fromkeys(("seconds", "pages_per_second", "peak_rss_mb"))
    return result.to_json() | {"exactly": (result.final, result.checkpoints)} | costs


def shared(folder: Path | str) -> CacheChoice:
    return CacheChoice(str(folder))


def unheard(message: str) -> None:
    pytest.fail(message)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_runs_are_the_same(
    sample: SampleWeb, archive: Archive, tmp_path: Path, strategy: str
) -> None:
    topics, recipes, labels = topics_of(sample), [CATALOGUE[strategy]], labels_of(sample)
    alone = runs(archive, topics, None, recipes, labels)
    with shared_reading(shared("none"), unheard) as reading:
        assert runs(archive, topics, reading, recipes, labels) == alone
        assert runs(archive, topics, reading, recipes, labels) == alone
    with shared_reading(shared(tmp_path), unheard) as reading:  # the last topic first
        assert runs(archive, topics[::-1], reading, recipes, labels) == alone[::-1]
    with shared_reading(shared(tmp_path), unheard) as reading:
        assert runs(archive, topics, reading, recipes, labels) == alone


def test_with_hardly_any_memory(
    sample: SampleWeb, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAGE_MEMORY", 30_000)
    monkeypatch.setattr(module, "TEXT_MEMORY", 3_000)
    topics, recipes = topics_of(sample), [CATALOGUE["soft-svsm"]]
    alone = runs(archive, topics, None, recipes)
    with shared_reading(shared(tmp_path), unheard) as reading:
        assert runs(archive, topics, reading, recipes) == alone
        assert runs(archive, topics, reading, recipes) == alone


def test_pages_are_read_once(
    sample: SampleWeb, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics, recipes = topics_of(sample)[:1], [CATALOGUE["vsm"], CATALOGUE["shark"]]
    with shared_reading(shared(tmp_path), unheard) as reading:
        found = runs(archive, topics, reading, recipes)
    kept = cache_report(tmp_path, unheard)
    orders = [each["order"] for each in found]
    fetched = {url for order in orders if isinstance(order, list) for url in order}
    assert len(fetched) <= kept.pages <= len(fetched) + 10  # and redirects
    assert kept.counted_texts > 20

    def unread(*_: object, **__: object) -> None:
        raise AssertionError("it is read again")

    monkeypatch.setattr("scenthound.engines.archived_pages.read_page", unread)
    with shared_reading(shared(tmp_path), unheard) as reading:
        assert runs(archive, topics, reading, recipes) == found


def test_a_crawl_folder_is_the_same(plant: Plant, tmp_path: Path) -> None:
    web = plant(
        page("/", "/old", "/loop", "/gone", "/err", text="storm " * 300),
        moved("/old", "/new"),
        page("/new", "/", text="a storm at the coast"),
        moved("/loop", "/loop"),
        page("/err", status=500),
    )
    journals = []
    for turn, cache in enumerate(("none", str(tmp_path / "c"), str(tmp_path / "c"))):
        job = web.job("vsm", out=tmp_path / f"out-{turn}")
        assert job.out is not None
        with shared_reading(shared(cache), unheard) as reading:
            result = run(web.archive, replace(job, reading=reading if turn else None))
        assert (result.fetched, result.missing, result.failed) == (4, 1, 2)
        journals.append((job.out / "journal.jsonl").read_bytes())
    assert journals[0] == journals[1] == journals[2]


def test_another_archive_has_other_pages(plant: Plant, tmp_path: Path) -> None:
    for text in ("storm", "calm"):
        web = plant(page("/", text=text))
        with shared_reading(shared(tmp_path), unheard) as reading:
            found = reading.pages(web.archive).read(at("/"))
        assert found is not None and found.page.document.text == text


def test_bodies_cut_at_another_size_are_other_pages(plant: Plant, tmp_path: Path) -> None:
    path = plant(page("/", text="storm " * 100)).archive.path
    sizes = []
    for most in (10_000, 300):
        with (
            open_archive(path, cache=tmp_path, max_body=most) as archive,
            shared_reading(shared(tmp_path), unheard) as reading,
        ):
            found = reading.pages(archive).read(at("/"))
            assert found is not None
            sizes.append(found.page.size)
    assert sizes[1] == 300 < sizes[0]


def test_another_program_reads_again(
    plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = plant(page("/", text="storm " * 300))
    for version in ("1", "2"):
        monkeypatch.setattr(module, "reading_version", lambda version=version: version)
        with shared_reading(shared(tmp_path), unheard) as reading:
            run(web.archive, replace(web.job("vsm"), reading=reading))
    kept = cache_report(tmp_path, unheard)
    assert (kept.pages, kept.counted_texts) == (2, 2)


def test_pages_with_and_without_pdf(plant: Plant, tmp_path: Path) -> None:
    archive = plant(raw("/p", pdf(["Storm surge"]), "application/pdf")).archive
    for cache in (str(tmp_path), str(tmp_path), "none"):
        with shared_reading(shared(cache), unheard) as reading:
            found = [reading.pages(archive, with_pdf).read(at("/p")) for with_pdf in (True, False)]
        texts = [None if each is None else each.page.document.text for each in found]
        assert texts == ["Storm surge", ""]


def test_a_folder_that_cannot_be_made_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told: list[str] = []
    with shared_reading(shared(tmp_path / "file" / "c"), told.append):
        assert len(told) == 1 and "goes on without it" in told[0]
    assert len(told) == 1


def test_nothing_is_kept_on_disk_without_a_folder(plant: Plant, tmp_path: Path) -> None:
    web = plant(page("/"))
    with shared_reading(shared("none"), unheard) as reading:
        run(web.archive, replace(web.job(), reading=reading))
    assert not list(tmp_path.rglob(PAGES.file))


def test_a_damaged_file_is_told_once_and_done_without(plant: Plant, tmp_path: Path) -> None:
    (tmp_path / PAGES.file).write_bytes(b"no database" * 1_000)
    told: list[str] = []
    web = plant(page("/", "/a"), page("/a"))
    with shared_reading(shared(tmp_path), told.append) as reading:
        assert run(web.archive, replace(web.job(), reading=reading)).fetched == 2
    assert len(told) == 1 and "was damaged" in told[0]


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(SettingsError, match="is no folder"),
        shared_reading(shared(tmp_path / "file"), unheard),
    ):
        pass


def test_a_strategy_finds_no_page_in_what_is_shared(plant: Plant, tmp_path: Path) -> None:
    """It may come upon words that others have read, but on no text and on no address."""
    web: Field = plant(*ring())
    with shared_reading(shared(tmp_path), unheard) as reading:
        run(web.archive, replace(web.job("vsm", seeds=["/0"]), reading=reading))
        spy = Spy()
        job = web.job(spy.recipe(), seeds=["/0"], budget="1")
        run(web.archive, replace(job, reading=reading))
    reached = texts(*spy.handed)
    assert "storm secret0" in reached and at("/onlyfrom0") in reached
    assert "storm secret3" not in reached and at("/onlyfrom3") not in reached


@pytest.mark.parametrize(("every", "fetched"), [(1, [1, 2, 3]), (2, [2, 3]), (100, [3])])
def test_indicators_after_so_many_pages(plant: Plant, every: int, fetched: list[int]) -> None:
    web = plant(page("/", "/a", "/b"), page("/a"), page("/b"))
    topic = Topic("storms", ("storm",), (at("/"),))
    (job,) = Plan([(BREADTH_FIRST, {})], every=every).jobs(web.archive, [topic], unheard)
    result = run(web.archive, job)
    assert [row.fetched for row in result.checkpoints] == fetched


def test_indicators_after_no_page() -> None:
    with pytest.raises(SettingsError, match="give 1 or more"):
        Plan([(BREADTH_FIRST, {})], every=0)
