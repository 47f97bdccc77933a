"""What is kept beyond a process, here in a dictionary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class DictionaryRows:
    """Rows that tests can look at and spoil."""

    def __init__(self) -> None:
        self.kept: dict[bytes, bytes] = {}
        self.asked = 0

    def find(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        self.asked += len(keys)
        return {key: self.kept[key] for key in keys if key in self.kept}

    def keep(self, key: bytes, content: bytes) -> None:
        self.kept[key] = content
