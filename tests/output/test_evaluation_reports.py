"""Reports of comparisons and of tunings, and the plots in them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scenthound
from evaluation.outcomes_made import by_topic, failed, indicators, ran
from evaluation.tuning_values import searched, tuning
from output.report_making import STARTED, Parsed, crawl_folder, page, read
from scenthound.core.errors import FolderError
from scenthound.evaluation.comparison_folder import run_name
from scenthound.evaluation.outcomes import IRRELEVANT, RELEVANT, Outcome, measure_named
from scenthound.evaluation.results import Comparison, read_comparison, write_results
from scenthound.evaluation.standings import compare_with
from scenthound.evaluation.tuning_result import Tuning
from scenthound.output.plots.comparison import BUDGET_SHARE, axis_of, mean_points, runs_of
from scenthound.output.plots.curves import (
    PAGES,
    Bar,
    Curve,
    bars_figure,
    curves_figure,
    spread_labels,
)
from scenthound.output.plots.figure import dash, to_svg
from scenthound.output.report.comparison import comparison_document
from scenthound.output.report.document import escape_invisible, shorten, web_url
from scenthound.output.report.file import inline_svg
from scenthound.output.report.tuning import StoredTuning, read_tunings, repeat_blocks
from scenthound.storage.folder import FolderLock

pytestmark = pytest.mark.usefixtures("undrawn")


def curved(outcome: Outcome, budget: int = 100) -> Outcome:
    """With a checkpoint at each fifth of the budget; harvest falls to its value."""
    assert outcome.final is not None
    end = outcome.final.hr
    steps = [(budget * part // 5, end + (5 - part) * 0.05) for part in range(1, 6)]
    rows = tuple(indicators(harvest, pages) for pages, harvest in steps)
    return replace(outcome, budget=budget, fetched=budget, checkpoints=rows, final=rows[-1])


def folder_of(
    path: Path,
    outcomes: Sequence[Outcome],
    finished: bool = True,
    baseline: str = "bf",
    planned: int | None = None,
    **rules: object,
) -> Path:
    path.mkdir()
    grid = {"baseline": baseline, "strategies": ["bf"], "web": [], **rules}
    versions = {"scenthound": "0.1.0"}
    comparison = Comparison(grid, tuple(outcomes), finished, versions, planned=planned)
    write_results(path, comparison, tables=False)
    return path


def six(**harvests: float) -> list[Outcome]:
    steps = (0.00, 0.01, -0.01, 0.02, 0.005, -0.005)
    made = by_topic({name: [value + s for s in steps] for name, value in harvests.items()})
    return [curved(outcome) for outcome in made]


@pytest.mark.usefixtures("drawn")
def test_means_verdicts_wins_and_curves(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "c", six(bf=0.1, vsm=0.3, same=0.1, bad=0.02))
    path = scenthound.report(folder)
    text = read(path).text
    assert path == folder / "report.html" and "4 strategies on 6 topics" in text
    assert "better" in text and "worse" in text and "no difference" in text and "6-0-0" in text
    names = {each.stem for each in (folder / "report").iterdir()}
    assert {"means", "differences", "curve-labelled-harvest", "curve-rn", "topics"} <= names
    rows = (folder / "report" / "differences.csv").read_text(encoding="utf-8-sig").splitlines()
    assert rows[0] == "strategy,mean,low,high,verdict" and rows[1].startswith("vsm,0.2,")
    assert "scenthound compare --grid" in text and "Run with scenthound 0.1.0." in text


def test_keywords_only_is_reported_and_another_baseline_and_measure(tmp_path: Path) -> None:
    for number, baseline in enumerate([None, "vsm"]):
        for keywords_only in (True, False):
            path = tmp_path / f"{number}-{keywords_only}"
            folder = folder_of(path, six(bf=0.1, vsm=0.3), keywords_only=keywords_only)
            text = read(scenthound.report(folder, baseline=baseline, files=False)).text
            reported = "Keywords only: no run knew example pages" in text
            assert reported is keywords_only is ("keywords_only = true" in text)
    folder = folder_of(tmp_path / "c", six(bf=0.1, vsm=0.3))
    text = read(scenthound.report(folder, baseline="vsm", measure="hr", files=False)).text
    assert "less vsm" in text and "Difference to vsm in HR" in text
    for wrong in ({"baseline": "vsn"}, {"measure": "harvest"}):
        with pytest.raises(scenthound.InputError, match="unknown"):
            scenthound.report(folder, **wrong)  # type: ignore[arg-type]


def test_thirty_one_strategies_stay_readable(tmp_path: Path) -> None:
    harvests = {"bf": 0.1, **{f"s{n:02}": 0.1 + n / 100 for n in range(30)}}
    folder = folder_of(tmp_path / "c", six(**harvests))
    text = read(scenthound.report(folder, files=False)).text
    assert "the others are thin lines" in text and all(name in text for name in harvests)
    (plot,) = (p for p in comparison_document(folder, None, None).plots if p.name == "curve-hr")
    picture = to_svg(plot.draw()).decode()
    labels = [name for name in harvests if f">{name}</text>" in picture]
    assert labels == ["bf", *(f"s{n}" for n in range(23, 30))]


def report_of(path: Path, outcomes: Sequence[Outcome], **given: Any) -> Parsed:
    """The report of a comparison with these outcomes."""
    return read(scenthound.report(folder_of(path, outcomes, **given), files=False))


def test_what_a_reader_must_know_of_the_runs_is_reported(tmp_path: Path) -> None:
    one_topic = [curved(ran("bf", "t", 0.1)), curved(ran("vsm", "t", 0.4))]
    text = report_of(tmp_path / "one", one_topic).text
    assert "one topic only" in text and "too few draws to tell" in text
    pair = six(bf=0.1, vsm=0.3)
    tiny = [*pair, ran("bf", "tiny", 0.2), ran("vsm", "tiny", 0.4)]
    assert "one checkpoint only: tiny." in report_of(tmp_path / "tiny", tiny).text
    hostile = "<script>alert(1)</script>"
    parsed = report_of(tmp_path / "bad", [*pair, failed("vsm", hostile, f"it broke: {hostile}.")])
    assert "13 runs, 1 of them failed" in parsed.text and f"it broke: {hostile}." in parsed.text
    assert parsed.named("script") == []
    outcomes = [curved(ran("bf", "t", 0.1))]
    text = report_of(tmp_path / "a", outcomes, finished=False).text
    assert "1 strategy on 1 topic" in text and "1 run so far" in text
    text = report_of(tmp_path / "b", outcomes, finished=False, planned=21).text
    assert "1 strategy on 1 topic so far" in text and "broken off; 1 of 21 runs" in text
    assert "runs 1 of 21" in text
    text = report_of(tmp_path / "c", six(bf=0.1, vsm=0.3), planned=12).text
    assert "finished; 12 runs" in text and "of 12" not in text and "topics so far" not in text


def test_a_comparison_without_figures_is_shown_as_what_it_is(tmp_path: Path) -> None:
    for number, outcomes in enumerate([[], [failed("bf", "t"), failed("vsm", "t")]]):
        folder = folder_of(tmp_path / str(number), outcomes, finished=False)
        text = read(scenthound.report(folder, files=False)).text
        runs = f"{len(outcomes)} runs so far"
        assert f"not finished: broken off; {runs}" in text and "goes on with it" in text
        assert ("without a run so far" in text) is not bool(outcomes)
        with FolderLock(folder):
            again = read(scenthound.report(folder, files=False)).text
        assert f"not finished: under way; {runs}" in again


def test_both_p_values_and_how_many_differences_stand(tmp_path: Path) -> None:
    strategies = {f"s{n}": 0.2 + n / 50 for n in range(5)}
    folder = folder_of(tmp_path / "c", six(bf=0.1, **strategies))
    parsed = read(scenthound.report(folder, files=False))
    table = compare_with(read_comparison(folder).outcomes, "bf").tables[0]
    best = table.standings[0].difference
    assert best is not None and best.p is not None and best.p_holm is not None
    assert best.p < best.p_holm
    assert f"{best.p:.3f} {best.p_holm:.3f}" in parsed.text
    assert "0 of 5 differences stand when it counts that 5 were looked at" in parsed.text


def test_the_best_of_each_topic_has_a_star_and_a_mean_its_runs(tmp_path: Path) -> None:
    harvests = {("bf", "t"): 0.4, ("vsm", "t"): 0.2, ("bf", "u"): 0.3, ("vsm", "u"): 0.5}
    outcomes = [ran(*run, harvest) for run, harvest in harvests.items()]
    text = report_of(tmp_path / "c", outcomes).text
    table = text[text.index("by topic (* best)") :]
    assert "0.400 *" in table and "0.500 *" in table
    assert "0.200 *" not in table and "0.300 *" not in table
    short = curved(ran("bf", "u", 0.3), 200)
    outcomes = [curved(ran("bf", "t", 0.1), 1_000), short]
    text = report_of(tmp_path / "d", outcomes).text
    table = text[text.index("RN after so many pages") :].split("after so many pages")[1]
    head, row = table.split(" at the end ", 1)
    assert head.split()[-3:] == ["600", "800", "1,000"]
    assert "(1)" in row and "(2)" not in row
    assert row.split()[-1] != "(1)", "all runs have an end"


def test_crawls_that_were_kept_are_named(tmp_path: Path) -> None:
    outcomes = [ran("bf", "t", 0.1), ran("vsm", "t", 0.4)]
    folder = folder_of(tmp_path / "c", outcomes)
    assert "stored in" not in read(scenthound.report(folder, files=False)).text
    name = run_name(outcomes[1].cell)
    crawl_folder(folder / "crawls" / name, [STARTED, page(1)])
    text = read(scenthound.report(folder, files=False)).text
    assert f"1 crawl is stored in {folder}/crawls." in text
    assert f"scenthound report {folder}/crawls/{name}" in text


def test_seed_conditions_stand_apart(tmp_path: Path) -> None:
    outcomes = [
        curved(ran(name, f"t{n}", value, seeds=seeds))
        for seeds in (RELEVANT, IRRELEVANT)
        for name, value in (("bf", 0.1), ("vsm", 0.3))
        for n in range(5)
    ]
    parsed = report_of(tmp_path / "c", outcomes)
    text = parsed.text
    assert "Relevant seeds" in text and "Irrelevant seeds" in text and "All seeds together" in text
    names = {str(svg["aria-labelledby"]).split("-title")[0] for svg in parsed.named("svg")}
    assert {"relevant-means", "irrelevant-means", "all-means", "relevant-curve-hr"} <= names
    assert "all-curve-hr" not in names


def test_mean_curves() -> None:
    small, large = curved(ran("a", "t", 0.1), 100), curved(ran("a", "u", 0.3), 200)
    assert axis_of([small]) == PAGES and axis_of([small, large]) == BUDGET_SHARE
    hr = measure_named("hr")
    points = mean_points(runs_of([small, large], hr, BUDGET_SHARE))
    assert [at for at, _ in points] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert [value for _, value in points] == pytest.approx([0.4, 0.35, 0.3, 0.25, 0.2])
    twice = [curved(ran("a", "t", value, draw=draw)) for draw, value in enumerate((0.1, 0.3))]
    short = replace(
        curved(ran("a", "u", 0.5)), checkpoints=curved(ran("a", "u", 0.5)).checkpoints[:3]
    )
    points = mean_points(runs_of([*twice, short], measure_named("hr"), PAGES))
    assert points[-1] == pytest.approx((60.0, ((0.2 + 0.1) + (0.5 + 0.1)) / 2))
    assert mean_points([]) == ()


# Plots inside a page: they follow its colours, and no two share an id.


HOSTILE = '</svg><script>alert(1)</script> $x$ --> 3.14159 id="q"'
CURVES = [
    Curve("vsm", ((0.0, 0.1), (100.0, 0.2)), 0),
    Curve(HOSTILE[:24], ((0.0, 0.1), (100.0, 0.21)), 1),
    Curve("behind", ((0.0, 0.4), (100.0, 0.3)), None),
    Curve("empty", (), 2),
]


def svg_of(name: str = "harvest") -> str:
    return str(inline_svg(to_svg(curves_figure(CURVES, "harvest")), name, HOSTILE, HOSTILE))


def test_colours_are_the_page_s_ids_the_plot_s_and_names_text() -> None:
    svg = svg_of()
    assert "var(--series-1)" in svg and "var(--ink)" not in svg.split("<desc")[0]
    assert "var(--others)" in svg and "var(--paper)" in svg
    left = {found.lower() for found in re.findall(r"(?<!&)#[0-9a-f]{6}\b", svg)}
    assert left == set()
    first, second = Parsed(svg_of("a")), Parsed(svg_of("b"))
    ids = [[tag["id"] for _, tag in each.tags if tag.get("id")] for each in (first, second)]
    assert len(set(ids[0])) == len(ids[0]) and not set(ids[0]) & set(ids[1])
    referred = re.findall(r"(?:href=\"#|url\(#)([^\")]+)", svg_of("a"))
    assert referred and set(referred) <= set(ids[0])
    parsed = Parsed(svg_of())
    assert [tag for tag, _ in parsed.tags if tag in ("script", "style", "metadata")] == []
    assert HOSTILE in parsed.text and "3.14159" in parsed.text
    assert {"title", "desc"} <= {tag for tag, _ in parsed.tags}
    tag = parsed.named("svg")[0]
    assert tag["role"] == "img" and tag["aria-labelledby"] == "harvest-title harvest-desc"


def test_curves_are_told_apart_without_colour_and_give_the_same_bytes() -> None:
    many = [Curve(f"s{n}", ((0.0, n), (9.0, n + 1.0)), n) for n in range(8)]
    axes = curves_figure(many, "x").axes[0]
    assert len({line.get_marker() for line in axes.lines}) == 8
    assert len({str(dash(n)) for n in range(8)}) == 4
    assert [text.get_text() for text in axes.texts] == [f"s{n}" for n in range(8)]
    assert to_svg(curves_figure(CURVES, "x")) == to_svg(curves_figure(CURVES, "x"))
    assert b"dc:date" not in to_svg(curves_figure(CURVES, "x"))
    assert curves_figure([], "x").axes[0].lines[:] == [], "nothing to draw is an empty picture"
    empty = inline_svg(to_svg(bars_figure([Bar("h", 0, 0)])), "b", "", "")
    assert "0 of 0" in Parsed(str(empty)).text


def test_labels_keep_their_distance_and_order() -> None:
    cases: list[tuple[list[float], list[float]]] = [
        ([], []),
        ([5.0], [5.0]),
        ([0.0, 20.0], [0.0, 20.0]),
        ([5.0, 5.0, 5.0], [-5.0, 5.0, 15.0]),
        ([12.0, 0.0, 2.0], [14.667, -5.333, 4.667]),
    ]
    for heights, places in cases:
        assert spread_labels(heights, 10.0) == pytest.approx(places, abs=1e-3)


def test_text_of_strangers_is_visible_short_and_no_link_but_to_the_web() -> None:
    cases: list[tuple[str, str]] = [
        ("plain", "plain"),
        ("Größe 東京 نص", "Größe 東京 نص"),
        ("a\x1b[31mb", "a[U+001B][31mb"),
        ("exe.\u202egnp", "exe.[U+202E]gnp"),
        ("zero\u200bwidth\ufeff", "zero[U+200B]width[U+FEFF]"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\ud800", "[U+D800]"),
        ("a" + "\u0301" * 50, "a" + "\u0301" * 4),
        ("", ""),
    ]
    for text, shown in cases:
        assert escape_invisible(text) == shown
    assert shorten("one\n two") == "one two"
    assert shorten("x" * 10_000_000, 5) == "xxxx…"
    assert shorten("     " * 1_000 + "x", 5) == "…"
    no_links: list[str] = [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", " javascript:alert(1)", "data:text/html,x",
        "http:///nohost", "//example.org/", "ftp://example.org/", "http://a b.test/",
        'http://a.test"onmouseover=', "http://user@a.test/", "http://a.test/\u202egpj.exe",
        "http://a.test/\nx", "http://a.test/" + "x" * 3_000, "",
    ]  # fmt: skip
    for url in no_links:
        assert web_url(url) is None
    for url in ["http://a.test", "https://a.test:8080/x?y=1#z", "HTTP://A.test/"]:
        assert web_url(url) == url


# Reports of tunings.


def tuning_folder(path: Path, *tunings: Tuning) -> Path:
    path.mkdir()
    known = {"collected": {"source": "breadth-first pre-crawl of w.warc", "wanted": 20},
             "asked": {"source": "w.warc"}}  # fmt: skip
    topics = [{**each.to_json(), **known} for each in tunings]
    (path / "tuning.json").write_text(json.dumps({"topics": topics}))
    return path


def test_a_tuning_is_read_back_and_each_topic_learned_again(tmp_path: Path) -> None:
    written = searched("storms", parameters={"generations": 5}, test_error=float("nan"))
    (stored,) = read_tunings(tuning_folder(tmp_path / "t", written) / "tuning.json")
    assert stored.tuning.to_json() == written.to_json()
    assert stored.tuning.equal == written.equal and np.isnan(stored.tuning.test_error)
    assert stored.collected["source"] == "breadth-first pre-crawl of w.warc"
    folder = tuning_folder(tmp_path / "tuned", searched("storms"), searched("wild cats"))
    both = read_tunings(folder / "tuning.json")
    _, first, _, second = (block.text for block in repeat_blocks(folder, both))
    assert first.endswith("--out tuned-again-storms")
    assert second.endswith("--out tuned-again-wild-cats")
    older = StoredTuning(both[0].tuning, {}, {})
    (used,) = repeat_blocks(folder, [older])
    assert used.text.startswith("scenthound crawl --topic TOPIC.toml")


@pytest.mark.usefixtures("drawn")
def test_weights_errors_and_figures(tmp_path: Path) -> None:
    folder = tuning_folder(tmp_path / "t", searched("storms"), searched("<b>cats</b>"))
    parsed = read(scenthound.report(folder))
    assert "Link weights for storms, <b>cats</b>" in parsed.text and parsed.named("b") == []
    assert "0.9500" in parsed.text and "+25.0%" in parsed.text
    assert "--optimiser ga" in parsed.text and "--strategy vsm --weights" in parsed.text
    assert "priorities, over links" in parsed.text and "legend the mean over groups" in parsed.text
    names = {each.stem for each in (folder / "report").iterdir()}
    assert names == {"heat-map", "mean-errors", "convergence"}


def test_doubts_no_topic_at_all_and_what_is_no_tuning(tmp_path: Path) -> None:
    lame = tuning("storms", (), (), reason="no link has a text.", share=None, test=0)
    text = read(scenthound.report(tuning_folder(tmp_path / "t", lame))).text
    assert "equal weights, since no link has a text." in text and "nothing to draw" in text
    assert "No topic was tuned" in read(scenthound.report(tuning_folder(tmp_path / "none"))).text
    for content in ["", "[]", "{}", '{"topics": [{}]}', '{"topics": 3}', "\x00"]:
        (tmp_path / "tuning.json").write_text(content)
        with pytest.raises(FolderError, match="is damaged, or not what"):
            scenthound.report(tmp_path)
