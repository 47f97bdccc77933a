"""Files that are replaced in one step, and what a crawl stores in them."""

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
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pytest import MonkeyPatch, TempPathFactory

from scenthound.core.errors import FolderError
from scenthound.core.model import Document, TopicProfile
from scenthound.core.protocols import State, StateValue
from scenthound.storage import state as crawl_state
from scenthound.storage.files import atomic_replace, write_bytes, write_json
from scenthound.storage.state import load_state, read_topic_profile, save_state, write_topic_profile


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_file_keeps_its_mode_and_is_replaced_only_where_that_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text("old")
    for before in [0o600, 0o640, 0o664]:
        path.chmod(before)
        with atomic_replace(path) as beside:
            assert mode(beside) == 0o600
            beside.write_text("new")
        assert (path.read_text(), mode(path)) == ("new", before)
    path.chmod(0o444)
    with pytest.raises(PermissionError, match="Permission denied"):
        write_bytes(path, b"newer")
    assert (path.read_text(), mode(path)) == ("new", 0o444)
    assert list(tmp_path.iterdir()) == [path]


def test_concepts_come_back_in_their_order_from_a_folder_that_is_there(tmp_path: Path) -> None:
    assert crawl_state.read_concepts(tmp_path) is None
    concepts = {"typhoon": 1.0, "storm surge": 0.1 + 0.2, "台风": 0.0}
    crawl_state.write_concepts(tmp_path, concepts)
    found = crawl_state.read_concepts(tmp_path)
    assert found == concepts and list(found) == list(concepts)
    with pytest.raises(FolderError, match=r"concepts\.json cannot be written: No such file"):
        crawl_state.write_concepts(tmp_path / "gone", {"storm": 1.0})
    with pytest.raises(FolderError, match=r"topic\.json cannot be written: No such file"):
        write_topic_profile(tmp_path / "gone", TopicProfile("storms", ("storm",), ()))


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    no_json = ["", "{", "[]", "[" * 100_000, "{}"]
    no_concepts = ['{"a": "b"}', '{"a": null}', '{"a": -1}', '{"a": NaN}']
    no_topic = ["5", "null", '{"name": "\xff"}', '{"examples": 5, "keywords": []}']
    for name, read, contents in [
        (crawl_state.CONCEPTS_NAME, crawl_state.read_concepts, [*no_json, *no_concepts]),
        (crawl_state.TOPIC_NAME, read_topic_profile, [*no_json, *no_topic]),
    ]:
        for content in contents:
            (tmp_path / name).write_bytes(content.encode("latin-1"))
            with pytest.raises(FolderError, match=rf"{name} is damaged: .*; start a new crawl\."):
                read(tmp_path)


texts = st.text(st.characters(exclude_categories=["Cs"]))
documents = st.builds(
    Document, texts, texts, texts, st.dictionaries(texts, texts, max_size=2), st.none() | texts
)
profiles = st.builds(
    TopicProfile,
    texts,
    st.lists(texts, max_size=3).map(tuple),
    st.lists(documents, max_size=3).map(tuple),
    texts,
    st.none() | texts,
)


@settings(max_examples=20, deadline=None)
@given(profile=profiles)
def test_a_profile_comes_back(tmp_path_factory: TempPathFactory, profile: TopicProfile) -> None:
    folder = tmp_path_factory.getbasetemp()
    write_topic_profile(folder, profile)
    assert read_topic_profile(folder) == profile


def test_half_a_character_breaks_nothing_and_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    assert read_topic_profile(tmp_path) is None
    write_topic_profile(tmp_path, TopicProfile("storms", ("st\ud800rm",), ()))
    assert read_topic_profile(tmp_path) == TopicProfile("storms", ("st?rm",), ())
    kept = TopicProfile("storms", ("storm",), (Document("title", "text"),))
    write_topic_profile(tmp_path, kept)
    with pytest.raises(TypeError):
        write_topic_profile(tmp_path, TopicProfile("storms", (object(),), ()))  # type: ignore[arg-type]
    assert read_topic_profile(tmp_path) == kept
    assert json.loads((tmp_path / crawl_state.TOPIC_NAME).read_text())["name"] == "storms"


