"""Which URLs a worker gets: the best of all partitions, this very one, or one drawn."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence

from scenthound.core.model import Candidate
from scenthound.distributed.partitions import Partitions
from scenthound.distributed.rows import Rows
from scenthound.distributed.scripts import Argument
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

Answered = tuple[str, float]
"""A leased URL, and when the answer to it was over."""


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
        self._name, self._asked = secrets.token_bytes(6), 0
        self.waiting = 0
        """How many URLs waited when some were last leased."""

    def best(self, most: int, now: float, answers: Sequence[Answered] = ()) -> list[Candidate]:
        """The best that may be asked for; of one partition in one round trip.

        ``answers`` are told before: a host that has answered may be asked again.
        """
        alone = len(self._partitions) == 1
        if not alone:
            self.answered(answers)
        standings = [] if alone else self._partitions.wake(now)
        choice = Choice(0, FREE, None) if alone else next_choice(standings, self._manners)
        leased: list[Candidate] = []
        while choice is not None:
            told = answers if alone and not standings else ()
            standing, rows = self._ask(choice, most - len(leased), now, told)
            standings[choice.place : choice.place + 1] = [standing]
            leased += [self._rows.row(row).candidate() for row in rows]
            choice = next_choice(standings, self._manners) if len(leased) < most else None
        self.waiting = sum(standing.waiting for standing in standings)
        return leased

    def answered(self, answers: Sequence[Answered]) -> None:
        """The hosts' answers to these URLs are over: they rest."""
        steps = [(url, some) for url, _, some in self._answers(answers)]
        self._partitions.run_on_each(steps, "answered")

    def _answers(self, answers: Sequence[Answered]) -> list[tuple[str, str, Sequence[Argument]]]:
        rests = int(self._manners.rests_after_answer)
        return [(url, "answered", (self._worker, at, rests)) for url, at in answers]

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

    def _ask(
        self, choice: Choice, most: int, now: float, answers: Sequence[Answered]
    ) -> tuple[Standing, list[bytes]]:
        bound = choice.bound or ("", b"")
        expires = now + self._seconds
        self._asked += 1
        request = self._name + self._asked.to_bytes(6, "big")
        arguments = (now, expires, self._worker, most, choice.turn, *bound, request)
        answer, rows = self._partitions.run_after(
            self._answers(answers), choice.place, "lease", *arguments
        )
        return self._partitions.heard(choice.place, answer), rows
