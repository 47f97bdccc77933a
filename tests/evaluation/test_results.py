"""The files of a comparison and its runs: what they hold, reading them again, and their origin."""

from __future__ import annotations

import json
import math
import shutil
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from evaluation.grid_web import small_grid
from evaluation.outcomes_made import failed, indicators, ran
from scenthound.core.errors import FolderError, ScenthoundWarning
from scenthound.core.events import TextRepresentations
from scenthound.evaluation import comparison_folder as provenance
from scenthound.evaluation.comparison_folder import (
    difference,
    program_digest,
    run_name,
    strategy_provenance,
    topic_provenance,
)
from scenthound.evaluation.outcomes import (
    Cell,
    Outcome,
    outcome_from_json,
    outcome_to_json,
    plain_json,
)
from scenthound.evaluation.results import Comparison, read_comparison, write_results
from strategies.plugin_installing import install_example

TWO_ROWS = replace(
    ran("vsm", "a", 0.25), checkpoints=(indicators(0.2, 50), indicators(0.25)), parameters={"k": 1}
)
COMPARISON = Comparison(
    grid={"baseline": "bfs", "budget": "2x"},
    outcomes=(TWO_ROWS, ran("bfs", "a", 0.1), replace(failed("bfs", "b", "it broke."), fetched=7)),
    finished=True,
    versions={"scenthound": "0.1.0"},
    created="2024-05-01T10:00:00Z",
    planned=3,
)


def test_it_is_read_back_as_it_was_and_has_runs_and_statistics(tmp_path: Path) -> None:
    write_results(tmp_path, COMPARISON)
    read = read_comparison(tmp_path)
    assert read == COMPARISON
    assert read.statistics() == COMPARISON.statistics()
    write_results(tmp_path, replace(COMPARISON, grid={"baseline": "bfs", "measure": "ae"}))
    assert read_comparison(tmp_path).statistics().measure.name == "ae"
    assert read_comparison(tmp_path).statistics("rn").measure.name == "rn"
    with pytest.raises(FolderError, match=r"cannot be written: No such file"):
        write_results(tmp_path / "gone", COMPARISON)
    write_results(tmp_path, COMPARISON)
    found = json.loads((tmp_path / "comparison.json").read_text(encoding="utf-8"))
    assert found["format"] == "scenthound-comparison" and found["version"] == 1
    statistics = found["statistics"]
    assert statistics["measure"] == "labelled_harvest"
    (table,) = statistics["tables"]
    first, second = table["strategies"]
    assert first["strategy"] == "vsm" and first["mean"] == {
        "mean": 0.25, "low": None, "high": None, "independent": 1,
    }  # fmt: skip
    assert first["difference"]["verdict"] == "too few draws to tell"
    assert (first["difference"]["wins"], second["failed"]) == (1, 1)
    assert table["milestones"]["hr"] == {
        "pages": [50, 100, "end"],
        "strategies": {
            "vsm": {"mean": [0.2, 0.25, 0.25], "runs": [1, 1, 1]},
            "bfs": {"mean": [None, 0.1, 0.1], "runs": [0, 1, 1]},
        },
    }


def test_parquet_has_a_row_a_run_and_checkpoint_without_formulas_or_half_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("scenthound.storage.files.find_spec", lambda name: None)
        reported = r"results.parquet is left out: .*scenthound\[parquet"
        with pytest.warns(ScenthoundWarning, match=reported):
            write_results(tmp_path, COMPARISON)
    files = ["comparison.json", "results.csv"]
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    assert read_comparison(tmp_path) == COMPARISON
    write_results(tmp_path, COMPARISON)
    assert sorted(path.name for path in tmp_path.iterdir()) == [*files, "results.parquet"]
    table = pq.read_table(tmp_path / "results.parquet")
    kinds = {name: str(table.schema.field(name).type) for name in table.column_names}
    assert kinds["fetched"] == "int64" and kinds["hr"] == "double" and kinds["final"] == "bool"
    rows = table.to_pylist()
    assert [(row["strategy"], row["fetched"], row["final"]) for row in rows] == [
        ("vsm", 50, False), ("vsm", 100, True), ("bfs", 100, True), ("bfs", 7, True),
    ]  # fmt: skip
    assert [row["error"] for row in rows] == [None, None, None, "it broke."]
    assert rows[0]["as"] == 0.5 and rows[0]["labelled_harvest"] == 0.2 and rows[3]["hr"] is None
    hostile = replace(failed("=cmd()", "\ud800"), error="=1+1\nnext")
    write_results(tmp_path, replace(COMPARISON, outcomes=(hostile,)))
    text = (tmp_path / "results.csv").read_text(encoding="utf-8-sig")
    assert "'=cmd()" in text and "'=1+1" in text
    assert pq.read_table(tmp_path / "results.parquet").to_pylist()[0]["topic"] == "?"
    assert read_comparison(tmp_path).outcomes[0].cell.topic == "?"


