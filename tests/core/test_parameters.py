"""Parameters by name, sizes, registries, errors, and values remembered within a limit."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core import errors
from scenthound.core.cache import LruCache
from scenthound.core.errors import InputError, ScenthoundError, SettingsError, UnknownNameError
from scenthound.core.parameters import (
    Value,
    check_parameters,
    format_size,
    keyword_parameters,
    parse_size,
)
from scenthound.core.registry import Registry

KNOWN: dict[str, Value] = {"decay": 0.5, "depth": 3, "form": "plain", "deep": False}


def test_keyword_parameters_are_those_after_the_star_with_their_defaults() -> None:
    def made(first: object, *, decay: float = 0.5, depth: int = 3) -> None:
        del first, decay, depth

    assert keyword_parameters(made) == {"decay": 0.5, "depth": 3}


def test_values_are_of_the_type_asked_for_and_keys_are_known() -> None:
    """A whole number becomes a fraction where one is asked for."""
    found = check_parameters("thing", "shark", {"decay": 1, "depth": 2, "deep": True}, KNOWN)
    assert found == {"decay": 1.0, "depth": 2, "deep": True}
    assert type(found["decay"]) is float
    for key, value in [("depth", 2.0), ("depth", True), ("form", 1), ("deep", 1), ("decay", "1")]:
        with pytest.raises(SettingsError, match=rf"shark\.{key} takes a value like .*--set"):
            check_parameters("thing", "shark", {key: value}, KNOWN)  # type: ignore[dict-item]
    with pytest.raises(UnknownNameError, match=r"key for thing 'shark': 'dept'.*'depth'"):
        check_parameters("thing", "shark", {"dept": 1}, KNOWN)


# Sizes as people write them, and as they read them.


def test_sizes_are_read_and_reported() -> None:
    for text, size in [
        ("0", 0), ("7", 7), ("7b", 7), ("2GB", 2_000_000_000), (" 2 gb ", 2_000_000_000),
        ("500M", 500_000_000), ("1.5kB", 1_500), (".5k", 500), ("1GiB", 1_073_741_824),
        ("2 KiB", 2_048), ("3T", 3_000_000_000_000),
    ]:  # fmt: skip
        assert parse_size(text) == size
    for text in ("", "-1", "1e9", "GB", "2 XB", "1,5GB", "2GB/s", "2ib", "nan", "9" * 99, "٣GB"):
        assert parse_size(text) is None
    for size, reported in [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (20_480, "20 kB"), (999_999, "1.0 MB"),
        (1_234_567_890, "1.2 GB"), (2 * 10**15, "2000 TB"),
    ]:  # fmt: skip
        assert format_size(size) == reported


@given(st.integers(0, 10**15))
def test_what_is_reported_is_near_the_size(size: int) -> None:
    back = parse_size(format_size(size))
    assert back is not None and abs(back - size) <= 0.06 * size


# Unknown names lead to those that were perhaps meant.


def test_an_unknown_name_is_answered_with_the_closest() -> None:
    for name, known, message in [
        ("shrak", ["shark", "fish"], "unknown strategy 'shrak'; did you mean 'shark'?"),
        ("vsm", ["vsm-mean", "vsm-four", "fish"],
         "unknown strategy 'vsm'; did you mean 'vsm-mean' or 'vsm-four'?"),
        ("zzz", ["shark", "fish"], "unknown strategy 'zzz'; choose one of: fish, shark."),
        ("", ["fish"], "unknown strategy ''; choose one of: fish."),
        ("zzz", [], "unknown strategy 'zzz'; there are none."),
    ]:  # fmt: skip
        error = UnknownNameError("strategy", name, known)
        assert str(error) == message
        assert (error.kind, error.name, error.known) == ("strategy", name, sorted(known))


def test_the_tree_drawn_in_the_module_is_the_tree_of_classes() -> None:
    drawn = re.findall(r"^([|` -]*)(\w+Error)\b", inspect.getdoc(errors) or "", re.MULTILINE)
    parents: list[str] = ["Exception"]
    tree = {}
    for indent, name in drawn:
        depth = len(indent) // 4
        tree[name] = parents[depth]
        parents[depth + 1 :] = [name]
    kinds = [kind for kind in vars(errors).values() if inspect.isclass(kind)]
    assert tree == {
        kind.__name__: kind.__bases__[0].__name__
        for kind in kinds
        if issubclass(kind, ScenthoundError)
    }


@dataclass(frozen=True)
class Dog:
    name: str


def test_a_registry_is_a_mapping_in_the_order_given() -> None:
    hound, poodle = Dog("hound"), Dog("poodle")
    dogs = Registry("dog", (poodle, hound))
    assert list(dogs.items()) == [("poodle", poodle), ("hound", hound)]
    assert len(dogs) == 2 and "hound" in dogs and "cat" not in dogs
    with pytest.raises(InputError, match=r"^unknown dog 'hond'; did you mean 'hound'\?$"):
        dogs["hond"]
    with pytest.raises(ValueError, match="two entries of one name among the dog entries"):
        Registry("dog", (hound, Dog("hound")))


# What is remembered stays within its bytes, and what was used longest ago goes first.


def test_what_was_used_longest_ago_goes_first() -> None:
    memory: LruCache[int, bytes] = LruCache(3, len)
    for key in (1, 2, 3):
        memory.put(key, b"x")
    assert memory.get(1) == b"x"
    memory.put(4, b"x")
    assert [memory.get(key) for key in (1, 2, 3, 4)] == [b"x", None, b"x", b"x"]
    assert (len(memory), memory.bytes) == (3, 3)


@given(st.lists(st.tuples(st.integers(0, 9), st.binary(max_size=12))), st.integers(1, 30))
def test_the_bytes_are_those_of_the_values(puts: list[tuple[int, bytes]], limit: int) -> None:
    memory: LruCache[int, bytes] = LruCache(limit, len)
    for key, value in puts:
        memory.put(key, value)
        held = [found for key in range(10) if (found := memory.get(key)) is not None]
        assert memory.bytes == sum(map(len, held)) <= limit and len(held) == len(memory)
        assert memory.get(key) == (value if len(value) <= limit else None)
