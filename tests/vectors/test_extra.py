"""What the extra brings, asked for by name."""

from __future__ import annotations

import os
import sys

import pytest

from scenthound.core.errors import SettingsError
from scenthound.vectors.extra import require


def test_a_library_that_is_there() -> None:
    assert require("json", "reading").__name__ == "json"


def test_one_that_is_not_there_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SettingsError) as caught:
        require("torch", "BERT")
    advice = "install it with: pip install 'scenthound[neural]'."
    assert str(caught.value) == f"BERT needs torch; {advice}"


@pytest.mark.parametrize(("before", "after"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_threads_that_wait_leave_their_cores_to_others_unless_the_user_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, before: str | None, after: str
) -> None:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    if before is not None:
        monkeypatch.setenv("OMP_WAIT_POLICY", before)
    require("json", "reading")
    assert os.environ["OMP_WAIT_POLICY"] == after
