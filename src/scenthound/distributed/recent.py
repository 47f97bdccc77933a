"""What became of links lately: most links of a page are those of the page before."""

from __future__ import annotations

from collections.abc import Mapping

from scenthound.core.protocols import Admission


class Recent:
    """Remembers admissions by URL; when there are too many, the older half is forgotten.

    Parameters
    ----------
    most : how many are remembered.
    """

    def __init__(self, most: int) -> None:
        self._half = max(1, most // 2)
        self._newer: dict[str, Admission] = {}
        self._older: dict[str, Admission] = {}

    def __contains__(self, url: str) -> bool:
        return url in self._newer or url in self._older

    def get(self, url: str, otherwise: Admission) -> Admission:
        """What became of it last; ``otherwise`` where that is not known."""
        return self._newer.get(url) or self._older.get(url, otherwise)

    def __setitem__(self, url: str, admission: Admission) -> None:
        self._newer[url] = admission
        if len(self._newer) > self._half:
            self._older, self._newer = self._newer, {}

    def update(self, found: Mapping[str, Admission]) -> None:
        """Remember all of these."""
        for url, admission in found.items():
            self[url] = admission

    def pop(self, url: str) -> None:
        """Forget one."""
        self._newer.pop(url, None)
        self._older.pop(url, None)
