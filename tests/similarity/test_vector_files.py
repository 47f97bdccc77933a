"""Files of word vectors: every kind, and what is wrong with a file."""

from __future__ import annotations

import gzip
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors, Word2Vec
from gensim.models.fasttext import load_facebook_vectors, save_facebook_model

from scenthound.core.errors import SettingsError
from scenthound.similarity.vector_files import fingerprint, load_word_vectors

WORDS = ["flood", "storm", "São_Paulo", "7"]
VECTORS = np.array([[1, 2.5, -3], [0.125, 0, 7], [1e-4, -2, 5], [9, 8, 7]], np.float32)
Write = Callable[[KeyedVectors, Path], None]


def keyed() -> Any:
    vectors = KeyedVectors(3)
    vectors.add_vectors(WORDS, VECTORS)
    return vectors


def glove(vectors: Any, path: Path) -> None:
    vectors.save_word2vec_format(str(path), write_header=False)


def padded(vectors: Any, path: Path) -> None:
    """As fastText ends its lines, and with Windows's ends."""
    vectors.save_word2vec_format(str(path))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b" \r\n") + b"\r\n")


def tabbed(vectors: Any, path: Path) -> None:
    glove(vectors, path)
    path.write_bytes(path.read_bytes().replace(b" ", b"\t"))


WRITERS: dict[str, Write] = {
    "text": lambda vectors, path: vectors.save_word2vec_format(str(path)),
    "binary": lambda vectors, path: vectors.save_word2vec_format(str(path), binary=True),
    "glove": glove,
    "padded": padded,
    "tabbed": tabbed,
    "saved": lambda vectors, path: vectors.save(str(path)),
    "saved-beside": lambda vectors, path: vectors.save(str(path), separately=["vectors"]),
}


def test_every_kind_gives_the_same_vectors_packed_or_not(tmp_path: Path) -> None:
    path, packed = tmp_path / "vectors", tmp_path / "packed"  # the names say nothing
    for kind, write in WRITERS.items():
        write(keyed(), path)
        found = load_word_vectors(path)
        assert list(found.words) == WORDS
        assert found.vectors.dtype == np.float32 and found.dimensions == 3
        assert np.allclose(found.vectors, VECTORS, rtol=1e-6)
        assert np.allclose(found.look_up(["são paulo"]), VECTORS[2:3], rtol=1e-6)
        few = load_word_vectors(str(path), most=2)
        assert list(few.words) == WORDS[:2] and few.name != found.name
        if kind in ("text", "binary", "glove"):
            packed.write_bytes(gzip.compress(path.read_bytes()))
            assert np.array_equal(load_word_vectors(packed).vectors, found.vectors)
            packed.write_bytes(packed.read_bytes()[:-20])
            with pytest.raises(SettingsError, match="cannot be unpacked"):
                load_word_vectors(packed)


