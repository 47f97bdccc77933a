"""The benchmarks of the frontier run, and print what they are to print."""

from __future__ import annotations

import pytest
from benchmarks.distributed import (
    frontier_cost,
    simulation_costs,
    simulation_restart,
    simulation_run,
)
from benchmarks.distributed.simulation import main

from scenthound.frontier.politeness import PolitenessPolicy


def test_a_complaint_is_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--workers", "2", "--pages", "40", "--hosts", "10", "--deaths", "1", "--delay", "0.2"]
    assert main(few) == 0
    assert "nobody asked too soon" in capsys.readouterr().out
    hasty = PolitenessPolicy(delay=0.1, per_host=1)
    monkeypatch.setattr(simulation_run, "PolitenessPolicy", lambda delay, per_host: hasty)
    assert main(few) == 1
    assert "2 workers: a host was asked 0.1" in capsys.readouterr().out


def test_costs_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulation_costs.main(["--urls", "300", "--calls", "20"]) == 0
    told = capsys.readouterr().out
    steps = ("find 50", "add 50", "lease 1", "record_response", "close", "next_time", "put_back")
    assert [step for step in steps if step not in told] == []
    assert simulation_restart.main(["--urls", "120"]) == 0
    assert capsys.readouterr().out.count("read again in") == 2
    few = ["--sizes", "100", "200", "--pages", "3"]
    assert frontier_cost.main(few) in (0, 1)  # so few URLs prove nothing
    told = capsys.readouterr().out
    assert told.count("bytes a URL\n") == 2
    assert told.count("50 links added") == told.count("lease, answer, ack") == 2
    assert "SQLite, 200 URLs" in told and "(bar 400)" in told
