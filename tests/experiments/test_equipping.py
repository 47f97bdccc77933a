"""Which vector cache a run uses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import SettingsError
from scenthound.experiments.equipping import CacheChoice, bytes_of, equipped
from scenthound.store.vector_cache import DEFAULT_LIMIT, VectorCache
from scenthound.store.vector_cache_file import FILE
from scenthound.vectors import protocols


def ignored(told: str) -> None:
    raise AssertionError(told)


def test_the_cache_is_what_encoders_ask_for(tmp_path: Path) -> None:
    cache: protocols.VectorCache = VectorCache(tmp_path)
    cache.keep("m", {b"k" * 16: np.ones(3, dtype=np.float16)})
    assert cache.find("m", [b"k" * 16])[b"k" * 16].tolist() == [1.0, 1.0, 1.0]
    assert isinstance(cache, VectorCache)
    cache.close()


def test_by_default_it_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert CacheChoice().path == tmp_path / "scenthound"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert CacheChoice().path == Path("/home/somebody/.cache/scenthound")
    assert CacheChoice().limit == DEFAULT_LIMIT == bytes_of("2GB")


def test_a_choice_is_changed_by_what_is_given(tmp_path: Path) -> None:
    first = CacheChoice().changed(tmp_path, "5MB")
    assert (first.path, first.limit) == (tmp_path, 5_000_000)
    assert first.changed(None, None) == first
    assert first.changed(" None ", None).path is None
    assert first.changed(None, 7_000_000) == CacheChoice(str(tmp_path), 7_000_000)


def test_a_choice_comes_back_from_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for choice in (CacheChoice(), CacheChoice("none", 3_000_000), CacheChoice(str(tmp_path))):
        assert CacheChoice.from_json(choice.to_json()) == choice
    kept = CacheChoice("here").to_json()
    monkeypatch.chdir("/")
    assert CacheChoice.from_json(kept).path == tmp_path / "here"
    assert CacheChoice.from_json({}) == CacheChoice()


@pytest.mark.parametrize(
    ("folder", "limit", "message"),
    [
        (None, "abc", "'abc' is no size for a cache; give one such as 500MB, 2GB or 1.5GiB."),
        (None, "2", "a cache of 2 bytes is too small; give 1MB or more, or the folder \"none\""),
        (" ", None, "the cache has an empty name; give a folder"),
    ],
)  # fmt: skip
def test_what_cannot_be(folder: str | None, limit: str | None, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        CacheChoice().changed(folder, limit)
    assert message in str(caught.value)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    with (
        pytest.raises(SettingsError, match='is no folder; give another, or "none" for none'),
        equipped(CacheChoice(str(tmp_path / "f")), ignored),
    ):
        raise AssertionError("it was taken")


def test_the_equipment_ends_with_the_run(tmp_path: Path) -> None:
    with equipped(CacheChoice("none"), ignored) as equipment:
        assert equipment.cache is None
    with equipped(CacheChoice(str(tmp_path / "c"), 5_000_000), ignored) as equipment:
        assert not (tmp_path / "c").exists()
        assert equipment.cache is not None
        equipment.cache.keep("m", {b"k" * 16: np.ones(3, dtype=np.float16)})
        assert (tmp_path / "c" / f"{FILE}-wal").exists()
    assert not (tmp_path / "c" / f"{FILE}-wal").exists()


def test_nothing_is_told_twice(tmp_path: Path) -> None:
    heard: list[str] = []
    with equipped(CacheChoice("none"), heard.append) as equipment:
        for message in ("a", "b", "a"):
            equipment.warn(message)
    assert heard == ["a", "b"]