def test_words_with_spaces_twice_and_cut_letters(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_bytes(b"the 1 2\n. . . 3 4\nthe 5 6\n\xc3 7 8\nna\xc3 9 10\n")
    found = load_word_vectors(path)
    assert list(found.words) == ["the", ". . .", "na"]
    assert found.vectors.tolist() == [[1, 2], [3, 4], [9, 10]]


def tiny_fasttext() -> Any:
    sentences = [["flood", "water", "river"], ["storm", "wind", "rain"]] * 20
    return FastText(sentences, vector_size=6, min_count=1, bucket=50, workers=1, seed=1)


def test_fasttext_models_know_words_they_never_saw(tmp_path: Path) -> None:
    path = tmp_path / "model"
    save_facebook_model(tiny_fasttext(), str(path))
    found, theirs = load_word_vectors(path), load_facebook_vectors(str(path))
    words = ["flood", "flooding", "rivers"]
    assert np.allclose(found.look_up(words), [theirs[word] for word in words])
    assert found.look_up(["flooding"]).any()
    path.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(SettingsError, match="unpack it with gunzip"):
        load_word_vectors(path)


def test_a_fasttext_model_that_is_cut_off_or_changed(tmp_path: Path) -> None:
    """Changed are labels, words that were pruned; dimensions, pieces, words."""
    save_facebook_model(tiny_fasttext(), str(tmp_path / "model.bin"))
    whole = (tmp_path / "model.bin").read_bytes()
    one = (1).to_bytes(8, "little")
    cases: list[tuple[bytes, str]] = [
        *((whole[:size], "is no fastText model") for size in (8, 60, 95, 150, 200, 900)),
        *((whole[:at] + one + whole[at + 8 :], "holds a classifier or quant") for at in (72, 84)),
        *((whole[:at] + bytes([value]) + whole[at + 1 :], "sizes do not fit together")
          for at, value in ((8, 7), (40, 51), (68, 3))),
    ]  # fmt: skip
    for content, sentence in cases:
        (tmp_path / "model.bin").write_bytes(content)
        with pytest.raises(SettingsError, match=sentence):
            load_word_vectors(tmp_path / "model.bin")


def test_a_pickle_can_neither_spoil_numpy_nor_run_anything(tmp_path: Path) -> None:
    keyed().save(str(tmp_path / "v"))
    content = (tmp_path / "v").read_bytes()
    # As numpy reads it, this changes the number type f4 itself and not a copy.
    spoilt = content.replace(b"\x8c\x02f4\x94\x89\x88", b"\x8c\x02f4\x94\x89\x89")
    assert spoilt != content
    (tmp_path / "v").write_bytes(spoilt.replace(b"K\x00t\x94b\x89", b"K\x01t\x94b\x89"))
    assert np.array_equal(load_word_vectors(tmp_path / "v").vectors, VECTORS)
    assert np.dtype("f4").flags == 0 and np.ones(2, "f4").min() == 1

    class Harm:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (tmp_path / "harmed",)

    (tmp_path / "v").write_bytes(pickle.dumps(Harm()))
    with pytest.raises(SettingsError, match="not word vectors alone"):
        load_word_vectors(tmp_path / "v")
    assert not (tmp_path / "harmed").exists()


def test_saves_of_gensim_that_cannot_be_used(tmp_path: Path) -> None:
    model = Word2Vec([["a", "b"]] * 10, vector_size=4, min_count=1, workers=1)
    for saved in (model, tiny_fasttext().wv):
        saved.save(str(tmp_path / "model"))
        with pytest.raises(SettingsError, match=r"save them in gensim with model\.wv\.save"):
            load_word_vectors(tmp_path / "model")
    keyed().save(str(tmp_path / "v"), separately=["vectors"])
    (tmp_path / "v.vectors.npy").unlink()
    with pytest.raises(SettingsError, match=r"v\.vectors\.npy is not beside"):
        load_word_vectors(tmp_path / "v")
    fewer, words, infinite = keyed(), keyed(), keyed()
    fewer.vectors = fewer.vectors[:2]
    words.index_to_key = "flood"
    infinite.vectors[1, 1] = np.inf
    for vectors in (fewer, words, infinite):
        vectors.save(str(tmp_path / "v"))
        with pytest.raises(SettingsError, match="copy or download it again"):
            load_word_vectors(tmp_path / "v")


BINARY = b"2 2\na " + np.array([1, 2], "<f4").tobytes() + b"\nb "
DAMAGED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is not a file of word vectors"),
    "picture": (b"\xff\xd8\xff\xe0\x00\x10JFIF", "is not a file of word vectors"),
    "one number less": (b"a 1 2\nb 1\n", "1 numbers and not 2 in line 2"),
    "one number more": (b"2 2\na 1 2\n\nb 1 2 3\n", "3 numbers and not 2 in line 4"),
    "no number": (b"a 1 2\nb 1 x\n", "no number in line 2"),
    "too large": (b"a 1e39 2\n", "not finite in line 1"),
    "cut text": (b"3 2\na 1 2\nb 3 4\n", "ends after 2 of 3 words"),
    "no words": (b"0 300\n", "says it has 0 words of 300 dimensions"),
    "dimensions": (b"5 99999999\na 1\n", "of 99999999 dimensions"),
    "endless line": (b"a " + b"1 " * 600_000, "line 1 is longer"),
    "cut binary": (BINARY + b"\x00\x00\x80", "ends after 1 of 2 words"),
    "infinite": (BINARY + np.array([1, np.inf], "<f4").tobytes(), "not finite at word 2"),
    "endless word": (BINARY[:-3] + b"\x00" * 3000, "has no word at its place 2"),
    "cut pickle": (b"\x80\x04\x95\x10", "is not what gensim saves"),
    "other pickle": (pickle.dumps(["flood"]), "holds something else"),
}


def test_a_damaged_file_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    for content, sentence in DAMAGED.values():
        path.write_bytes(content)
        with pytest.raises(SettingsError, match=re.escape(sentence)) as error:
            load_word_vectors(path)
        assert str(path) in str(error.value) and str(error.value).endswith(".")


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(SettingsError, match=why):
            load_word_vectors(path)
    with pytest.raises(SettingsError, match="most must be at least 1"):
        load_word_vectors(tmp_path / "none", most=0)


def test_the_fingerprint_is_of_the_content(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"a 1 2\n")
    second.write_bytes(b"a 1 2\n")
    assert fingerprint([first]) == fingerprint([second])
    assert load_word_vectors(first).name == load_word_vectors(second).name
    second.write_bytes(b"a 1 3\n")
    assert fingerprint([first]) != fingerprint([second])