def test_what_is_no_comparison_is_reported(tmp_path: Path) -> None:
    ours = '{"format": "scenthound-comparison", "version": 1'
    cases: list[tuple[str, str]] = [
        ("{", "is damaged"),
        ("[" * 100_000, "is damaged"),
        ("[]", "not what scenthound compare writes"),
        ('{"format": "scenthound-comparison", "version": 2}', "is of version 2"),
        (f"{ours}}}", "is damaged"),
        (f'{ours}, "runs": [{{}}]}}', "is damaged .'grid'."),
        (
            f'{ours}, "runs": [{{}}], "grid": {{}}, "versions": {{}}}}',
            "'web' of a run is damaged: field required.; compare again",
        ),
    ]
    for folder in (tmp_path, tmp_path / "gone"):
        with pytest.raises(FolderError, match=r"no comparison: there is no comparison\.json"):
            read_comparison(folder)
    for text, words in cases:
        (tmp_path / "comparison.json").write_text(text, encoding="utf-8")
        with pytest.raises(FolderError, match=words):
            read_comparison(tmp_path)
    (tmp_path / "comparison.json").unlink()
    (tmp_path / "comparison.json").mkdir()
    with pytest.raises(FolderError, match="cannot be read"):
        read_comparison(tmp_path)


FULL = Outcome(
    Cell("schools", "storms", "olmoaco xi=2", "irrelevant", 3, 7),
    budget=200,
    fetched=180,
    missing=4,
    failed=2,
    stopped="no links left",
    seconds=1.5,
    peak_rss_mb=101.5,
    labelled_pages=100,
    relevant_by="similarity",
    threshold=0.25,
    parameters={"xi": 2, "name": "x", "on": True},
    final=indicators(0.25, 180),
    checkpoints=(indicators(0.2, 100), indicators(0.25, 180)),
    representations=TextRepresentations(("words", "meaning"), "the extra neural is not installed"),
)


def test_what_is_written_is_read_back_rounded_and_what_is_no_number_as_none() -> None:
    for outcome in (FULL, failed("vsm", "a"), ran("vsm", "a", 0.1, labelled=False)):
        text = json.dumps(outcome_to_json(outcome), allow_nan=False)
        assert outcome_from_json(json.loads(text)) == outcome
    older = {key: value for key, value in outcome_to_json(FULL).items() if key != "reading"}
    assert outcome_from_json(older) == replace(FULL, representations=None)
    stored = outcome_to_json(replace(FULL, final=indicators(1 / 3), seconds=1.23456))
    final = stored["final"]
    assert isinstance(final, dict) and final["hr"] == 0.333333
    assert stored["seconds"] == 1.23456 and stored["pages_per_second"] == 145.8
    broken = replace(indicators(0.1), hr=math.nan, as_=math.inf, labelled_harvest=math.nan)
    stored = outcome_to_json(replace(FULL, final=broken, threshold=math.nan))
    read = outcome_from_json(json.loads(json.dumps(stored, allow_nan=False)))
    assert read.final is not None and math.isnan(read.final.hr)
    assert read.final.as_ is None and read.final.labelled_harvest is None and read.threshold is None
    value = {"path": Path("a/b"), "pair": (1, 2.5), "none": None, 3: {"x": math.inf}}
    plain = {"path": "a/b", "pair": [1, 2.5], "none": None, "3": {"x": None}}
    assert plain_json(value) == plain


