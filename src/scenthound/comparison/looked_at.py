"""Of many comparisons some differ by chance: how many stand when that is counted."""

from __future__ import annotations

from scenthound.comparison.standings import Table

_LEVEL = 0.05


def stand_sentence(table: Table) -> str:
    """How many differences to the baseline are left by Holm's p; "" for fewer than two."""
    found = [each.difference for each in table.standings]
    tested = [each for each in found if each is not None and each.p_holm is not None]
    if len(tested) < 2:
        return ""
    stand = sum((each.p_holm or 0.0) < _LEVEL for each in tested)
    told = (
        f"{stand} of {len(tested)} differences stand when it counts that {len(tested)} were "
        "looked at (Holm, 5 %)."
    )
    most = max(each.mean.groups for each in tested)
    if len(tested) * 2.0 ** (1 - most) >= _LEVEL:
        told += f" With {most} {table.groups} none can: compare fewer strategies on more."
    return told
