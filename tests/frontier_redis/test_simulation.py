"""The simulation of many workers: its web, its witness, and small runs of it."""

from __future__ import annotations

import pytest
from benchmarks.distributed import simulation_costs, simulation_restart, simulation_run
from benchmarks.distributed.simulation import main, simulated
from benchmarks.distributed.simulation_run import Setting
from benchmarks.distributed.simulation_web import Web

from scenthound.frontier.politeness import PolitenessPolicy

WEB = Web(hosts=20, pages=100, seed=3)


def test_workers_that_die_lose_nothing() -> None:
    setting = Setting(3, WEB.pages, 0.5, 4, look_again=0.25, partitions=3, deaths=12, seed=5)
    outcome = simulated(WEB, setting, [0])
    assert outcome.complaints == []
    assert sorted(outcome.worths) == sorted(WEB.worths)
    assert outcome.witness.shortest_rest >= 0.5 - 1e-9
    assert outcome.fetched_again > 0 and outcome.load.cpu > 0


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


def test_steps_and_restarts_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulation_costs.main(["--urls", "300", "--calls", "20"]) == 0
    told = capsys.readouterr().out
    for step in ("find 50", "add 50", "lease 1", "answered", "close", "next_time", "put_back"):
        assert step in told
    assert simulation_restart.main(["--urls", "300"]) == 0
    assert capsys.readouterr().out.count("read again in") == 2
