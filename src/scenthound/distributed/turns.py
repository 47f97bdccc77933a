"""Which partition is asked next: how each stands, and the best offer of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scenthound.frontier.manners import Manners

FREE, GREEDY = 1, 4
"""Turns of hosts that may be asked, as the scripts number them."""


class Offer(NamedTuple):
    """The best URL of a partition, or its worst: negative score and number. Smaller is better."""

    rank: float
    number: bytes


@dataclass(frozen=True, slots=True)
class Standing:
    """What a partition told of itself.

    ``waiting`` URLs and ``pages`` had; ``free`` and ``greedy`` are the best offers of hosts with
    that turn, ``free_urls`` and ``greedy_urls`` how many they have; ``fair_one_is_due``: greedy
    hosts are not asked. ``rested_at`` and ``due_at`` are when the next host or URL comes back.
    """

    waiting: int
    pages: int
    free_urls: int
    greedy_urls: int
    fair_one_is_due: bool
    free: Offer | None
    greedy: Offer | None
    rested_at: float | None
    due_at: float | None

    @classmethod
    def of(cls, answer: Sequence[bytes | int]) -> Standing:
        """What the script ``wake`` answers."""
        waiting, pages, free_urls, greedy_urls, fair, *rest = answer
        free, free_number, greedy, greedy_number, rested, due = map(_text, rest)
        return cls(
            int(waiting),
            int(pages),
            int(free_urls),
            int(greedy_urls),
            bool(fair),
            offer(free, free_number),
            offer(greedy, greedy_number),
            _time(rested),
            _time(due),
        )


def offer(rank: bytes, number: bytes) -> Offer | None:
    """An offer as scripts write it; None where there is none."""
    return Offer(float(rank), number) if rank else None


class Choice(NamedTuple):
    """Ask this partition for hosts with this turn, down to the ``bound`` that another offers."""

    place: int
    turn: int
    bound: Offer | None


def turn_to_ask(standings: Sequence[Standing], manners: Manners) -> int | None:
    """Hosts with this turn may be asked now: free ones, else greedy ones; None for neither."""
    if any(standing.free for standing in standings):
        return FREE
    if manners.share is None or not any(standing.greedy for standing in standings):
        return None
    return None if any(standing.fair_one_is_due for standing in standings) else GREEDY


def next_choice(standings: Sequence[Standing], manners: Manners) -> Choice | None:
    """The partition with the best offer of hosts that may be asked; None where none may be."""
    turn = turn_to_ask(standings, manners)
    if turn is None:
        return None
    offers = [
        (found, place)
        for place, standing in enumerate(standings)
        if (found := standing.free if turn == FREE else standing.greedy) is not None
    ]
    (_, place), *others = sorted(offers)
    return Choice(place, turn, others[0][0] if others else None)


def next_time(standings: Sequence[Standing], manners: Manners, now: float) -> float | None:
    """When the next URL can be leased: ``now`` if one can be; None when no URL waits."""
    if not any(standing.waiting for standing in standings):
        return None
    if turn_to_ask(standings, manners) is not None:
        return now
    times = [time for s in standings for time in (s.rested_at, s.due_at) if time is not None]
    return max(now, min(times, default=now))


def _text(answer: bytes | int) -> bytes:
    return answer if isinstance(answer, bytes) else str(answer).encode()


def _time(text: bytes) -> float | None:
    return float(text) if text else None
