"""Runs of different code, plug-ins or files are not put together."""

from __future__ import annotations

import json
import shutil
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.grid_web import small_grid
from scenthound.evaluation import provenance
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.provenance import (
    difference,
    plugin_provenance,
    program_digest,
    strategy_provenance,
    topic_provenance,
)
from strategies.plugin_installing import install_example

ROOT = Path(provenance.__file__).parent.parent


def made(grid: Grid) -> dict[str, object]:
    (web,) = grid.webs
    return topic_provenance(grid, web, web.topics[0], "an archive")


def test_the_digest_is_that_of_what_runs_depend_on(tmp_path: Path) -> None:
    copied = Path(shutil.copytree(ROOT, tmp_path / "scenthound"))

    def digest() -> str:
        return provenance.digest_of(provenance.program_files(copied), copied)

    before = digest()
    assert before == program_digest()
    (copied / "cli" / "main.py").write_text("changed")
    (copied / "evaluation" / "standings.py").write_text("changed")
    assert digest() == before
    for name in ("strategies/scent.py", "evaluation/worker.py", "core/crawl.py"):
        (copied / name).write_text("changed")
        assert digest() != before
        before = digest()
    # What no run depends on are the layers in pyproject.toml above crawler.
    project = tomllib.loads((ROOT.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["type"] == "layers")
    above = " | ".join(layers[: layers.index("crawler")]).split(" | ")
    assert {name for name in above if (ROOT / name).is_dir()} == provenance._PACKAGES_ABOVE


def test_a_plug_in_is_told_by_package_and_source_and_scent_by_minilm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "url_words", raising=False)
    install_example(tmp_path)
    before = plugin_provenance("url-words")
    assert before is not None and before["package"] == "scenthound-url-words 1.0"
    assert plugin_provenance("vsm") is None and strategy_provenance("vsm") == {"plugin": None}
    source = tmp_path / "url_words.py"
    source.write_text(source.read_text() + "\n# changed\n")
    told = difference({"plugin": before}, strategy_provenance("url-words"))
    assert told == "the package of the strategy has changed"
    assert "url_words" not in sys.modules, "nothing is imported to find out"
    without = strategy_provenance("scent")
    assert difference(without, strategy_provenance("scent")) is None
    monkeypatch.setattr(provenance, "is_minilm_there", lambda: True)
    told = difference(without, strategy_provenance("scent"))
    assert told == "minilm has changed (False, now True)"


def test_files_that_a_topic_names_are_looked_at(folder: Path, tmp_path: Path) -> None:
    page, ontology = tmp_path / "page.html", tmp_path / "storms.owl"
    page.write_text("storm")
    grid = small_grid(folder, "breadth-first")
    (web,) = grid.webs
    topic = replace(web.topics[0], examples=(str(page),), ontology=str(ontology))
    grid = replace(grid, webs=(replace(web, topics=(topic,)),))
    before = json.loads(json.dumps(made(grid)))
    assert difference(before, made(grid)) is None
    for path, text in ((page, "rain"), (ontology, "new")):
        path.write_text(text)
        assert difference(before, made(grid)) == "a file that the topic names has changed"
        page.write_text("storm")