# Learned state comes back as it was, and a file from elsewhere does no harm.


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
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        same = (one.dtype, one.shape) == (other.dtype, other.shape)
        return same and one.tobytes() == other.tobytes()
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return one == other or (one != one and other != other)


@settings(max_examples=40, deadline=None)
@given(states)
@example({"__array__": 0})
@example({"__dict__": {"__array__": np.arange(3)}})
@example({"a": {"__array__": 0}, "b": np.arange(2)})
@example({"lone": "\ud800", "nul": "a\x00"})
def test_what_was_saved_is_what_is_loaded(tmp_path_factory: TempPathFactory, state: State) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.npz"
    save_state(state, path)
    assert alike(load_state(path), state)


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


def test_a_file_from_elsewhere_is_refused_and_runs_nothing(tmp_path: Path) -> None:
    for name in FOREIGN:
        path = tmp_path / "state.npz"
        path.write_bytes(FOREIGN[name])
        with pytest.raises(FolderError, match=r"state\.npz is not a state file"):
            load_state(path)
        assert sprung == []
        path.unlink()
    with pytest.raises(TypeError, match="an array of object cannot be saved"):
        save_state({"a": TRAP}, tmp_path / "state.npz")
    assert list(tmp_path.iterdir()) == []


GOOD: State = {"words": {"storm": 3}, "weights": np.linspace(0.0, 1.0, 50)}


@pytest.fixture(scope="module")
def good(tmp_path_factory: TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("good") / "state.npz"
    save_state(GOOD, path)
    return path.read_bytes()


def test_a_cut_file_is_damaged_and_a_changed_one_at_most(good: bytes, tmp_path: Path) -> None:
    path = tmp_path / "state.npz"
    with pytest.raises(FolderError, match=r"state\.npz is not there: the crawl saved no state\.$"):
        load_state(path)
    for length in range(0, len(good), 47):
        path.write_bytes(good[:length])
        with pytest.raises(FolderError, match="is not a state file, or is damaged"):
            load_state(path)
    damaged = 0
    for place in range(0, len(good), 7):
        path.write_bytes(good[:place] + bytes([good[place] ^ 0x55]) + good[place + 1 :])
        try:
            assert alike(load_state(path), GOOD)
        except FolderError:
            damaged += 1
    assert damaged > len(good) / 14  # half of those that were changed


KILLED = """
import os, signal, sys
from pathlib import Path
from scenthound.storage.state import save_state

os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
save_state({"n": 2}, Path(sys.argv[1]))
"""


def test_an_error_or_a_kill_leaves_the_old_file(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    path = tmp_path / "state.npz"
    save_state({"n": 1}, path)
    full, interrupted = OSError(28, "No space left on device"), KeyboardInterrupt()
    for step, error, raised in [
        *((step, full, FolderError) for step in ["fsync", "chmod", "replace"]),
        ("replace", interrupted, KeyboardInterrupt),
    ]:

        def broken(*args: object, error: BaseException = error) -> None:
            raise error

        with monkeypatch.context() as patch, pytest.raises(raised) as caught:
            patch.setattr(os, step, broken)
            save_state({"n": 2}, path)
        reported = "state.npz cannot be written: No space left" if error is full else ""
        assert reported in str(caught.value)
        assert load_state(path) == {"n": 1}
        assert list(tmp_path.iterdir()) == [path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert load_state(path) == {"n": 1}
    save_state({"n": 3}, path)
    assert load_state(path) == {"n": 3}


def test_figures_are_readable_json_and_a_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    write_json(path, {"topic": "Stürme \ud800", "hr": 0.5})
    text = path.read_text(encoding="utf-8")
    assert "Stürme ?" in text and text.endswith("}\n")
    assert json.loads(text)["hr"] == 0.5
    assert mode(path) == 0o644
    with pytest.raises(ValueError, match="JSON"):  # before anything is written
        write_json(path, {"hr": float("nan")})
    assert path.read_text(encoding="utf-8") == text and list(tmp_path.iterdir()) == [path]
    before = os.umask(0o027)
    try:
        write_bytes(tmp_path / "t.toml", b"new")
    finally:
        os.umask(before)
    assert mode(tmp_path / "t.toml") == 0o640
