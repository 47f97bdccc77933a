"""What the extra brings, asked for by name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from scenthound.core.errors import SettingsError
from scenthound.core.extras import complaint
from scenthound.vectors.extra import require


def test_a_library_that_is_there() -> None:
    assert require("json", "reading").__name__ == "json"


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


@pytest.mark.parametrize(
    ("said", "passed_on"),
    [
        ("no\x1b[31m such\r\n\tfile", "no [31m such file"),
        ("look at the report!", "look at the report"),
        ("it ended...\n", "it ended"),
        ("x" * 300, "x" * 200),
        ("\u202e\x00", "OSError"),
        ("", "OSError"),
    ],
)
def test_a_complaint_is_one_line_that_a_sentence_can_hold(said: str, passed_on: str) -> None:
    assert complaint(OSError(said)) == passed_on


@pytest.mark.parametrize(("before", "after"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_threads_that_wait_leave_their_cores_to_others_unless_the_user_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, before: str | None, after: str
) -> None:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    if before is not None:
        monkeypatch.setenv("OMP_WAIT_POLICY", before)
    require("json", "reading")
    assert os.environ["OMP_WAIT_POLICY"] == after
