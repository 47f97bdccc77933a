"""The smaller benches are programs too: what they compare is right, what they print, bad input."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest
from benchmarks.dashboard import asked, write_crawl
from benchmarks.live.campus_server import campus_proxy, pages_as_http
from benchmarks.live.compare import plain
from benchmarks.live.figures import TOPIC
from benchmarks.pairwise_library import agree, pairwise_library
from benchmarks.reporting import reported
from benchmarks.simulated_topics import EQUAL, HARVEST, NORMAL, SKEWED
from benchmarks.variants import variants

from benchmarks import coverage, run, sharing
from sample.sample_once import few_labels, sample_web, write_files
from scenthound.sample.responses import Response, make_response
from scenthound.sample.web import SampleWeb, write_warc
from scenthound.similarity.topic_file import read_topic
from scenthound.similarity.word_similarity import TaxonomySimilarity
from similarity.farm import farm


def test_the_library_agrees_where_there_is_one_way_up() -> None:
    taxonomy = farm()
    wu_palmer, lin = TaxonomySimilarity(taxonomy, "wu-palmer"), TaxonomySimilarity(taxonomy, "lin")
    with pairwise_library(taxonomy, ["stone", "goat", "horse", "singer"]) as library:
        assert library.wu_palmer("stone", "goat") == pytest.approx(4 / 7)  # 3 edges, depth 2
        assert library.wu_palmer("singer", "goat") == pytest.approx(2 / 7)  # 5 edges, depth 1
        assert library.lin("horse", "goat") == pytest.approx(0.25)  # animal has 1/4, leaves 1
        for first, second in (("stone", "goat"), ("singer", "goat"), ("horse", "goat")):
            place = taxonomy.index[second]
            assert agree(library.wu_palmer(first, second), wu_palmer.to_all(first)[place])
            assert agree(library.lin(first, second), lin.to_all(first)[place])


def test_variants_change_one_thing_each() -> None:
    names = Counter(each.name for each in variants())
    assert set(names.values()) == {1}
    assert {"ssrm", "ssvsm", "soft-svsm"} <= set(names)
    for each in variants():
        assert len(each.spec.check(each.parameters)) <= 1


def test_help_and_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        run.main(["--help"])
    printed = "".join(capsys.readouterr().out.split())  # lines break at hyphens too
    assert all(name in printed for name in run.sections(Path(), [1]))
    assert run.main(["--webs", str(tmp_path), "--only", "variants"]) == 2
    assert "topics" in capsys.readouterr().err


def test_the_bench_of_intervals_is_true_documented_and_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    how_to = Path(__file__).parents[2] / "docs" / "howto"
    page = (how_to / "comparison-statistics.md").read_text(encoding="utf-8")
    for kind in (NORMAL, HARVEST, EQUAL, SKEWED):
        (values,) = kind.samples(100_000, 1)
        assert fmean(values) == pytest.approx(kind.truth, abs=0.01)
    by_topic, by_draw = coverage.held_over_draws(6, 10, 30)
    assert by_draw < 0.8 < by_topic  # draws taken for topics promise too much
    assert "python -m benchmarks.coverage" in page
    assert all(f"\n| {topics} | {kind.name} | 0." in page for topics, kind in coverage.HELD)
    assert all(f"\n| {topics} | 0." in page for topics in coverage.TOPICS_PER_COMPARISON)
    assert coverage.main(["--rounds", "1"]) == 0
    printed = capsys.readouterr().out
    rows = [line.split(" | ") for line in printed.splitlines() if re.match(r"\| \d", line)]
    assert [len(row) for row in rows] == [5] * len(coverage.HELD) + [6] * len(
        coverage.TOPICS_PER_COMPARISON
    )
    assert "6 topics of 10 draws" in printed and "30 strategies as good as the baseline" in printed
    assert "0.0625 |" in printed and "0.0312 |" in printed  # 2/32, 2/64


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="bytes are counted in /proc")


@on_linux
def test_what_the_dashboard_reads_and_a_report_costs(tmp_path: Path) -> None:
    sizes = (2_000, 6_000)
    short, long = (_kilobytes(tmp_path / str(pages), pages) for pages in sizes)
    assert list(short) == [
        "first view", "curve", "page table", "search in vain", "update of 5 pages",
        "one page by its number",
    ]  # fmt: skip
    for name in ("first view", "curve", "page table", "update of 5 pages"):
        assert long[name] == pytest.approx(short[name], rel=0.1)
    assert long["one page by its number"] < 100
    write_crawl(tmp_path / "c", 30)
    seconds, size, peak = reported(tmp_path / "c")
    report = tmp_path / "c" / "report.html"
    assert size == report.stat().st_size and "30 pages" in report.read_text(encoding="utf-8")
    assert seconds > 0 and peak > 10


def _kilobytes(folder: Path, pages: int) -> dict[str, float]:
    write_crawl(folder, pages)
    costs, peak = asked(folder, pages)
    assert peak > 0
    return {cost.name: cost.kilobytes for cost in costs}


def test_what_the_bench_of_shared_reading_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schools = write_files(few_labels(sample_web()), tmp_path / "webs" / "schools")
    sharing.sharing(schools, ("vsm", "shark"))
    alone, cold, warm, kept = capsys.readouterr().out.splitlines()
    assert alone.startswith("2 runs, 48 pages fetched") and "s as commands" in alone
    assert "cold cache" in cold and "as commands (bar: 3)" in cold
    assert cold.endswith("times as one process; 0 runs differ")
    assert "warm cache" in warm and warm.endswith("0 runs differ")
    assert kept.startswith("kept: ") and kept.endswith("kB a page")
    assert sharing.main(["--webs", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("bench: ")


SEEDS = read_topic(TOPIC).seeds
SIZE = 40


def star() -> list[Response]:
    """The first seed links to some pages; in the archive they are all ``https``."""
    home = SEEDS[0].replace("http://", "https://")
    urls = [f"{home}page/{number}" for number in range(SIZE)]
    items = "".join(f'<p><a href="{url}">research {url[-1]}</a>' for url in urls)
    pages = [make_response(url, f"<p>Statistics, number {n}.") for n, url in enumerate(urls)]
    return [make_response(home, f"<title>Home</title>{items}"), *pages]


def test_pages_are_served_as_http_and_plain_crawlers_stop_at_their_number(tmp_path: Path) -> None:
    archive = tmp_path / "star.warc.gz"
    write_warc(SampleWeb(0, {page.url: page for page in star()}, (), {}), archive)
    pages = pages_as_http(archive)
    home = pages[SEEDS[0]]
    assert len(pages) == SIZE + 1
    assert b"https" not in home.body and b"http://" in home.body
    assert home.header("Content-Length") == str(len(home.body))
    with campus_proxy(archive) as proxy:
        for module, options in (("bare_aiohttp", ()), ("plain_scrapy", ("--robots",))):
            figures = plain(module, proxy, 30, *options)
            assert figures.pages == 30 < figures.requests
            assert figures.seconds > 0 and figures.cpu_seconds > 0
