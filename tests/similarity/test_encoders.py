"""Encoders with a cache, batches, libraries and packaged files."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import SettingsError, error_text
from scenthound.papers import elmo
from scenthound.papers.elmo import load_elmo
from scenthound.papers.elmo_training import train_elmo
from scenthound.similarity.bert import load_bert
from scenthound.similarity.encoders import (
    CachedEncoder,
    CachedWords,
    Vectors,
    cached_vectors,
    check_files,
    content_key,
    package_folder,
    padded,
    require,
    token_batches,
    word_windows,
)
from scenthound.similarity.sentence_models import load_static
from scenthound.text.terms import unit_rows
from similarity.fixed_vectors import MemoryCache


class Counting:
    """Makes a vector out of a text's length, and knows what it was asked for."""

    def __init__(self, name: str = "counting") -> None:
        self.name, self.dimensions = name, 3
        self.asked: list[list[str]] = []
        self.passages: list[list[tuple[str, ...]]] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return np.array([_vector(text) for text in texts], np.float32)

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        self.passages.append([tuple(words) for words in passages])
        return [np.array([_vector(word) for word in words], np.float32) for words in passages]


def _vector(text: str) -> list[float]:
    return [len(text) / 3, 1 / (len(text) + 1), 0.1]


def test_rows_come_in_order_and_a_text_is_read_once() -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, MemoryCache())
    found = cached.encode(["aa", "b", "aa"])
    assert np.allclose(found, [_vector("aa"), _vector("b"), _vector("aa")], atol=1e-3)
    cached.encode(["c", "b"])
    assert encoder.asked == [["aa", "b"], ["c"]]


def test_a_full_cache_gives_the_very_numbers_of_an_empty_one() -> None:
    memory = MemoryCache()
    first = CachedEncoder(Counting(), memory).encode(["aa", "bbbb"])
    unasked = Counting()
    second = CachedEncoder(unasked, memory).encode(["bbbb", "aa"])
    assert unasked.asked == []
    assert first.dtype == second.dtype == np.float32
    assert first[::-1].tobytes() == second.tobytes()
    assert first.tobytes() == first.astype(np.float16).astype(np.float32).tobytes()


def test_vectors_of_another_shape_are_made_again() -> None:
    cases: list[tuple[int, ...]] = [(2,), (3, 1), ()]
    for shape in cases:
        memory = MemoryCache()
        memory.rows["counting", content_key("aa")] = np.zeros(shape, np.float16)
        found = CachedEncoder(Counting(), memory).encode(["aa"])
        assert np.allclose(found, [_vector("aa")], atol=1e-3)
        assert memory.rows["counting", content_key("aa")].shape == (3,)


def test_passages_are_tables_in_order_and_read_once() -> None:
    encoder = Counting()
    cached = CachedWords(encoder, MemoryCache())
    found = cached.encode_words([["a", "bb"], [], ["bb", "a"], ["a", "bb"]])
    assert [table.shape for table in found] == [(2, 3), (0, 3), (2, 3), (2, 3)]
    assert np.array_equal(found[0], found[2][::-1])
    assert encoder.passages == [[("a", "bb"), ("bb", "a")]]
    again = cached.encode_words([["a", "bb"]])
    assert len(encoder.passages) == 1
    assert again[0].tobytes() == found[0].tobytes()


def test_what_is_missing_is_made_in_one_go_and_the_rest_is_found() -> None:
    memory, asked = MemoryCache(), list[Sequence[int]]()
    memory.keep("squares", {b"2": np.array([4], np.float16), b"3": np.zeros(7, np.float16)})

    def squares(numbers: Sequence[int]) -> list[Vectors]:
        asked.append(numbers)
        return [np.array([number**2], np.float32) for number in numbers]

    found = cached_vectors(memory, "squares", {b"2": 2, b"3": 3, b"4": 4}, lambda _: (1,), squares)
    assert {key: row.tolist() for key, row in found.items()} == {b"2": [4], b"3": [9], b"4": [16]}
    assert asked == [[3, 4]]
    assert {key for _, key in memory.rows} == found.keys()
    assert memory.rows["squares", b"3"].tolist() == [9]
    assert cached_vectors(memory, "squares", {}, lambda _: (1,), squares) == {}


