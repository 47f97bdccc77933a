""""""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import SettingsError
from scenthound.similarity import sentence_models as static_encoder
from scenthound.similarity.sentence_models import StaticEncoder, load_static

TEXTS = [
    "A hound follows a scent through the forest.",
    "The dog runs after a smell in the woods.",
    "Interest rates of the central bank rose again.",
    "Ünïcode 漢字 \U0001f600",
    "two  spaces and\na line",
    "x",
]


@pytest.fixture(scope="module")
def encoder() -> StaticEncoder:
    return load_static()


def test_vectors_are_those_of_wordllama(encoder: StaticEncoder) -> None:
    # In a process of its own: the package sets up logging for all of it.
    program = (
        "import sys, json, pathlib, wordllama\n"
        "model = wordllama.WordLlama.load(cache_dir=pathlib.Path(wordllama.__file__).parent,"
        " disable_download=True)\n"
        "json.dump(model.embed(json.load(sys.stdin), norm=True).tolist(), sys.stdout)\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        check=True,
    )
    assert np.allclose(encoder.encode(TEXTS), json.loads(answer.stdout), atol=1e-6)


def test_a_long_text_is_read_up_to_the_limit() -> None:
    short = load_static(longest=9)
    assert np.array_equal(short.encode(["the hound runs"]), short.encode(["the hound"]))
    assert short.name != load_static().name


def test_a_limit_of_nothing_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"^longest must be at least 1 character, not 0\.$"):
        load_static(longest=0)


def test_a_missing_package_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_encoder, "_MODULE", "no_such_wordllama")
    static_encoder._files.cache_clear()
    with pytest.raises(SettingsError, match=r"with: pip install wordllama==0\.4\.0\.post1\.$"):
        load_static()


@pytest.mark.parametrize("library", ["safetensors", "tokenizers"])
def test_a_missing_library_is_one_sentence(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    static_encoder._files.cache_clear()
    with pytest.raises(SettingsError) as caught:
        load_static()
    advice = f"install it with: pip install {library}."
    assert str(caught.value) == f"Comparing sentences needs {library}; {advice}"


def test_other_files_than_ours_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in static_encoder._PINNED:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"something else")
    monkeypatch.setattr(static_encoder, "package_folder", lambda *_: tmp_path)
    static_encoder._files.cache_clear()
    advice = (
        r"is damaged, or not the file we know; .* --force-reinstall wordllama==0\.4\.0\.post1\.$"
    )
    with pytest.raises(SettingsError, match=advice):
        load_static()


def test_no_heavy_library_is_needed() -> None:
    program = (
        f"import sys; from {load_static.__module__} import load_static;"
        "load_static().encode(['a']);"
        "print([m for m in ('torch', 'transformers', 'wordllama', 'requests') if m in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert answer.stdout.strip() == "[]"
