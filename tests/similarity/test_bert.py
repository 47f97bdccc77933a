""""""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from scenthound.core.errors import SettingsError
from scenthound.similarity.bert import BertEncoder, load_bert
from scenthound.similarity.bert_model import load_network
from scenthound.similarity.encoders import ModelRuntime
from similarity.tiny_bert import TAKES, TEXTS, reference_layer, reference_vector, write_tiny_bert


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert(tmp_path_factory.mktemp("bert") / "tiny")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> BertEncoder:
    return load_bert(str(folder), exact=True)


def test_batches_equal_one_text_at_a_time(folder: Path, encoder: BertEncoder) -> None:
    found = encoder.encode(TEXTS)
    assert found.shape == (len(TEXTS), 32)
    assert found.dtype == np.float32
    for text, row in zip(TEXTS, found, strict=True):
        if text.strip():
            assert np.abs(row - reference_vector(folder, text, TAKES)).max() < 1e-5
        else:
            assert not row.any()


def test_a_limit_that_leaves_no_room_for_a_word_is_refused(folder: Path) -> None:
    with pytest.raises(SettingsError, match=r"^longest must be more than 2, not 2\.$"):
        load_bert(str(folder), longest=2)


def test_hostile_texts_are_read(encoder: BertEncoder) -> None:
    texts = [
        "\x00\x1b[31m dog",
        "\ud800 dog",
        "[SEP] [PAD] dog",
        "dog" * 100_000,
        " " * 10**6 + "a",
    ]
    lengths = np.linalg.norm(encoder.encode(texts), axis=1)
    assert np.allclose(lengths, [1, 1, 1, 0, 0], atol=1e-5)  # no such word; begins too late


def test_words_are_means_of_their_pieces_in_company(folder: Path, encoder: BertEncoder) -> None:
    (found,) = encoder.encode_words([["old", "hounds", "swimer", "dog"]])
    layer = reference_layer(folder, "old hounds swimer dog", TAKES)
    expected = [layer[1], layer[2:4].mean(axis=0), layer[4:6].mean(axis=0), layer[6]]
    assert np.abs(found - expected).max() < 1e-5


def test_long_passages_are_read_in_windows_of_whole_words(
    folder: Path, encoder: BertEncoder
) -> None:
    words = ["dog", "hounds"] * 20  # three pieces a pair, 22 pieces beside the marks
    (found,) = encoder.encode_words([words])
    assert found.shape == (40, 32)
    first = reference_layer(folder, " ".join(words[:15]), TAKES)  # the next word has two pieces
    assert np.abs(found[14] - first[22]).max() < 1e-5
    second = reference_layer(folder, " ".join(words[15:29]), TAKES)
    assert np.abs(found[15] - second[1:3].mean(axis=0)).max() < 1e-5


def test_words_without_a_piece_are_zeros(encoder: BertEncoder) -> None:
    found = encoder.encode_words([["dog", "", "\u200b"], [], [""]])
    assert [table.shape for table in found] == [(3, 32), (0, 32), (1, 32)]
    assert found[0][0].any()
    assert not found[0][1:].any()
    assert not found[2].any()


def test_words_that_the_tokenizer_does_not_know_are_zeros(
    folder: Path, encoder: BertEncoder
) -> None:
    known, strange = encoder.encode_words([["dog", "ფლუდი", "x" * 120, "cat"], ["ሰላም"]])
    assert known.any(axis=1).tolist() == [True, False, False, True]
    assert not strange.any()
    layer = reference_layer(folder, "dog ფლუდი xyz cat", TAKES)  # they are company nevertheless
    assert np.abs(known[[0, 3]] - layer[[1, 4]]).max() < 1e-5


def test_names_tell_weights_and_ways_of_reading_apart(folder: Path, tmp_path: Path) -> None:
    other = write_tiny_bert(tmp_path, seed=8)
    names = [
        load_bert(str(folder), exact=True).name,
        load_bert(str(other), exact=True).name,
        load_bert(str(folder), exact=True, longest=9).name,
    ]
    assert len(set(names)) == 3
    assert names[0].startswith("bert-")
    assert names[0].endswith(f"-exact-{TAKES}")


def test_weights_are_loaded_once_in_a_process(folder: Path) -> None:
    load_bert(str(folder), exact=True)
    before = load_network.cache_info().misses
    load_bert(str(folder), exact=True, longest=7, equipment=ModelRuntime(threads=1))
    assert load_network.cache_info().misses == before


def test_threads_are_bounded_while_it_works_and_not_after(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_to: list[int] = []
    before = torch.get_num_threads()
    monkeypatch.setattr(torch, "set_num_threads", set_to.append)
    load_bert(str(folder), equipment=ModelRuntime(threads=1)).encode(["dog"])
    assert set_to == [1, before]


def test_a_device_that_is_not_there_is_one_sentence(folder: Path) -> None:
    with pytest.raises(SettingsError, match=r"^There is no device 'nowhere' here; give auto,"):
        load_bert(str(folder), equipment=ModelRuntime(device="nowhere"))
