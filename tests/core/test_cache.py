"""What is remembered stays within its bytes, and what was used longest ago goes first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.cache import LruCache


def remembered(limit: int) -> LruCache[int, bytes]:
    return LruCache(limit, len)


def test_what_was_used_longest_ago_goes_first() -> None:
    memory = remembered(3)
    for key in (1, 2, 3):
        memory.put(key, b"x")
    assert memory.get(1) == b"x"
    memory.put(4, b"x")
    assert [memory.get(key) for key in (1, 2, 3, 4)] == [b"x", None, b"x", b"x"]
    assert (len(memory), memory.bytes) == (3, 3)


@given(st.lists(st.tuples(st.integers(0, 9), st.binary(max_size=12))), st.integers(1, 30))
def test_the_bytes_are_those_of_the_values(puts: list[tuple[int, bytes]], limit: int) -> None:
    memory = remembered(limit)
    for key, value in puts:
        memory.put(key, value)
        held = [found for key in range(10) if (found := memory.get(key)) is not None]
        assert memory.bytes == sum(map(len, held)) <= limit and len(held) == len(memory)
        assert memory.get(key) == (value if len(value) <= limit else None)
