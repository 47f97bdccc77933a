"""The bench of ``scent``: its parts on a little web, its grids, and what it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.scent.cost import VSM, crawl_seconds
from benchmarks.scent.grids import LIGHT, SCENT, SLOW, choosing, drawn
from benchmarks.scent.run import main

from sample.sample_once import few_labels, sample_web, write_files
from scenthound.crawler.caches import CacheChoice
from scenthound.evaluation.grid import read_web


@pytest.fixture(scope="module")
def webs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample web in place of the schools, with one topic and few labelled pages."""
    webs = tmp_path_factory.mktemp("webs")
    write_files(few_labels(sample_web(0)), webs / "schools")
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
    assert (quick.contenders[1].label, quick.baseline) == (LIGHT, SCENT)
    assert quick.options.draws == 2
    assert len(choosing(web, none).contenders) == 12


def test_bad_input_is_one_sentence(
    webs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--out", str(tmp_path / "out"), "--only", "draws", "--quick"]
    for given in (["--webs", str(tmp_path)], ["--webs", str(webs), "--draws", "0"]):
        assert main([*options, *given]) == 2
        assert capsys.readouterr().err.splitlines()[-1].startswith("bench-scent: ")
