"""A frontier of bounded size: when too many URLs wait, the worst are forgotten."""

from __future__ import annotations

from scenthound.distributed.partitions import Partitions
from scenthound.distributed.turns import offer


def drop_worst(partitions: Partitions, most: int) -> int:
    """Forget the worst URLs until at most so many wait; how many were forgotten."""
    answers = partitions.run_each([(place, ()) for place in range(len(partitions))], "worst")
    excess = sum(waiting for waiting, _, _ in answers) - most
    worst = {place: offer(*last) for place, (_, *last) in enumerate(answers)}
    dropped = 0
    while dropped < excess:
        left = sorted(((last, place) for place, last in worst.items() if last), reverse=True)
        if not left:
            break
        (_, place), *others = left
        bound = others[0][0] if others else ("", b"")
        count, *last = partitions.run(place, "drop", excess - dropped, *bound)
        dropped += count
        worst[place] = offer(*last)
    return dropped
