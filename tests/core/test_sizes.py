"""Sizes as people write them, and as they read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.sizes import size_in, told_size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0), ("7", 7), ("7b", 7), ("2GB", 2_000_000_000), (" 2 gb ", 2_000_000_000),
        ("500M", 500_000_000), ("1.5kB", 1_500), (".5k", 500), ("1GiB", 1_073_741_824),
        ("2 KiB", 2_048), ("3T", 3_000_000_000_000),
    ],
)  # fmt: skip
def test_sizes(text: str, size: int) -> None:
    assert size_in(text) == size


@pytest.mark.parametrize(
    "text", ["", "abc", "-1", "1e9", "GB", "2 XB", "1,5GB", "2GB/s", "2ib", "nan", "9" * 99, "٣GB"]
)
def test_what_is_no_size(text: str) -> None:
    assert size_in(text) is None


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (20_480, "20 kB"), (999_999, "1.0 MB"),
        (1_234_567_890, "1.2 GB"), (2 * 10**15, "2000 TB"),
    ],
)  # fmt: skip
def test_sizes_are_told(size: int, told: str) -> None:
    assert told_size(size) == told


@given(st.integers(0, 10**15))
def test_what_is_told_is_near_the_size(size: int) -> None:
    back = size_in(told_size(size))
    assert back is not None and abs(back - size) <= 0.06 * size
