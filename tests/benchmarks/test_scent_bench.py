"""The bench of ``scent``: its figures by hand, its parts on a little web, and bad input."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.scent.comparing import harvests
from benchmarks.scent.cost import VSM, crawl_seconds
from benchmarks.scent.grids import LIGHT, ORACLE, SCENT, SLOW, choosing, drawn
from benchmarks.scent.harvest_parts import of_draws
from benchmarks.scent.run import main
from benchmarks.scent.standings import lead, rows

from sample.sample_once import few_labels, sample_web, write_files
from scenthound.crawler.caches import CacheChoice
from scenthound.crawler.metrics import Indicators
from scenthound.evaluation.grid import read_web
from scenthound.evaluation.outcomes import Cell, Outcome, Unit
from scenthound.evaluation.statistics import Interval, Topic

TOPICS = A, B, C = tuple(Topic("web", name) for name in "abc")


def unit(topic: str, draw: int = 0) -> Unit:
    return Unit("web", topic, "given", draw)


def outcome(
    strategy: str, topic: str, harvest: float, draw: int = 0, seeds: str = "given"
) -> Outcome:
    final = Indicators(10, 5, 0.5, 0.5, 0.5, 0.1, 0.1, 4, harvest, 2 * harvest)
    return Outcome(Cell("web", topic, strategy, seeds, draw), final=final)


def everywhere(**figures: float) -> list[Outcome]:
    """The same harvest on every topic and draw, by strategy."""
    return [
        outcome(name.replace("_", "-"), topic, value, draw)
        for name, value in figures.items()
        for topic in "abc"
        for draw in (0, 1)
    ]


def test_a_lead_is_ours_less_theirs_with_topics_counted_once() -> None:
    ours = {unit("a", 0): 0.5, unit("a", 1): 0.3, unit("b"): 0.2, unit("c", 7): 0.9}
    theirs = {unit("a", 0): 0.1, unit("a", 1): 0.1, unit("b"): 0.3}
    found = lead(ours, theirs)
    assert found is not None and found.mean == pytest.approx((0.3 - 0.1) / 2)
    assert found.over_topics == Interval(-0.1, 0.3)  # of two values it is these two
    assert found.over_pairs is not None and -0.1 <= found.over_pairs.low < found.over_pairs.high


def test_rows_are_best_first_and_draws_have_their_bars() -> None:
    made = rows(harvests(everywhere(vsm=0.1, oracle=0.4, scent=0.3)))
    assert [row.strategy for row in made] == [ORACLE, SCENT, "vsm"]
    assert [row.mean for row in made] == pytest.approx([0.4, 0.3, 0.1])
    assert [row.of_oracle for row in made] == pytest.approx([1.0, 0.75, 0.25])
    assert made[2].leads[SCENT].over_topics == pytest.approx((0.2, 0.2))
    assert SCENT not in made[1].leads and LIGHT not in made[2].leads
    assert rows(harvests(everywhere(vsm=0.1)))[0].of_oracle is None
    lines = of_draws(everywhere(scent=0.38, oracle=0.4, vsm=0.1))
    assert "scent / oracle: 0.95 (bar: 0.90)" in lines
    assert lines[-1].endswith("over pairs: none") and not any("light /" in each for each in lines)


@pytest.fixture(scope="module")
def webs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample web in place of the schools, with one topic and few labelled pages."""
    webs = tmp_path_factory.mktemp("webs")
    write_files(few_labels(sample_web(0)), webs / "schools")
    return webs


def test_a_part_from_end_to_end_and_bad_input_in_one_sentence(
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
    options = ["--out", str(tmp_path / "out"), "--only", "draws", "--quick"]
    for wrong in (["--webs", str(tmp_path)], ["--webs", str(webs), "--draws", "0"]):
        assert main([*options, *wrong]) == 2
        assert capsys.readouterr().err.splitlines()[-1].startswith("bench-scent: ")


def test_the_grids_and_the_processor_time_of_crawls(webs: Path, tmp_path: Path) -> None:
    folder, none = webs / "schools", CacheChoice("none")
    topics = [str(folder / "topics" / "*.toml")]
    web = read_web(folder / "schools.warc.gz", topics, folder / "labels.tsv")
    every, quick = (drawn(web, none, 2, each, lambda _: None) for each in (False, True))
    left_out = {each.label for each in every.contenders} - {x.label for x in quick.contenders}
    assert {*SLOW, "olmoaco"} <= left_out and "sentences" not in left_out
    assert (quick.contenders[1].label, quick.baseline) == (LIGHT, SCENT)
    assert quick.options.draws == 2
    assert len(choosing(web, none).contenders) == 12
    found = crawl_seconds(webs, CacheChoice(str(tmp_path)), [VSM, LIGHT], reads_once=True)
    assert list(found) == [VSM, LIGHT] and min(found.values()) > 0.0
