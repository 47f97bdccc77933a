"""Parameters that users set by name."""

from __future__ import annotations

import pytest

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Value, checked, keyword_parameters

KNOWN: dict[str, Value] = {"decay": 0.5, "depth": 3, "form": "plain", "deep": False}


def made(first: object, *, decay: float = 0.5, depth: int = 3) -> None:
    del first, decay, depth


def test_keyword_parameters_are_those_after_the_star_with_their_defaults() -> None:
    assert keyword_parameters(made) == {"decay": 0.5, "depth": 3}


def test_a_whole_number_becomes_a_fraction_where_one_is_asked_for() -> None:
    found = checked("thing", "shark", {"decay": 1, "depth": 2, "deep": True}, KNOWN)
    assert found == {"decay": 1.0, "depth": 2, "deep": True}
    assert type(found["decay"]) is float


@pytest.mark.parametrize(
    ("key", "value"), [("depth", 2.0), ("depth", True), ("form", 1), ("deep", 1), ("decay", "1")]
)
def test_another_type_is_refused(key: str, value: object) -> None:
    with pytest.raises(SettingsError, match=rf"shark\.{key} takes a value like .*--set"):
        checked("thing", "shark", {key: value}, KNOWN)  # type: ignore[dict-item]


def test_an_unknown_key_names_the_kind_and_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"key for thing 'shark': 'dept'.*'depth'"):
        checked("thing", "shark", {"dept": 1}, KNOWN)
