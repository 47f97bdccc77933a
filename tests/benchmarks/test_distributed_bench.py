"""The benchmarks of many workers and of the frontier: their arithmetic, and what they print."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from os import environ
from pathlib import Path

import pytest
from benchmarks.distributed import (
    frontier_cost,
    simulation,
    simulation_costs,
    simulation_restart,
    simulation_run,
)
from benchmarks.distributed.bars import Bar
from benchmarks.distributed.closed_webs import rewritten
from benchmarks.distributed.disturbed import leased_by
from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.run import PARTS, main, parts
from benchmarks.distributed.wrong_clocks import wrong_clock
from redis import Redis

from frontier.frontier_contract import seen
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis.frontier import RedisFrontier

A, B = "http://a.test/x/1.html", "http://a.test/x/2.html"


def test_a_bar_is_held_from_its_own_value_on() -> None:
    for figure, at_most, held in (
        (1.4, False, True), (1.39, False, False), (1.4, True, True), (1.41, True, False),
    ):  # fmt: skip
        bar = Bar("speed", figure, 1.4, at_most)
        assert bar.is_held is held
        assert bar.line().startswith("PASS speed" if held else "FAIL speed")


def test_links_lead_to_the_new_place_or_nowhere() -> None:
    body = b"""<a href="2.html#part">in</a> <a href='http://b.test/'>out</a> <a HREF=/x/2.html>"""
    moved = rewritten(body, A, lambda url: "http://new.test/?a=1&b=2" if url == B else None)
    assert moved == (
        b'<a href="http://new.test/?a=1&amp;b=2">in</a> <a href="#">out</a> '
        b'<a HREF="http://new.test/?a=1&amp;b=2">'
    )


def test_parts_are_known_by_name_and_a_missing_web_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {*parts(Path(), 1), "cost"} == set(PARTS)
    for part in ("speed", "harvest"):
        assert main(["--only", part, "--webs", str(tmp_path), "--out", str(tmp_path)]) == 2
        assert str(tmp_path) in capsys.readouterr().err


def test_a_wrong_clock_is_wrong_for_the_time_of_day_alone() -> None:
    program = "import time; print(time.time(), time.time_ns() / 1e9, time.monotonic())"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], env={**environ, **wrong_clock(-30.0)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    of_day, in_ns, measured = map(float, done.stdout.split())
    assert of_day - time.time() == pytest.approx(-30.0, abs=5.0)
    assert in_ns - of_day == pytest.approx(0.0, abs=1.0)
    assert measured == pytest.approx(time.monotonic(), abs=5.0)


def test_leases_are_counted_by_worker() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder)) as url,
        Redis.from_url(url) as client,
    ):
        for worker, most in (("worker-1", 2), ("worker-11", 3)):
            politeness = PolitenessPolicy()
            frontier = RedisFrontier(
                client, "c", politeness=politeness, worker=worker, partitions=2
            )
            frontier.add(seen(f"http://{worker}-{n}.test/", 0.5) for n in range(9))
            assert len(frontier.lease(most, 0.0)) == most
        leased = [leased_by(client, "c", name) for name in ("worker-1", "worker-11", "w")]
        assert leased == [2, 3, 0]


def test_the_simulation_complains_by_its_exit_code_and_costs_are_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--workers", "2", "--pages", "40", "--hosts", "10", "--deaths", "1", "--delay", "0.2"]
    assert simulation.main(few) == 0
    assert "no host was asked too soon" in capsys.readouterr().out
    hasty = PolitenessPolicy(delay=0.1, per_host=1)
    monkeypatch.setattr(simulation_run, "PolitenessPolicy", lambda delay, per_host: hasty)
    assert simulation.main(few) == 1
    assert "2 workers: a host was asked 0.1" in capsys.readouterr().out
    assert simulation_costs.main(["--urls", "300", "--calls", "20"]) == 0
    printed = capsys.readouterr().out
    steps = ("find 50", "add 50", "lease 1", "record_response", "close", "next_time", "put_back")
    assert [step for step in steps if step not in printed] == []
    assert simulation_restart.main(["--urls", "120"]) == 0
    assert capsys.readouterr().out.count("read again in") == 2
    sizes = ["--sizes", "100", "200", "--pages", "3"]
    assert frontier_cost.main(sizes) in (0, 1)  # so few URLs prove nothing
    printed = capsys.readouterr().out
    assert printed.count("bytes a URL\n") == 2
    assert printed.count("50 links added") == printed.count("lease, response, ack") == 2
    assert "SQLite, 200 URLs" in printed and "(bar 400)" in printed
