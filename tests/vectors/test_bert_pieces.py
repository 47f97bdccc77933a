from __future__ import annotations

from typing import Any

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from scenthound.vectors.bert_pieces import pieces_of
from vectors.tiny_bert import VOCABULARY, tiny_tokenizer


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


@pytest.mark.parametrize("make", [tiny_tokenizer, unigram])
def test_words_of_unknown_pieces_alone_are_told_apart(make: Any) -> None:
    pieces = pieces_of(make())
    words = pieces.of_words(["dogs", "\u10e4\u10da", "dog"], 9)
    assert all(words)
    assert [pieces.known(word) for word in words] == [True, False, True]
    assert pieces.of_text("\u10e4 \u10da", 9) == []
    assert len(pieces.of_text("\u10e4 dog", 9)) > 2


def test_the_unknown_piece_is_known_by_its_number() -> None:
    assert pieces_of(tiny_tokenizer()).unknown == {VOCABULARY["[UNK]"]}
    assert pieces_of(unigram()).unknown == {1, 2}


def test_to_a_tokenizer_of_bytes_nothing_is_unknown() -> None:
    pieces = pieces_of(in_bytes())
    assert pieces.unknown == frozenset()
    assert pieces.known(pieces.of_words(["\u10e4"], 9)[0])
    assert not pieces.known([])


def test_a_text_whose_known_pieces_come_too_late_has_none() -> None:
    assert pieces_of(tiny_tokenizer()).of_text("\u10e4 \u10e4 dog", 4) == []
