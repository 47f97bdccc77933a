"""Weights from training links and from Python: figures by hand, their files, bad arguments."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import scenthound
from crawler.web_building import Field, Plant
from evaluation.link_making import STORMS, hub, made_links
from evaluation.tuning_values import searched, tuning
from scenthound import ScenthoundWarning, Topic, read_links, read_weights, tune
from scenthound.core.errors import (
    ArchiveError,
    FolderError,
    InputError,
    SettingsError,
    UnknownNameError,
)
from scenthound.evaluation.link_collection import default_model
from scenthound.evaluation.training_links import (
    DEFAULT_MODEL,
    TrainingLink,
    TrainingLinks,
)
from scenthound.evaluation.tune import COLLECTING, LEARNING, TunedTopic, topic_seed, tune_links
from scenthound.evaluation.tuning_result import Tuning, rounded_share
from scenthound.output.plots import tuning as tuning_figures
from scenthound.output.plots.tuning import (
    convergence,
    convergence_rows,
    draw_tuning,
    group_means,
    heat_map,
    heat_map_rows,
    mean_error_rows,
    mean_errors,
    shares,
)
from scenthound.strategies.catalogue import DEFAULT_STRATEGY, text_model_name

NAN = float("nan")
HOSTILE = ["$x^2$", "\\frac{", "a\x00b", "\u53f0\u98ce", "\u202egnp", "<svg>", "w" * 90, "\ud800",
           "_hidden", "=1+1"]  # fmt: skip
FIGURES = ("heat-map", "mean-errors", "convergence")


def lines(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_figures_by_hand() -> None:
    given = [tuning(equal=[0.3, 0.1], learned=[0.1, 0.2])]
    assert [row[-1] for row in heat_map_rows(given)] == [0.2, -0.1]  # above 0 is better
    axes = heat_map(given).axes[0]
    assert axes.collections[0].get_clim() == pytest.approx((-0.2, 0.2))
    assert axes.lines[0].get_xydata() == pytest.approx(np.array([[1.5, 0.5]]))
    # Means are over the topics that have the group, curves in parts of the exact fitness.
    both = [tuning("a", [0.4, NAN, 0.6], [0.2, 0.2, 0.3]), tuning("b", [0.2], [0.1])]
    equal, learned, _ = group_means(both)
    assert equal == pytest.approx(np.array([0.3, NAN, 0.6]), nan_ok=True)
    assert learned == pytest.approx(np.array([0.15, NAN, 0.3]), nan_ok=True)
    assert mean_error_rows(both) == [(1, 2, 0.3, 0.15), (3, 1, 0.6, 0.3)]
    assert shares(searched()) == [(10, 0.5), (100, 0.95), (1000, 0.95)]
    assert convergence_rows([tuning(), searched("sea")])[:1] == [("sea", "ga", 10, 0.2, 0.4, 0.5)]
    assert shares(tuning()) == []
    for nothing in (0.0, NAN, float("inf")):
        assert shares(searched(exact_fitness=nothing)) == []


def test_every_figure_stands_beside_its_numbers_and_nothing_is_cut(tmp_path: Path) -> None:
    drawn = draw_tuning([searched(name) for name in HOSTILE], tmp_path / "one", ".SVG")
    paths = [tmp_path / "one" / f"{figure}.svg" for figure in FIGURES]
    assert (list(drawn.paths), dict(drawn.left_out)) == (paths, {})
    text = (tmp_path / "one" / "convergence.svg").read_text()
    assert "&lt;svg&gt;" in text and "_hidden" in text and "\x00" not in text
    assert "w" * 23 + "\u2026" in text and "w" * 24 not in text
    assert lines(tmp_path / "one" / "heat-map.csv")[-2:] == [
        ["'=1+1", "1", "0.3", "0.1", "0.2"],
        ["'=1+1", "2", "0.1", "0.2", "-0.1"],
    ]
    assert lines(tmp_path / "one" / "mean-errors.csv")[1] == ["1", "10", "0.3", "0.1"]
    assert lines(tmp_path / "one" / "convergence.csv")[-1] == [
        "'=1+1", "ga", "1000", "0.38", "0.4", "0.95",
    ]  # fmt: skip
    first, second = (draw_tuning([tuning()], tmp_path / name).paths for name in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    many = np.linspace(0.001, 0.1, 50)
    for draw, topics in ((heat_map, 20), (mean_errors, 1), (convergence, 20)):
        figure = draw([searched("w" * 90, equal=many, learned=many[::-1])] * topics)
        FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
        needed, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
        assert needed.x0 >= 0.0 and needed.y0 >= 0.0
        assert needed.x1 <= width and needed.y1 <= height
        assert all(axes.get_position().height * height > 0.1 for axes in figure.axes)


def test_what_cannot_be_drawn_or_written_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning_figures, "save_figure", lambda figure, path: None)
    cases: list[tuple[list[Tuning], dict[str, str]]] = [
        ([tuning()], {"convergence": "no topic was searched"}),
        (
            [searched(equal=[], learned=[])],
            {"heat-map": "no topic has test links", "mean-errors": "no topic has test links"},
        ),
        ([], dict.fromkeys(FIGURES, "no topic")),
    ]
    for number, (given, reasons) in enumerate(cases):
        folder = tmp_path / str(number)
        drawn = draw_tuning(given, folder)
        assert list(drawn.left_out) == list(reasons)
        for name, reason in reasons.items():
            assert drawn.left_out[name].startswith(reason)
            assert not list(folder.glob(f"{name}.*"))
        assert {path.stem for path in drawn.paths} == set(FIGURES) - set(reasons)
    monkeypatch.undo()
    (tmp_path / "file").write_text("")
    (tmp_path / "taken" / "heat-map.svg").mkdir(parents=True)
    for place, suffix, printed in (
        (tmp_path, ".gif", r"\.svg, \.png, \.pdf"),
        (tmp_path / "file", ".svg", "give a path to write to"),
        (tmp_path / "taken", ".svg", r"heat-map\.svg: .*; give a path"),
    ):
        with pytest.raises(InputError, match=printed):
            draw_tuning([tuning()], place, suffix)


# Weights from training links, their figures on both halves, and links that teach nothing.


TRUE = (0.2, 0.0, 0.5, 0.1)


def changed(
    links: TrainingLinks, change: Callable[[int, TrainingLink], TrainingLink]
) -> TrainingLinks:
    return replace(links, links=tuple(change(n, link) for n, link in enumerate(links.links)))


def test_exact_weights_leave_no_error_and_errors_of_equal_weights_are_worked_out_by_hand() -> None:
    tuning = tune_links(made_links(100))
    assert tuning.weights == pytest.approx(TRUE, abs=1e-6)
    assert tuning.by_name == pytest.approx(
        {"full": 0.2, "title": 0.0, "anchor": 0.5, "context": 0.1}, abs=1e-6
    )
    assert tuning.train_error == pytest.approx(0.0, abs=1e-6)
    assert tuning.test_error == pytest.approx(0.0, abs=1e-6)
    assert tuning.gain == pytest.approx(1.0, abs=1e-4)
    assert (tuning.train, tuning.test, tuning.reason, tuning.share) == (50, 50, None, 1.0)
    assert (tuning.topic, tuning.model, tuning.optimiser) == ("storms", "vsm", "exact")
    rows = [(0.4, 0.8), (0.0, 0.4), (1.0, 0.0), (0.2, 0.2)]
    made = [TrainingLink("s", str(n), "", row, 0.5) for n, row in enumerate(rows)]
    tuning = tune_links(TrainingLinks("t", "vsm", ("full", "anchor"), tuple(made)))
    assert tuning.equal == (0.5, 0.5)
    assert tuning.train_error_equal == pytest.approx((0.1 + 0.3) / 2)
    assert tuning.test_error_equal == pytest.approx((0.0 + 0.3) / 2)
    assert tuning.groups_equal == pytest.approx([0.0, 0.3])
    assert tuning.reason is not None and "2 training links and at least 20" in tuning.reason
    assert tuning.weights == tuning.equal == tuning.exact_weights
    assert (tuning.share, tuning.curve, tuning.evaluations) == (None, (), 0)


def test_other_optimisers_come_near_and_every_topic_has_a_search_of_its_own() -> None:
    noisy = changed(
        made_links(200), lambda n, link: replace(link, relevance=link.relevance + n % 3)
    )
    name, settings = "hybrid", {"generations": 50}
    heard: list[float] = []
    tuning = tune_links(
        noisy, name, parameters=settings, random_seed=3,
        on_progress=lambda stage, done, total: heard.append(done),
    )  # fmt: skip
    exact = tune_links(noisy)
    assert tuning.exact_fitness == exact.fitness and tuning.exact_weights == exact.weights
    assert tuning.share is not None and 0.5 < tuning.share <= 1.0
    assert tuning.share == pytest.approx(tuning.fitness / exact.fitness)
    assert tuning.curve[-1] == (tuning.evaluations, tuning.fitness)
    assert tuning.report and heard[-1] == 1.0
    assert (tuning.seed, dict(tuning.parameters)) == (3, settings)
    assert tune_links(noisy, name, parameters=settings, random_seed=3).weights == tuning.weights
    assert tune_links(noisy, name, parameters=settings, random_seed=4).weights != tuning.weights
    seeds = {topic_seed(seed, name) for seed in (0, 1) for name in ("storms", "sea", "")}
    assert len(seeds) == 6
    assert topic_seed(0, "storms") == 0x4C64A1AA7C510711  # the same on every machine
    assert topic_seed(3, "a\x1bb") == topic_seed(3, "a b")  # as a file of links has it
    once: dict[str, int | float] = {"generations": 1}
    storms = tune_links(made_links(100), "ga", parameters=once)
    sea = tune_links(replace(made_links(100), topic="sea"), "ga", parameters=once)
    assert storms.curve[0] != sea.curve[0] and storms.seed == sea.seed == 0


def with_nan(n: int, link: TrainingLink) -> TrainingLink:
    return replace(link, values=(math.nan, *link.values[1:])) if n == 3 else link


def with_late_nan(n: int, link: TrainingLink) -> TrainingLink:
    return replace(link, relevance=math.inf) if n == 90 else link


def opposite(n: int, link: TrainingLink) -> TrainingLink:
    """Every second page is relevant, and the links to those have no similarity."""
    return replace(link, values=(0.0,) * 4 if n % 2 else link.values, relevance=float(n % 2))


def test_links_that_teach_nothing_give_equal_weights() -> None:
    cases: list[tuple[Callable[[int, TrainingLink], TrainingLink], str]] = [
        (with_nan, "not a finite number"),
        (with_late_nan, "not a finite number"),
        (lambda _, link: replace(link, values=(0.0,) * 4), "every similarity is 0"),
        (lambda _, link: replace(link, values=(0.1, 0.2, 0.3, 0.4)), "same similarities"),
        (lambda _, link: replace(link, relevance=0.5), "equally relevant"),
        (opposite, "best weights are all 0"),
    ]
    for change, printed in cases:
        for optimiser in ("exact", "mcoa"):
            tuning = tune_links(changed(made_links(100), change), optimiser)
            assert tuning.reason is not None and printed in tuning.reason
            assert tuning.weights == (0.25,) * 4
            json.dumps(tuning.to_json(), allow_nan=False)
    tuning = tune_links(made_links(0))
    assert tuning.reason is not None and tuning.reason.startswith("there are 0 training links")
    assert (tuning.train_error, tuning.test_error, tuning.gain, len(tuning.groups)) == (0, 0, 0, 0)


def test_what_speaks_against_weights_is_reported_and_a_share_below_1_is_never_reported_as_1() -> (
    None
):
    low = "ga reached only 0.949 of the best fitness there is; take the optimiser exact."
    cases: list[tuple[Tuning, list[str]]] = [
        (tuning(), []),
        (searched(), []),
        (searched(share=0.949), [low]),
        (tuning(reason="few links.", share=None, test=0), ["equal weights, since few links."]),
        (tuning(test=0), ["there are no test links"]),
        (searched(test_error=0.3, share=0.9), ["equal weights are better", "only 0.900 of"]),
    ]
    for given, reported in cases:
        assert len(given.doubts) == len(reported)
        assert all(part in doubt for part, doubt in zip(reported, given.doubts, strict=True))
    for share, digits, shown in [(0.99999999, 6, 0.999999), (0.99999, 4, 0.9999), (0.57, 4, 0.57)]:
        assert rounded_share(share, digits) == shown
    assert rounded_share(1.0, 4) == 1.0
    assert searched(share=1.0 - 1e-12).to_json()["share"] == 0.999999


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Field]:
    """Enough pages for 60 links: every third one is about storms, and its link says so."""
    with ExitStack() as stack:
        yield Plant(tmp_path_factory.mktemp("web"), stack)(*hub(80))


@pytest.fixture(scope="module")
def tuned(web: Field) -> TunedTopic:
    """By the default model."""
    return tune(web.archive, STORMS, links=60)


def test_an_archive_gives_weights_for_a_topic_and_a_crawl_folder_has_its_own(
    web: Field, tuned: TunedTopic, tmp_path: Path
) -> None:
    fresh = tune(web.archive, STORMS, model="vsm", links=60)
    tuning = fresh.tuning
    assert tuning.reason is None and (tuning.train, tuning.test) == (30, 30)
    assert tuning.by_name["anchor"] + tuning.by_name["context"] > 0.5
    assert tuning.test_error < tuning.test_error_equal
    assert fresh.collected is not None and fresh.collected.fetched == 61
    assert fresh.links == fresh.collected.links
    folder = tmp_path / "crawl"
    scenthound.replay(web.archive.path, STORMS, "breadth-first", budget=100, out=folder)
    from_folder = tune(folder, links=60)
    assert from_folder.links == tuned.links
    assert from_folder.tuning.weights == tuned.tuning.weights
    assert from_folder.collected is not None and str(folder) in from_folder.collected.source
    cakes = tune(folder, Topic("cakes", keywords=("cake",)), links=60)
    assert cakes.tuning.topic == "cakes" and cakes.links != from_folder.links


def test_too_few_links_are_an_answer_with_a_warning_and_progress_is_reported(web: Field) -> None:
    heard: list[tuple[str, float, float]] = []
    tune(
        web.archive,
        STORMS,
        model="vsm",
        links=5,
        on_progress=lambda *reported: heard.append(reported),
    )
    assert heard[:2] == [(COLLECTING, 0, 5), (COLLECTING, 1, 5)]
    assert heard[-2:] == [(COLLECTING, 5, 5), (LEARNING, 1.0, 1.0)]
    with pytest.warns(ScenthoundWarning, match="gave 81 links of the 1,000 wanted"):
        tuned = tune(web.archive, STORMS, model="vsm")
    assert tuned.tuning.reason is None
    small = tune(web.archive, STORMS, model="vsm", links=19)
    assert small.tuning.reason is not None and set(small.tuning.weights) == {0.25}


def test_what_was_learned_is_kept_and_can_be_used_without_a_file(
    tuned: TunedTopic, tmp_path: Path, web: Field
) -> None:
    tuned.write_weights(tmp_path / "w.toml")
    tuned.write_links(str(tmp_path / "l.parquet"))
    assert read_weights(tmp_path / "w.toml").values == tuned.tuning.by_name
    links = read_links(str(tmp_path / "l.parquet"))
    assert scenthound.tune_links(links).weights == tuned.tuning.weights
    reported = tuned.to_json()
    assert json.loads(json.dumps(reported, allow_nan=False)) == reported
    assert tuned.collected is not None and reported["collected"] == tuned.collected.to_json()
    weights = tuned.weights
    assert (weights.values, weights.model) == (tuned.tuning.by_name, "soft-sdvsm")
    assert weights.origin == "the tuning of 'storms'"
    run = scenthound.replay(web.archive.path, STORMS, "soft-sdvsm", budget=5, weights=weights)
    assert run.fetched == 5
    with pytest.raises(SettingsError, match=r"'scent' takes no weights.*that can use them \(soft"):
        scenthound.replay(web.archive.path, STORMS, budget=5, weights=weights)
    unnamed = TunedTopic(replace(tuned.tuning, topic="", model=""), tuned.links)
    assert (unnamed.weights.model, unnamed.weights.origin) == (None, "a tuning")


def test_the_model_is_that_of_the_crawl_or_else_soft_sdvsm(web: Field, tmp_path: Path) -> None:
    default = text_model_name(scenthound.CATALOGUE["soft-sdvsm"])
    assert default == DEFAULT_MODEL == default_model(web.archive) == default_model(tmp_path)
    for strategy, model in (
        ("vsm", "vsm"), ("soft-svsm-mcoa", "soft-svsm"), (DEFAULT_STRATEGY, default),
    ):  # fmt: skip
        folder = tmp_path / strategy
        scenthound.replay(web.archive.path, STORMS, strategy, budget=30, out=folder)
        assert tune(folder, links=5).tuning.model == model
    assert tune(folder, links=5, model="svsm").tuning.model == "svsm"


def test_bad_folders_and_arguments_are_reported_in_one_sentence(tmp_path: Path, web: Field) -> None:
    with pytest.raises(ArchiveError, match=r"or a crawl folder\.$"):
        tune(tmp_path / "none", STORMS)
    scenthound.replay(web.archive.path, STORMS, "vsm", budget=3, out=tmp_path / "all" / "vsm")
    with pytest.raises(FolderError, match=r"give one of them: .*vsm"):
        tune(tmp_path / "all", STORMS)
    damaged = tmp_path / "all" / "vsm" / "crawl.json"
    damaged.write_text("{")
    with pytest.raises(FolderError, match="cannot be read"):
        tune(damaged.parent, STORMS)
    cases: list[tuple[dict[str, object], type[InputError], str]] = [
        ({"source": None}, SettingsError, "source takes a path, not None"),
        ({"topic": "storms.toml"}, SettingsError, "read a topic file with read_topic"),
        ({"topic": None}, SettingsError, "an archive has no topic of its own"),
        ({"topic": replace(STORMS, seeds=())}, SettingsError, "has no seeds"),
        ({"model": "wsm"}, UnknownNameError, "did you mean 'vsm'"),
        ({"model": 3}, SettingsError, "model takes a text"),
        ({"source": "links.csv"}, SettingsError, "give tune_links(read_links(...)) instead"),
        ({"source": "w" * 300}, ArchiveError, "too long; give an archive or a crawl"),
        ({"optimiser": 3}, SettingsError, "optimiser takes a text"),
        ({"links": 0}, SettingsError, "links takes a whole number from 1 to 1,000,000, not 0"),
        ({"random_seed": -1}, SettingsError, "random_seed is 0 or more, not -1"),
        ({"parameters": ["power"]}, SettingsError, "parameters takes a dict"),
        ({"parameters": {"power": "high"}}, SettingsError, "power takes a value like 4.0"),
        ({"optimiser_parameters": {"hot": 1.0}}, SettingsError, "nothing to set"),
        ({"wordnet": 3}, SettingsError, "wordnet takes the path of"),
    ]
    for arguments, error, printed in cases:
        given = {"source": web.archive.path, "topic": STORMS, **arguments}
        with pytest.raises(error) as raised:
            tune(**given)  # type: ignore[arg-type]
        assert printed in str(raised.value)
    with pytest.raises(SettingsError, match="path is an empty path"):
        read_weights("")
    with pytest.raises(SettingsError, match="path takes a path, not None"):
        read_links(None)
    with pytest.raises(SettingsError, match="links takes TrainingLinks"):
        scenthound.tune_links([])