def test_numbers_that_float16_does_not_hold_stay_finite() -> None:
    class Huge(Counting):
        def encode(self, texts: Sequence[str]) -> Vectors:
            return np.full((len(texts), 3), 1e9, np.float32)

    assert np.isfinite(CachedEncoder(Huge(), MemoryCache()).encode(["aa"])).all()


def test_rows_get_length_one_and_zeros_stay() -> None:
    given = np.array([[3, 4], [0, 0], [-2, 0]], np.float32)
    found = unit_rows(given)
    assert np.allclose(found, [[0.6, 0.8], [0.0, 0.0], [-1.0, 0.0]])
    assert found.dtype == np.float32 and given[0].tolist() == [3, 4]
    assert unit_rows(given[:0]).shape == (0, 2)


# Batches of texts, windows of words.

LENGTHS = st.lists(st.integers(1, 300), max_size=60)


@given(LENGTHS, st.integers(1, 900), st.integers(0, 200))
def test_every_text_is_in_one_batch_within_the_limits(
    lengths: list[int], most: int, spare: int
) -> None:
    batches = list(token_batches(lengths, most, spare))
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
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


# What the extra brings, asked for by name.

HERE = Path(__file__)


@pytest.mark.parametrize(
    ("library", "load", "advice"),
    [
        ("torch", load_bert, "'scenthound[neural]'"),
        ("transformers", load_bert, "'scenthound[neural]'"),
        ("torch", lambda: load_elmo(HERE, HERE), "'scenthound[neural]'"),
        ("safetensors", load_static, "safetensors"),
        ("tokenizers", load_static, "tokenizers"),
    ],
)
def test_one_that_is_not_there_says_what_to_install(
    library: str, load: Callable[[], object], advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_static.cache_clear()
    monkeypatch.setitem(sys.modules, library, None)
    sentence = f" needs {library}; install it with: pip install {advice}."
    with pytest.raises(SettingsError, match=re.escape(sentence)):
        load()


@pytest.mark.parametrize("kind", ["OSError", "RuntimeError", "AttributeError"])
def test_one_that_is_there_and_cannot_be_loaded_says_why(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = "libcudart.so.12: cannot open shared object file"
    (tmp_path / "broken_library.py").write_text(f"raise {kind}({reason!r})")
    (tmp_path / "hungry_library.py").write_text("raise MemoryError")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MemoryError):  # which is not the library's fault
        require("hungry_library", "BERT")
    with pytest.raises(SettingsError) as caught:
        require("broken_library.part", "BERT")
    expected = f"which is installed but cannot be loaded ({reason}); install it again."
    assert str(caught.value) == f"BERT needs broken_library, {expected}"


def test_a_complaint_is_one_line_that_a_sentence_can_hold() -> None:
    for printed, passed_on in [
        ("no\x1b[31m such\r\n\tfile", "no [31m such file"),
        ("look at the report!", "look at the report"),
        ("it ended...\n", "it ended"),
        ("x" * 300, "x" * 200),
        ("\u202e\x00", "OSError"),
        ("", "OSError"),
    ]:
        assert error_text(OSError(printed)) == passed_on


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


def test_a_missing_file_is_named_and_may_come_later(tmp_path: Path) -> None:
    advice = r"weights\.bin is missing, damaged,.*reinstall packed-model\.$"
    with pytest.raises(SettingsError, match=advice):
        check_files(tmp_path, tuple(PINNED.items()), "packed-model")
    (tmp_path / "weights.bin").write_bytes(CONTENT[:-1])
    with pytest.raises(SettingsError, match=advice):
        check_files(tmp_path, tuple(PINNED.items()), "packed-model")
    (tmp_path / "weights.bin").write_bytes(CONTENT)
    check_files(tmp_path, tuple(PINNED.items()), "packed-model")


def test_heavy_libraries_are_left_alone_until_they_are_needed() -> None:
    """A crawl with a warm cache starts as fast as one without a model."""
    program = f"""
import sys
import {elmo.__name__}, {train_elmo.__module__}
from {load_bert.__module__} import is_minilm_there, load_bert
from {load_static.__module__} import load_static
load_static().encode(["a"])
if is_minilm_there({{}}):
    load_bert()
heavy = ("torch", "transformers", "h5py", "gensim", "wordllama", "requests")
print([name for name in heavy if name in sys.modules])
"""
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
