"""Which URLs a worker gets: the best of all partitions, this very one, or one drawn."""

from __future__ import annotations

import random

from scenthound.core.model import Candidate
from scenthound.distributed.partitions import Partitions
from scenthound.distributed.rows import Rows
from scenthound.distributed.turns import (
    FREE,
    GREEDY,
    Choice,
    Standing,
    next_choice,
    next_time,
    turn_to_ask,
)
from scenthound.frontier.manners import Manners


class Leasing:
    """Leases to one worker.

    Parameters
    ----------
    partitions, rows : the server.
    manners : delay, limits and budgets of hosts.
    worker : whose leases these are.
    seconds : after which they expire.
    """

    def __init__(
        self, partitions: Partitions, rows: Rows, manners: Manners, worker: str, seconds: float
    ) -> None:
        self._partitions = partitions
        self._rows = rows
        self._manners = manners
        self._worker = worker
        self._seconds = seconds

    def best(self, most: int, now: float) -> list[Candidate]:
        """The best that may be asked for; of one partition in one round trip."""
        alone = len(self._partitions) == 1
        standings = [] if alone else self._partitions.wake(now)
        choice = Choice(0, FREE, None) if alone else next_choice(standings, self._manners)
        leased: list[Candidate] = []
        while choice is not None:
            standing, rows = self._ask(choice, most - len(leased), now)
            standings[choice.place : choice.place + 1] = [standing]
            leased += [self._rows.row(row).candidate() for row in rows]
            choice = next_choice(standings, self._manners) if len(leased) < most else None
        return leased

    def this(self, url: str, now: float) -> Candidate | None:
        """This URL; None unless it is ready and its host may be asked."""
        turn = turn_to_ask(self._partitions.wake(now), self._manners)
        row = self._partitions.run_on(
            url, "take", now + self._seconds, self._worker, int(turn == GREEDY)
        )
        return None if row is None else self._rows.row(row).candidate()

    def drawn(self, rng: random.Random, now: float, leased: bool) -> Candidate | None:
        """One of those that may be asked for, each as likely as another; None where none may."""
        standings = self._partitions.wake(now)
        turn = turn_to_ask(standings, self._manners)
        if turn is None:
            return None
        weights = [s.free_urls if turn == FREE else s.greedy_urls for s in standings]
        (place,) = rng.choices(range(len(weights)), weights)
        expires, chance = now + self._seconds, rng.getrandbits(31)
        row = self._partitions.run(place, "draw", turn, chance, int(leased), expires, self._worker)
        return None if row is None else self._rows.row(row).candidate()

    def next_time(self, now: float) -> float | None:
        """When the next can be leased; None when no URL waits."""
        return next_time(self._partitions.wake(now), self._manners, now)

    def _ask(self, choice: Choice, most: int, now: float) -> tuple[Standing, list[bytes]]:
        bound = choice.bound or ("", b"")
        expires = now + self._seconds
        arguments = (now, expires, self._worker, most, choice.turn, *bound)
        answer, rows = self._partitions.run(choice.place, "lease", *arguments)
        return self._partitions.heard(choice.place, answer), rows
