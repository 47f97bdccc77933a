from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from scenthound.core.errors import SettingsError
from scenthound.vectors.packaged import check_files, file_digest, package_folder

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


@pytest.mark.parametrize("module", ["no_such_package_here", "this"])
def test_a_package_that_is_not_there_or_no_folder_is_one_sentence(module: str) -> None:
    with pytest.raises(SettingsError, match=r"^Install the thing\.$"):
        package_folder(module, "Install the thing.")


def test_whole_files_pass(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(CONTENT)
    check_files(tmp_path, PINNED, "packed-model")
    assert file_digest(tmp_path / "weights.bin") == PINNED["weights.bin"]


def test_a_file_that_is_cut_short_is_named(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(CONTENT[:-1])
    with pytest.raises(SettingsError, match=r"weights\.bin is damaged.*reinstall packed-model\.$"):
        check_files(tmp_path, PINNED, "packed-model")


def test_a_missing_file_is_named_and_may_come_later(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"weights\.bin is missing"):
        check_files(tmp_path, PINNED, "packed-model")
    (tmp_path / "weights.bin").write_bytes(CONTENT)
    check_files(tmp_path, PINNED, "packed-model")
    assert (tmp_path / "weights.bin").exists()
