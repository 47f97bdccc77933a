"""Strategies that need an extra say so in the list."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cli.commands import Command
from scenthound.cli import strategies
from scenthound.core.open_registry import OpenRegistry
from scenthound.core.registry import Registry
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe


def test_the_extra_is_told(scenthound: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    heavy = replace(CATALOGUE["vsm"], name="heavy", summary="by meaning", extra="neural")
    own = Registry("strategy", (CATALOGUE["vsm"], CATALOGUE["shark"], heavy))
    listed: OpenRegistry[Recipe] = OpenRegistry("strategy", own, "no.such.group", lambda _: heavy)
    monkeypatch.setattr(strategies, "STRATEGIES", listed)
    lines = scenthound("strategies").out.splitlines()
    told = {line.split()[0]: line for line in lines if line.startswith(("vsm ", "heavy "))}
    assert "by meaning; needs the extra neural" in told["heavy"] and "extra" not in told["vsm"]
    rows = json.loads(scenthound("strategies", "--json").out)
    assert [row["extra"] for row in rows] == [None, None, "neural"]