def test_what_is_no_run_is_reported() -> None:
    cases: list[tuple[str, object, str]] = [
        ("web", 3, "'web' of a run is damaged: input should be a valid string"),
        ("budget", None, "'budget' of a run is damaged: input should be a valid integer"),
        ("seconds", 10**400, "'seconds' of a run is damaged"),
        ("parameters", [1], "'parameters' of a run is damaged"),
        ("final", {}, "'final.fetched' of a run is damaged: field required"),
        ("checkpoints", [1], "'checkpoints.0' of a run is damaged"),
        ("checkpoints", 3, "'checkpoints' of a run is damaged"),
    ]
    for name, value, words in cases:
        with pytest.raises(FolderError, match=words):
            outcome_from_json(outcome_to_json(FULL) | {name: value})


def test_names_of_runs_are_readable_and_differ() -> None:
    hostile = Cell("w", "../../etc/passwd\n", "vsm")
    assert "/" not in run_name(hostile) and "\n" not in run_name(hostile)
    alike = [Cell("w", "a b", "vsm"), Cell("w", "a/b", "vsm"), Cell("v", "a b", "vsm")]
    assert len(set(map(run_name, alike))) == 3
    assert run_name(alike[0]).startswith("a-b-vsm-given-0-0-")
    assert len(run_name(Cell("w", "x" * 5_000, "vsm"))) < 120


ROOT = Path(provenance.__file__).parent.parent


def test_the_digest_is_that_of_what_runs_depend_on(tmp_path: Path) -> None:
    copied = Path(shutil.copytree(ROOT, tmp_path / "scenthound"))

    def digest() -> str:
        return provenance.digest_of(provenance.program_files(copied), copied)

    before = digest()
    assert before == program_digest()
    (copied / "cli" / "main.py").write_text("changed")
    (copied / "evaluation" / "standings.py").write_text("changed")
    assert digest() == before
    for name in ("strategies/scent.py", "evaluation/run_process.py", "core/crawl_loop.py"):
        (copied / name).write_text("changed")
        assert digest() != before
        before = digest()
    # What no run depends on are the layers in pyproject.toml above crawler.
    project = tomllib.loads((ROOT.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["type"] == "layers")
    above = " | ".join(layers[: layers.index("crawler")]).split(" | ")
    assert {name for name in above if (ROOT / name).is_dir()} == provenance._PACKAGES_ABOVE


def test_a_plug_in_is_reported_by_package_and_source_and_scent_by_minilm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "url_words", raising=False)
    install_example(tmp_path)
    before = strategy_provenance("url-words")["plugin"]
    assert isinstance(before, dict) and before["package"] == "scenthound-url-words 1.0"
    assert strategy_provenance("vsm") == {"plugin": None}
    source = tmp_path / "url_words.py"
    source.write_text(source.read_text() + "\n# changed\n")
    reported = difference({"plugin": before}, strategy_provenance("url-words"))
    assert reported == "the package of the strategy has changed"
    assert "url_words" not in sys.modules, "nothing is imported to find out"
    without = strategy_provenance("scent")
    assert difference(without, strategy_provenance("scent")) is None
    monkeypatch.setattr(provenance, "is_minilm_there", lambda: True)
    reported = difference(without, strategy_provenance("scent"))
    assert reported == "minilm has changed (False, now True)"


def test_files_that_a_topic_names_are_looked_at(folder: Path, tmp_path: Path) -> None:
    page, ontology = tmp_path / "page.html", tmp_path / "storms.owl"
    page.write_text("storm")
    grid = small_grid(folder, "breadth-first")
    (web,) = grid.webs
    topic = replace(web.topics[0], examples=(str(page),), ontology=str(ontology))

    def made() -> dict[str, object]:
        return topic_provenance(grid, web, topic, "an archive")

    before = json.loads(json.dumps(made()))
    assert difference(before, made()) is None
    for path, text in ((page, "rain"), (ontology, "new")):
        path.write_text(text)
        assert difference(before, made()) == "a file that the topic names has changed"
        page.write_text("storm")
