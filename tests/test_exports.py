"""What ``import scenthound`` gives, and what it must not drag in."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

import scenthound

HEAVY = {
    "typer", "rich", "scrapy", "twisted", "torch", "scipy", "pandas", "matplotlib", "redis",
    "trafilatura", "pyarrow", "gensim", "transformers", "tokenizers", "safetensors", "wordllama",
    "h5py", "rdflib", "sklearn", "concepts", "starlette", "uvicorn", "jinja2",
}  # fmt: skip


def test_everything_exported_is_there() -> None:
    assert [name for name in scenthound.__all__ if not hasattr(scenthound, name)] == []
    assert {"Topic", "replay", "read_topic"} <= set(scenthound.__all__)


def test_importing_it_loads_nothing_heavy() -> None:
    code = "import json, sys, scenthound; print(json.dumps(sorted(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert HEAVY.isdisjoint(json.loads(loaded))


def test_everything_imported_is_a_declared_dependency() -> None:
    """``pip install .`` alone must be enough; what a dependency drags in may go tomorrow."""
    root = Path(__file__).parent.parent
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    of_users = (needs for extra, needs in extras.items() if extra not in ("dev", "docs"))
    declared = {
        re.split(r"[<>=.\[ ]", requirement)[0]
        for requirement in chain(project["dependencies"], *of_users)
    }
    imported = {
        name.split(".")[0]
        for path in (root / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in imported_names(node)
    }
    provided = packages_distributions()
    undeclared = {
        name
        for name in imported - set(sys.stdlib_module_names) - {"scenthound"}
        if declared.isdisjoint([name, *provided.get(name, ())])
    }
    assert undeclared == set()


def imported_names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module else []


@pytest.mark.parametrize("name", ["export", "report", "tune"])
def test_the_fields_of_an_options_model_stand_in_the_signature(name: str) -> None:
    known = {"export": "min_relevance", "report": "baseline", "tune": "optimiser"}
    parameters = inspect.signature(getattr(scenthound, name)).parameters
    assert known[name] in parameters
    assert not any(each.kind is each.VAR_KEYWORD for each in parameters.values())
