"""The bench of ``scent``: its parts on a little web, its grids, and what it is asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.scent.cost import VSM, crawl_seconds
from benchmarks.scent.grids import LIGHT, SCENT, SLOW, choosing, drawn
from benchmarks.scent.run import main

from sample.sample_once import sample_web
from scenthound.crawler.caches import CacheChoice
from scenthound.evaluation.grid import read_web
from scenthound.sample.web import write_labels, write_topics, write_warc


@pytest.fixture(scope="module")
def webs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample web in place of the schools, with one topic and few labelled pages."""
    webs, web = tmp_path_factory.mktemp("webs"), sample_web(0)
    (webs / "schools").mkdir()
    labels = [pair for pair in web.labels.items() if pair[1] == web.topics[0].name]
    web = replace(web, topics=web.topics[:1], labels=dict(labels[:12]))
    write_warc(web, webs / "schools" / "schools.warc.gz")
    write_topics(web, webs / "schools" / "topics")
    write_labels(web, webs / "schools" / "labels.tsv")
    return webs


def test_a_part_from_end_to_end(
    webs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--webs", str(webs), "--out", str(tmp_path), "--only", "off-topic", "--workers", "1"]
    assert main(given) == 0
    first = capsys.readouterr()
    assert first.out.startswith("## off-topic\n\nMiniLM is not there")
    assert "scent from irrelevant seeds / from relevant ones: " in first.out
    assert first.err.startswith("12 runs, 0 of them finished before; 1 at once")
    assert main(given) == 0
    second = capsys.readouterr()
    assert second.out == first.out and second.err.startswith("12 runs, 12 of them finished")


def test_processor_time_of_crawls(webs: Path, tmp_path: Path) -> None:
    found = crawl_seconds(webs, CacheChoice(str(tmp_path)), [VSM, LIGHT], reads_once=True)
    assert list(found) == [VSM, LIGHT] and min(found.values()) > 0.0


def test_the_grids(webs: Path) -> None:
    folder, none = webs / "schools", CacheChoice("none")
    topics = [str(folder / "topics" / "*.toml")]
    web = read_web(folder / "schools.warc.gz", topics, folder / "labels.tsv")
    every, quick = (drawn(web, none, 2, each, lambda _: None) for each in (False, True))
    left_out = {each.label for each in every.contenders} - {x.label for x in quick.contenders}
    assert {*SLOW, "olmoaco"} <= left_out and "sentences" not in left_out
    assert (
        quick.contenders[1].label == LIGHT and quick.baseline == SCENT and quick.options.draws == 2
    )
    assert len(choosing(web, none).contenders) == 12


def test_bad_input_is_one_sentence(
    webs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ([], ["--draws", "0"]):
        folder = webs if more else tmp_path
        given = [
            "--webs",
            str(folder),
            "--out",
            str(tmp_path / "out"),
            "--only",
            "draws",
            "--quick",
        ]
        assert main([*given, *more]) == 2
        assert capsys.readouterr().err.splitlines()[-1].startswith("bench-scent: ")
