"""The simulation of many workers: its web, its witness, and small runs of it."""

from __future__ import annotations

import random

import pytest
from benchmarks.distributed import simulation_costs, simulation_restart, simulation_run
from benchmarks.distributed.simulation import bound, main, simulated
from benchmarks.distributed.simulation_run import Setting
from benchmarks.distributed.simulation_web import Web
from benchmarks.distributed.simulation_witness import Witness

from scenthound.frontier.manners import Manners

WEB = Web(hosts=20, pages=100, seed=3)


def test_a_web_is_the_same_for_the_same_seed_and_all_of_it_can_be_reached() -> None:
    assert WEB.sightings(7, 1) == Web(20, 100, 3).sightings(7, 1)
    assert WEB.sightings(7, 1) != Web(20, 100, 4).sightings(7, 1)
    assert len(WEB.worths) == len(WEB.hosts_of) == 100 and len(WEB.fronts) == 20
    assert [WEB.page(WEB.url(page)) for page in range(100)] == [*range(100)]
    for front in WEB.fronts[:5]:
        assert sorted(WEB.omniscient([front], 101)) == sorted(WEB.worths)


def test_one_who_knows_all_worths_takes_the_best_link_first() -> None:
    first, second = WEB.omniscient([0], 2)
    assert first == WEB.worths[0]
    assert second == max(WEB.worths[target] for target in WEB.targets(0) if target)


def test_the_witness_measures_gaps_and_rests() -> None:
    witness = Witness(delay=1.0, lease_seconds=10.0)
    witness.asked(1, 0.0)
    witness.over(1, 0.5)
    witness.asked(2, 0.75)
    witness.asked(1, 1.5)
    assert (witness.shortest_gap, witness.shortest_rest, witness.at_once) == (1.5, 1.0, 0)
    assert witness.complaints(lost=0) == []
    witness.asked(2, 1.5)
    assert (witness.shortest_gap, witness.at_once) == (0.75, 1)
    assert len(witness.complaints(lost=2)) == 3


def test_the_witness_knows_who_may_have_a_url() -> None:
    witness = Witness(delay=1.0, lease_seconds=10.0)
    witness.leased("u", "one", 0.0)
    witness.leased("u", "two", 10.0)  # the first lease has ended
    witness.returned("two")
    witness.leased("u", "one", 11.0)  # two has given it back
    assert witness.leased_twice == 0
    witness.leased("u", "two", 12.0)
    assert witness.leased_twice == 1
    witness.close("u")
    witness.leased("u", "two", 99.0)
    assert witness.leased_twice == 2


@pytest.mark.parametrize("partitions", [1, 3])
def test_workers_that_die_lose_nothing(partitions: int) -> None:
    setting = Setting(
        3, WEB.pages, 0.5, 4, look_again=0.25, partitions=partitions, deaths=12, seed=5
    )
    outcome = simulated(WEB, setting, [0])
    assert outcome.complaints == []
    assert sorted(outcome.worths) == sorted(WEB.worths)
    assert outcome.witness.shortest_rest >= 0.5 - 1e-9
    assert outcome.fetched_again > 0 and outcome.load.cpu > 0


def test_the_bound_is_that_of_hosts_or_of_workers() -> None:
    polite = sum(1 / (1 + seconds) for seconds in WEB.answer_means)
    assert bound(WEB, Setting(1_000, 1)) == pytest.approx(polite)
    asking = 8 * 20 / sum(WEB.answer_means)
    assert bound(WEB, Setting(2, 1, delay=0.0)) == pytest.approx(min(2 * asking, 2 / 0.0066))


def test_a_complaint_is_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--workers", "2", "--pages", "40", "--hosts", "10", "--deaths", "1", "--delay", "0.2"]
    assert main(few) == 0
    assert "nobody asked too soon" in capsys.readouterr().out
    hasty = Manners(delay=0.1, per_host=1)
    monkeypatch.setattr(simulation_run, "Manners", lambda delay, per_host: hasty)
    assert main(few) == 1
    assert "2 workers: a host was asked 0.1" in capsys.readouterr().out


def test_steps_and_restarts_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulation_costs.main(["--urls", "300", "--calls", "20"]) == 0
    told = capsys.readouterr().out
    for step in ("find 50", "add 50", "lease 1", "answered", "close", "next_time", "put_back"):
        assert step in told
    assert simulation_restart.main(["--urls", "300"]) == 0
    assert capsys.readouterr().out.count("read again in") == 2


def test_chance_is_the_seeds() -> None:
    assert WEB.answer_seconds(3, random.Random(1)) == WEB.answer_seconds(3, random.Random(1))
