"""Names that are unknown lead to the ones that were perhaps meant."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

import pytest

from scenthound.core import errors
from scenthound.core.errors import InputError, ScenthoundError, UnknownNameError
from scenthound.core.registry import Registry


@dataclass(frozen=True)
class Dog:
    name: str


HOUND, POODLE = Dog("hound"), Dog("poodle")
DOGS = Registry("dog", (POODLE, HOUND))
ERRORS = [kind for kind in vars(errors).values() if inspect.isclass(kind)]
ERRORS = [kind for kind in ERRORS if issubclass(kind, ScenthoundError)]


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
    assert tree == {kind.__name__: kind.__bases__[0].__name__ for kind in ERRORS}


def test_a_registry_is_a_mapping_in_the_order_given() -> None:
    assert list(DOGS) == ["poodle", "hound"]
    assert list(DOGS.values()) == [POODLE, HOUND]
    assert len(DOGS) == 2
    assert DOGS["hound"] is HOUND
    assert "hound" in DOGS and "cat" not in DOGS


def test_looking_up_a_wrong_name_helps() -> None:
    with pytest.raises(InputError, match=r"^unknown dog 'hond'; did you mean 'hound'\?$"):
        DOGS["hond"]


def test_two_entries_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two entries of one name among the dog entries"):
        Registry("dog", (HOUND, Dog("hound")))
