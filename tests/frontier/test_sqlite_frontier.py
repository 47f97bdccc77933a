"""The SQLite frontier keeps both contracts and agrees with both models."""

from __future__ import annotations

import sqlite3

from hypothesis import settings

from frontier.frontier_contract import MAX, FrontierContract
from frontier.frontier_model import LEASE_SECONDS, FrontierMachine
from frontier.polite_contract import PoliteContract
from frontier.polite_model import PoliteMachine
from scenthound.core.protocols import Frontier, PoliteFrontier
from scenthound.frontier.combination import Combination
from scenthound.frontier.manners import Manners
from scenthound.frontier.sqlite import SqliteFrontier


class TestSqliteFrontier(FrontierContract, PoliteContract):
    def setup_method(self) -> None:
        self.opened: list[sqlite3.Connection] = []

    def teardown_method(self) -> None:
        for connection in self.opened:
            connection.close()

    def connect(self) -> sqlite3.Connection:
        self.opened.append(sqlite3.connect(":memory:", isolation_level=None))
        return self.opened[-1]

    def make(self, combination: Combination = MAX, lease_seconds: float = 10.0) -> Frontier:
        return SqliteFrontier(self.connect(), combination, lease_seconds=lease_seconds)

    def polite(self, manners: Manners, lease_seconds: float = 100.0) -> PoliteFrontier:
        return SqliteFrontier(self.connect(), manners=manners, lease_seconds=lease_seconds)


class SqliteMachine(FrontierMachine):
    def make(self, combination: Combination) -> Frontier:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        return SqliteFrontier(self.connection, combination, lease_seconds=LEASE_SECONDS)

    def teardown(self) -> None:
        self.connection.close()


class TestSqliteFrontierAgainstTheModel(SqliteMachine.TestCase):  # type: ignore[misc, valid-type]
    settings = settings(max_examples=100, stateful_step_count=40, deadline=None)


class PoliteSqliteMachine(PoliteMachine):
    def make(self, manners: Manners) -> PoliteFrontier:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        return self.make_again(manners, 1.0)

    def make_again(self, manners: Manners, now: float) -> PoliteFrontier:
        return SqliteFrontier(
            self.connection, manners=manners, lease_seconds=LEASE_SECONDS, now=now
        )

    def teardown(self) -> None:
        self.connection.close()


class TestSqliteFrontierAgainstPoliteHosts(
    PoliteSqliteMachine.TestCase  # type: ignore[misc, valid-type]
):
    settings = settings(max_examples=150, stateful_step_count=50, deadline=None)
