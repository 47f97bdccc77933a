"""What is remembered stays within its bytes, and what was used longest ago goes first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.keeping import Remembered


def remembered(limit: int) -> Remembered[int, bytes]:
    return Remembered(limit, len)


def test_what_was_used_longest_ago_goes_first() -> None:
    memory = remembered(3)
    for key in (1, 2, 3):
        memory.put(key, b"x")
    assert memory.get(1) == b"x"
    memory.put(4, b"x")
    assert [memory.get(key) for key in (1, 2, 3, 4)] == [b"x", None, b"x", b"x"]
    assert (len(memory), memory.bytes) == (3, 3)


def test_a_value_takes_the_place_of_the_one_before() -> None:
    memory = remembered(10)
    memory.put(1, b"four")
    memory.put(1, b"sixsix")
    assert (memory.get(1), memory.bytes) == (b"sixsix", 6)


def test_what_is_larger_than_all_room_is_not_remembered() -> None:
    memory = remembered(5)
    memory.put(1, b"four")
    memory.put(2, b"sixsix")
    assert (memory.get(1), memory.get(2)) == (b"four", None)
    memory.put(1, b"sixsix")
    assert (memory.get(1), memory.bytes) == (None, 0)


@given(st.lists(st.tuples(st.integers(0, 9), st.binary(max_size=12))), st.integers(1, 30))
def test_the_bytes_are_those_of_the_values(puts: list[tuple[int, bytes]], limit: int) -> None:
    memory = remembered(limit)
    for key, value in puts:
        memory.put(key, value)
        held = [found for key in range(10) if (found := memory.get(key)) is not None]
        assert memory.bytes == sum(map(len, held)) <= limit and len(held) == len(memory)
        assert memory.get(key) == (value if len(value) <= limit else None)
