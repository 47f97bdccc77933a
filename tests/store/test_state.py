"""Learned state comes back as it was, and a file from elsewhere does no harm."""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from scenthound.core.errors import FolderError
from scenthound.core.protocols import State, StateValue
from scenthound.store.atomic import write_bytes, write_json
from scenthound.store.state import load_state, save_state

DTYPES = ["f8", "f4", "f2", "i8", "i4", "u1", "?", "c16", ">f8", "U5", "S3", "M8[s]"]
arrays = st.sampled_from(DTYPES).flatmap(
    lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, min_side=0, max_side=4))
)
keys = st.text(max_size=5) | st.sampled_from(["__array__", "__dict__", "array_0", "tree"])
values: st.SearchStrategy[StateValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | arrays,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
states = st.dictionaries(keys, values, max_size=4)


def alike(one: object, other: object) -> bool:
    """The same tree, types and array dtypes included; NaN equals NaN."""
    if isinstance(one, np.ndarray):
        return (
            isinstance(other, np.ndarray)
            and one.dtype == other.dtype
            and one.shape == other.shape
            and one.tobytes() == other.tobytes()
        )
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and list(one) == list(other)
            and all(alike(one[key], other[key]) for key in one)
        )
    if isinstance(one, list):
        return (
            isinstance(other, list)
            and len(one) == len(other)
            and all(map(alike, one, other))
        )  # fmt: skip
    return type(one) is type(other) and (one == other or (one != one and other != other))


@given(states)
@example({"__array__": 0})
@example({"__dict__": {"__array__": np.arange(3)}})
@example({"a": {"__array__": 0}, "b": np.arange(2)})
@example({"lone": "\ud800", "nul": "a\x00"})
def test_what_was_saved_is_what_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, state: State
) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.npz"
    save_state(state, path)
    assert alike(load_state(path), state)


def test_an_array_keeps_its_type_and_shape(tmp_path: Path) -> None:
    counts: npt.NDArray[np.uint16] = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.uint16)
    save_state({"a": [{"counts": counts}]}, tmp_path / "s.npz")
    loaded = load_state(tmp_path / "s.npz")
    assert alike(loaded, {"a": [{"counts": counts}]})


sprung: list[str] = []


def spring() -> None:
    sprung.append("a pickle was loaded")


class Trap:
    """What a pickle can do: run anything."""

    def __reduce__(self) -> tuple[object, tuple[()]]:
        return spring, ()


def npz(**members: npt.NDArray[np.generic]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **members)  # type: ignore[arg-type]
    return buffer.getvalue()


def npy(array: npt.NDArray[np.generic]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return buffer.getvalue()


TRAP = np.array([Trap()], dtype=object)
FOREIGN = {
    "an object array as leaf": npz(tree=np.array('{"a":{"__array__":0}}'), array_0=TRAP),
    "an object array as tree": npz(tree=TRAP),
    "a bare object array": npy(TRAP),
    "a bare pickle": pickle.dumps(Trap()),
    "a bare array": npy(np.arange(3)),
    "nothing": b"",
    "a text": b"hello",
    "an empty zip": zipped(),
    "no tree": npz(other=np.arange(3)),
    "a tree that is no text": npz(tree=np.arange(3)),
    "a tree that is no JSON": npz(tree=np.array("{")),
    "a tree that is a list": npz(tree=np.array("[]")),
    "a tree too deep": npz(tree=np.array("[" * 100_000)),
    "an array that is not there": npz(tree=np.array('{"a":{"__array__":7}}')),
    "an odd marker": npz(tree=np.array('{"a":{"__dict__":7}}')),
    "a member that is no array": zipped(tree=b"hello"),
    "a broken array header": zipped(tree=b"\x93NUMPY\x01\x00\x06\x00{'a'(\n"),
    "a huge array": zipped(
        tree=b"\x93NUMPY\x01\x00\x48\x00"
        + b"{'descr':'<f8','fortran_order':False,'shape':(1000000000000,)}".ljust(71)
        + b"\n"
    ),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_file_from_elsewhere_is_refused_and_runs_nothing(tmp_path: Path, name: str) -> None:
    path = tmp_path / "state.npz"
    path.write_bytes(FOREIGN[name])
    with pytest.raises(FolderError, match=r"state\.npz is not a state file"):
        load_state(path)
    assert sprung == []


def test_the_trap_would_spring() -> None:
    pickle.loads(FOREIGN["a bare pickle"])
    assert sprung == ["a pickle was loaded"]
    sprung.clear()


def test_an_object_array_is_never_saved(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="an array of object cannot be saved"):
        save_state({"a": TRAP}, tmp_path / "state.npz")
    assert list(tmp_path.iterdir()) == []


GOOD: State = {"words": {"storm": 3}, "weights": np.linspace(0.0, 1.0, 50)}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("good") / "state.npz"
    save_state(GOOD, path)
    return path.read_bytes()


def test_a_cut_file_is_damaged_wherever_it_was_cut(good: bytes, tmp_path: Path) -> None:
    path = tmp_path / "state.npz"
    for length in range(0, len(good), 7):
        path.write_bytes(good[:length])
        with pytest.raises(FolderError, match="is not a state file, or is damaged"):
            load_state(path)


def test_a_changed_byte_gives_the_state_or_a_folder_error(good: bytes, tmp_path: Path) -> None:
    path = tmp_path / "state.npz"
    damaged = 0
    for place in range(len(good)):
        path.write_bytes(good[:place] + bytes([good[place] ^ 0x55]) + good[place + 1 :])
        try:
            assert alike(load_state(path), GOOD)
        except FolderError:
            damaged += 1
    assert damaged > len(good) / 2


def test_a_state_that_was_never_saved_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=r"state\.npz is not there: the crawl saved no state\.$"):
        load_state(tmp_path / "state.npz")


def test_saving_replaces_the_old_state(tmp_path: Path) -> None:
    path = tmp_path / "state.npz"
    save_state({"n": 1}, path)
    save_state({"n": 2}, path)
    assert load_state(path) == {"n": 2}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_an_error_on_the_way_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "state.npz"
    save_state({"n": 1}, path)

    def broken(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, broken)
    with pytest.raises(FolderError, match=r"state\.npz cannot be written: No space left"):
        save_state({"n": 2}, path)
    monkeypatch.undo()
    assert load_state(path) == {"n": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_ctrl_c_on_the_way_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "figures"
    path.write_bytes(b"old")

    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


KILLED = """
import os, signal, sys
from pathlib import Path
from scenthound.store.state import save_state

os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
save_state({"n": 2}, Path(sys.argv[1]))
"""


def test_a_kill_on_the_way_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "state.npz"
    save_state({"n": 1}, path)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert load_state(path) == {"n": 1}
    save_state({"n": 3}, path)
    assert load_state(path) == {"n": 3}


def test_figures_are_readable_json(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    write_json(path, {"topic": "Stürme \ud800", "hr": 0.5})
    text = path.read_text(encoding="utf-8")
    assert "Stürme ?" in text and text.endswith("}\n")
    assert json.loads(text)["hr"] == 0.5
    assert path.stat().st_mode & 0o777 == 0o644


def test_figures_that_are_no_json_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "figures.json", {"hr": float("nan")})
    assert list(tmp_path.iterdir()) == []
