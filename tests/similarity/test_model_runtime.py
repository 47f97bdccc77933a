""""""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import SettingsError, error_text
from scenthound.similarity.encoders import (
    check_files,
    package_folder,
    padded,
    require,
    token_batches,
    word_windows,
)

LENGTHS = st.lists(st.integers(1, 300), max_size=60)


@given(LENGTHS, st.integers(1, 900), st.integers(0, 200))
def test_every_text_is_in_one_batch(lengths: list[int], most: int, spare: int) -> None:
    batches = list(token_batches(lengths, most, spare))
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))


@given(LENGTHS, st.integers(1, 900), st.integers(0, 200))
def test_a_batch_keeps_to_its_limits(lengths: list[int], most: int, spare: int) -> None:
    for batch in token_batches(lengths, most, spare):
        inside = [lengths[place] for place in batch]
        table = max(inside) * len(inside)
        assert len(batch) == 1 or (table <= most and table - sum(inside) <= spare)


def test_rows_are_filled_up_and_the_mask_says_where() -> None:
    table, mask = padded([[5, 6, 7], [8]], 9)
    assert table.tolist() == [[5, 6, 7], [8, 9, 9]]
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]


def test_windows_hold_whole_words() -> None:
    cases: list[tuple[list[int], list[tuple[int, int]]]] = [
        ([], []),
        ([2, 2, 1], [(0, 3)]),
        ([2, 2, 2], [(0, 2), (2, 3)]),
        ([5, 5], [(0, 1), (1, 2)]),
        ([0, 5, 0, 1], [(0, 3), (3, 4)]),
        ([0, 0], [(0, 2)]),
    ]
    for pieces, expected in cases:
        assert list(word_windows(pieces, 5)) == expected


@given(st.lists(st.integers(0, 7), max_size=50))
def test_windows_follow_each_other_and_fit(pieces: list[int]) -> None:
    windows = list(word_windows(pieces, 7))
    assert [place for start, end in windows for place in range(start, end)] == [*range(len(pieces))]
    assert all(np.sum(pieces[start:end]) <= 7 for start, end in windows)


# What the extra brings, asked for by name.


def test_one_that_is_not_there_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SettingsError) as caught:
        require("torch", "BERT")
    advice = "install it with: pip install 'scenthound[neural]'."
    assert str(caught.value) == f"BERT needs torch; {advice}"


@pytest.mark.parametrize("kind", ["OSError", "RuntimeError", "AttributeError"])
def test_one_that_is_there_and_cannot_be_loaded_says_why(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = "libcudart.so.12: cannot open shared object file"
    (tmp_path / "broken_library.py").write_text(f"raise {kind}({reason!r})")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SettingsError) as caught:
        require("broken_library.part", "BERT")
    expected = f"which is installed but cannot be loaded ({reason}); install it again."
    assert str(caught.value) == f"BERT needs broken_library, {expected}"


def test_too_little_memory_is_not_blamed_on_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hungry_library.py").write_text("raise MemoryError")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MemoryError):
        require("hungry_library", "BERT")


def test_a_complaint_is_one_line_that_a_sentence_can_hold() -> None:
    for said, passed_on in [
        ("no\x1b[31m such\r\n\tfile", "no [31m such file"),
        ("look at the report!", "look at the report"),
        ("it ended...\n", "it ended"),
        ("x" * 300, "x" * 200),
        ("\u202e\x00", "OSError"),
        ("", "OSError"),
    ]:
        assert error_text(OSError(said)) == passed_on


@pytest.mark.parametrize(("before", "after"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_threads_that_wait_leave_their_cores_to_others_unless_the_user_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, before: str | None, after: str
) -> None:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    if before is not None:
        monkeypatch.setenv("OMP_WAIT_POLICY", before)
    require("json", "reading")
    assert os.environ["OMP_WAIT_POLICY"] == after


CONTENT = b"some weights"
PINNED = {"weights.bin": hashlib.sha256(CONTENT).hexdigest()}


def test_the_folder_of_a_package_is_found_without_importing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "packed_model"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('something else is missing')")
    monkeypatch.syspath_prepend(tmp_path)
    assert package_folder("packed_model", "") == package
    assert "packed_model" not in sys.modules


def test_a_package_that_is_not_there_or_no_folder_is_one_sentence() -> None:
    for module in ["no_such_package_here", "this"]:
        with pytest.raises(SettingsError, match=r"^Install the thing\.$"):
            package_folder(module, "Install the thing.")


def test_a_file_that_is_cut_short_is_named(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(CONTENT[:-1])
    with pytest.raises(SettingsError, match=r"weights\.bin is damaged.*reinstall packed-model\.$"):
        check_files(tmp_path, tuple(PINNED.items()), "packed-model")


def test_a_missing_file_is_named_and_may_come_later(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"weights\.bin is missing"):
        check_files(tmp_path, tuple(PINNED.items()), "packed-model")
    (tmp_path / "weights.bin").write_bytes(CONTENT)
    check_files(tmp_path, tuple(PINNED.items()), "packed-model")
    assert (tmp_path / "weights.bin").exists()
