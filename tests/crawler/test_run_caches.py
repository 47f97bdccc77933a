"""Whatever reading depends on, its version tells: what another program kept is not found."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

import numpy as np
import pytest

import scenthound
from core.dictionary_rows import DictionaryRows as Rows
from crawler.test_replay import Spy, ring, texts
from crawler.warning_recording import recorded_warnings
from crawler.web_building import Field, Plant, at, moved, page
from scenthound.core.cache import LruCache
from scenthound.core.command_options import cache_bytes
from scenthound.core.errors import SettingsError
from scenthound.core.model import Document, Link, Page, Topic
from scenthound.crawler import caches
from scenthound.crawler.metrics import Labels, Result
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.sample.web import SampleWeb, build, write_warc
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.archived_pages import (
    ArchivedPages,
    CachedPages,
    PageSource,
    ReadPage,
    page_from_row,
    page_to_row,
    size_of,
)
from scenthound.storage.cache import FILE
from scenthound.storage.cache_database import DEFAULT_LIMIT
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategySpec

ROOT = Path(scenthound.__file__).parent
READERS = ("storage/pages.py", "text/analyzer.py")
"""What turns a response into a page, and a text into terms."""
PACKAGES = {"core", "storage", "text"}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def reached() -> dict[Path, list[str]]:
    """Our modules that the readers lead to, and what each imports."""
    found: dict[Path, list[str]] = {}
    waiting = [ROOT / name for name in READERS]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = list(imported(path))
        for name in found[path]:
            parts = name.split(".")[1:] if name.startswith("scenthound.") else []
            ways = (ROOT.joinpath(*parts[:end]) for end in range(1, len(parts) + 1))
            files = (each for way in ways for each in (way.with_suffix(".py"), way / "__init__.py"))
            waiting += [file for file in files if file.is_file()]
    return found


def test_every_package_and_library_that_reads_counts() -> None:
    packages = {path.relative_to(ROOT).parts[0] for path in reached()}
    assert packages == set(caches._PACKAGES) == PACKAGES
    names = {name.partition(".")[0] for names in reached().values() for name in names}
    # storage/files.py also writes Parquet, and reads no page with it.
    outside = names - sys.stdlib_module_names - {"scenthound", "pyarrow"}
    owners = packages_distributions()
    needed = {owners[name][0].lower() for name in outside}
    assert (
        {"w3lib", "selectolax", "numpy"} <= needed <= {each.lower() for each in caches._LIBRARIES}
    )


def test_libraries_and_sources_make_a_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def gone(library: str) -> str:
        raise PackageNotFoundError(library)

    others: list[tuple[str, object]] = [
        ("version", gone),
        ("version", lambda library: "9.9" if library == "w3lib" else version(library)),
        ("_SOURCE", "another"),
        ("python_version", lambda: "3.99.1"),
    ]
    before = caches.reading_version.__wrapped__()
    assert before == caches.reading_version() and len(before) == 32
    for name, other in others:
        with monkeypatch.context() as patch:
            patch.setattr(caches, name, other)
            assert caches.reading_version.__wrapped__() != before
    for package in PACKAGES | {"cli"}:
        (tmp_path / package / "deeper").mkdir(parents=True)
        (tmp_path / package / "one.py").write_text("1")
        (tmp_path / package / "deeper" / "two.py").write_text("2")
    for package in sorted(PACKAGES):
        for file in ("one.py", "deeper/two.py", "new.py"):
            before = caches.source_digest(tmp_path)
            (tmp_path / package / file).write_text("3")
            assert caches.source_digest(tmp_path) != before
    before = caches.source_digest(tmp_path)
    for file in ("cli/one.py", "text/one.pyc"):
        (tmp_path / file).write_text("4")
    assert caches.source_digest(tmp_path) == before


# Which vector cache a run uses.


def test_the_default_choice_what_is_stored_and_what_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert caches.CacheChoice().path == tmp_path / "scenthound"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert caches.CacheChoice().path == Path("/home/somebody/.cache/scenthound")
    assert caches.CacheChoice().limit == DEFAULT_LIMIT == cache_bytes("2GB")
    monkeypatch.chdir(tmp_path)
    for choice in (
        caches.CacheChoice(),
        caches.CacheChoice("none", 3_000_000),
        caches.CacheChoice(str(tmp_path)),
    ):
        assert caches.CacheChoice.from_json(choice.to_json()) == choice
    kept = caches.CacheChoice("here").to_json()
    monkeypatch.chdir("/")
    assert caches.CacheChoice.from_json(kept).path == tmp_path / "here"
    assert caches.CacheChoice.from_json({}) == caches.CacheChoice()
    first = caches.CacheChoice().changed(tmp_path, "5MB")
    assert (first.path, first.limit) == (tmp_path, 5_000_000)
    assert first.changed(None, None) == first
    assert first.changed(" None ", None).path is None
    assert first.changed(None, 7_000_000) == caches.CacheChoice(str(tmp_path), 7_000_000)
    cases: list[tuple[str | None, str | None, str]] = [
        (None, "abc", "'abc' is no size for a cache; give one such as 500MB, 2GB or 1.5GiB."),
        (None, "2", 'a cache of 2 bytes is too small; give 1MB or more, or the folder "none"'),
        (" ", None, "cache takes the path of a folder"),
    ]
    for folder, limit, message in cases:
        with pytest.raises(SettingsError) as caught:
            caches.cache_choice(folder, limit)
        assert message in str(caught.value)


def test_equipment_ends_with_the_run_and_warns_once(tmp_path: Path, warned: list[str]) -> None:
    with caches.open_equipment(caches.CacheChoice("none")) as equipment:
        assert equipment.cache is None
    log = tmp_path / "c" / f"{FILE}-wal"
    with caches.open_equipment(caches.CacheChoice(str(tmp_path / "c"), 5_000_000)) as equipment:
        assert not (tmp_path / "c").exists()
        assert equipment.cache is not None
        equipment.cache.keep("m", {b"k" * 16: np.ones(3, dtype=np.float16)})
        assert log.exists()
    assert not log.exists()
    (tmp_path / "f").touch()
    with (
        pytest.raises(SettingsError, match='is no folder; give another, or "none" for none'),
        caches.open_equipment(caches.CacheChoice(str(tmp_path / "f"))),
    ):
        raise AssertionError("it was taken")
    with caches.open_equipment(caches.CacheChoice("none")) as equipment:
        for message in ("a", "b", "a"):
            equipment.warn(message)
    assert warned == ["a", "b"]


# A run that shares what it reads is the run that reads by itself, to the last digit.

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
    reading: caches.ReadingCache | None,
    strategies: Sequence[StrategySpec],
    labels: Labels | None = None,
) -> list[dict[str, object]]:
    plan = ReplayPlan(
        [(spec, {}) for spec in strategies], labels, budget="8", reading=reading, every=3
    )
    with recorded_warnings():
        return [reported(run_job(archive, job)) for job in plan.jobs(archive, topics)]


def reported(result: Result) -> dict[str, object]:
    """The whole result of a run, but for its costs."""
    costs = dict.fromkeys(("seconds", "pages_per_second", "peak_rss_mb"))
    return result.to_json() | {"exactly": (result.final, result.checkpoints)} | costs


def shared(folder: Path | str) -> caches.CacheChoice:
    return caches.CacheChoice(str(folder))


@pytest.mark.parametrize("strategy", ["soft-svsm", "sentences-light"])
def test_the_runs_are_the_same(
    sample: SampleWeb, archive: Archive, tmp_path: Path, strategy: str
) -> None:
    topics, specs, labels = topics_of(sample), [CATALOGUE[strategy]], labels_of(sample)
    alone = runs(archive, topics, None, specs, labels)
    with caches.open_reading_cache(shared("none")) as reading:
        assert runs(archive, topics, reading, specs, labels) == alone
    with caches.open_reading_cache(shared(tmp_path)) as reading:  # the last topic first
        assert runs(archive, topics[::-1], reading, specs, labels) == alone[::-1]
    with caches.open_reading_cache(shared(tmp_path)) as reading:
        assert runs(archive, topics, reading, specs, labels) == alone


def test_pages_are_read_once(
    sample: SampleWeb, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics, specs = topics_of(sample)[:1], [CATALOGUE["vsm"], CATALOGUE["shark"]]
    with caches.open_reading_cache(shared(tmp_path)) as reading:
        found = runs(archive, topics, reading, specs)
    kept = caches.cache_report(tmp_path)
    orders = [each["order"] for each in found]
    fetched = {url for order in orders if isinstance(order, list) for url in order}
    assert len(fetched) <= kept.pages <= len(fetched) + 10  # and redirects

    def unread(*_: object, **__: object) -> None:
        raise AssertionError("it is read again")

    monkeypatch.setattr("scenthound.storage.archived_pages.read_page", unread)
    with caches.open_reading_cache(shared(tmp_path)) as reading:
        assert runs(archive, topics, reading, specs) == found


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
        with caches.open_reading_cache(shared(cache)) as reading:
            plan = replace(job.plan, reading=reading if turn else None)
            result = run_job(web.archive, replace(job, plan=plan))
        assert (result.fetched, result.missing, result.failed) == (4, 1, 2)
        journals.append((job.out / "journal.jsonl").read_bytes())
    assert journals[0] == journals[1] == journals[2]


def test_a_folder_that_cannot_be_made_is_reported_at_once(
    tmp_path: Path, warned: list[str]
) -> None:
    (tmp_path / "file").touch()
    with caches.open_reading_cache(shared(tmp_path / "file" / "c")):
        assert len(warned) == 1 and "goes on without it" in warned[0]
    assert len(warned) == 1


def test_a_strategy_finds_no_page_in_what_is_shared(plant: Plant, tmp_path: Path) -> None:
    """It may come upon words that others have read, but on no text and on no address."""
    web: Field = plant(*ring())
    with caches.open_reading_cache(shared(tmp_path)) as reading:
        first = web.job("vsm", seeds=["/0"])
        run_job(web.archive, replace(first, plan=replace(first.plan, reading=reading)))
        spy = Spy()
        job = web.job(spy.spec(), seeds=["/0"], budget="1")
        run_job(web.archive, replace(job, plan=replace(job.plan, reading=reading)))
    reached = texts(*spy.handed)
    assert "storm secret0" in reached and at("/onlyfrom0") in reached
    assert "storm secret3" not in reached and at("/onlyfrom3") not in reached


def test_indicators_after_so_many_pages(plant: Plant) -> None:
    web = plant(page("/", "/a", "/b"), page("/a"), page("/b"))
    topic = Topic("storms", ("storm",), (at("/"),))
    for every, fetched in ((1, [1, 2, 3]), (2, [2, 3]), (100, [3])):
        (job,) = ReplayPlan([(BREADTH_FIRST, {})], every=every).jobs(web.archive, [topic])
        assert [row.fetched for row in run_job(web.archive, job).checkpoints] == fetched
    with pytest.raises(SettingsError, match="give 1 or more"):
        ReplayPlan([(BREADTH_FIRST, {})], every=0)


# Pages that are kept are those that would be read, and nothing is kept of what is not there.

FULL = ReadPage(
    Page(
        at("/ü"),
        203,
        Document("Ti\ntle", "text 雨\n\x00", "", {"body": "text", "empty": ""}, language="de"),
        (Link(at("/a"), "anchor", "con\ntext", frozenset({"nofollow", "me"})), Link(at("/b"))),
        {"media": (7, ("a.png", "b.png"))},
        follow=False,
        size=70,
        problem="cut",
        index=False,
        canonical=at("/c"),
    )
)
PLAIN = ReadPage(Page(at("/"), 200, Document()))
MOVED = ReadPage(Page(at("/"), 301, Document(), size=5, problem="status 301"), at("/to"))


class Counting:
    """A source that counts what is read from it."""

    def __init__(self, source: PageSource) -> None:
        self._source = source
        self.read_urls: list[str] = []

    def read(self, url: str) -> ReadPage | None:
        self.read_urls.append(url)
        return self._source.read(url)


def cached(
    source: PageSource, rows: Rows | None, limit: int = 10**6, version: str = "1"
) -> CachedPages:
    return CachedPages(source, version, LruCache(limit, size_of), rows)


def test_a_row_is_the_whole_page_and_what_is_no_row_is_no_page() -> None:
    for read in (FULL, PLAIN, MOVED):
        row = page_to_row(read)
        assert row is not None and page_from_row(row) == read
    row = page_to_row(FULL)
    assert row is not None
    damaged = (row.replace(b'"status":', b'"state":'), row.replace(b'"size":70', b'"size":"x"'))
    for each in (b"", b"{}\n", b"[]", row[:-1], row + b"x", b"\xff" * 50, *damaged):
        assert each != row and page_from_row(each) is None
    assert page_to_row(ReadPage(Page(at("/"), 200, Document("\ud800")))) is None


def test_each_page_is_read_once_in_a_process_and_in_the_next(plant: Plant) -> None:
    archive = plant(page("/", "/old"), moved("/old", "/new"), page("/new", status=404)).archive
    rows = Rows()
    plain, source = ArchivedPages(archive), Counting(ArchivedPages(archive))
    urls = [at(path) for path in ("/", "/old", "/new")]
    for pages in (cached(source, rows), cached(source, rows), cached(source, None)):
        for url in [*urls, *urls]:
            assert pages.read(url) == plain.read(url) is not None
    assert source.read_urls == [*urls, *urls]  # the second time for the one without rows
    assert len(rows.kept) == 3


def test_what_is_not_there_is_not_kept_and_a_damaged_row_is_read_again(plant: Plant) -> None:
    archive, rows = plant(page("/", text="storm")).archive, Rows()
    source = Counting(ArchivedPages(archive))
    for pages in (cached(source, rows), cached(source, rows)):
        assert pages.read(at("/gone")) is None
    assert not rows.kept
    first = cached(ArchivedPages(archive), rows).read(at("/"))
    rows.kept = dict.fromkeys(rows.kept, b"no row")
    assert cached(ArchivedPages(archive), rows).read(at("/")) == first
    assert rows.kept != dict.fromkeys(rows.kept, b"no row")
