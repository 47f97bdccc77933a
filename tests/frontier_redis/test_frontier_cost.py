"""The benchmark of the frontier on a server runs, and tells what it is to tell."""

from __future__ import annotations

import pytest
from benchmarks.distributed.frontier_cost import main


def test_costs_are_told_beside_those_of_sqlite(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sizes", "200", "400", "--pages", "5"]) in (0, 1)  # so few URLs prove nothing
    told = capsys.readouterr().out
    assert told.count("bytes a URL\n") == 2
    assert told.count("50 links added") == told.count("lease, answer, ack") == 2
    assert "SQLite, 400 URLs" in told and "(bar 400)" in told
