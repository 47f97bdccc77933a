"""Texts and words as the pieces that a BERT model reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scenthound.vectors.encodable import encodable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_CHARACTERS_A_PIECE = 64
"""Read of a text for each piece that the model takes: a piece has four or five, on average."""
_LONGEST_WORD = 200
_SPACE = "\u2581"
"""Begins a word in tokenizers of the SentencePiece kind; by itself it says nothing."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Cuts texts and words into pieces, by number.

    Parameters
    ----------
    tokenizer : of the model. It is never changed, so that encoders can share it.
    before, after : what the model wants at both ends of whatever it reads.
    unknown : pieces that stand for whatever the tokenizer does not know, all for the same.
    """

    tokenizer: Tokenizer
    before: tuple[int, ...]
    after: tuple[int, ...]
    unknown: frozenset[int]

    @property
    def marks(self) -> int:
        """How many pieces stand around the text."""
        return len(self.before) + len(self.after)

    def of_text(self, text: str, longest: int) -> list[int]:
        """The first ``longest`` pieces, marks included; none for a text without a known piece."""
        squeezed = " ".join(text[: 8 * longest * _CHARACTERS_A_PIECE].split())
        shown = encodable(squeezed[: longest * _CHARACTERS_A_PIECE])
        found = self.tokenizer.encode(shown, add_special_tokens=False).ids[: longest - self.marks]
        return self.framed(found) if self.known(found) else []

    def of_words(self, words: Sequence[str], most: int) -> list[list[int]]:
        """The first ``most`` pieces of each word, without marks."""
        shown = [encodable(word[:_LONGEST_WORD]) for word in words]
        found = self.tokenizer.encode(shown, is_pretokenized=True, add_special_tokens=False)
        pieces: list[list[int]] = [[] for _ in words]
        for number, word in zip(found.ids, found.word_ids, strict=True):
            if word is not None and len(pieces[word]) < most:
                pieces[word].append(number)
        return pieces

    def known(self, pieces: Sequence[int]) -> bool:
        """Whether one of the pieces is known: all else looks alike, whatever it means."""
        return not self.unknown.issuperset(pieces)

    def framed(self, pieces: Sequence[int]) -> list[int]:
        """Pieces with the marks at both ends."""
        return [*self.before, *pieces, *self.after]


def pieces_of(tokenizer: Tokenizer) -> Pieces:
    """Pieces by this tokenizer, which from now on neither cuts nor pads by itself."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    example = tokenizer.encode("a")
    marks = example.special_tokens_mask
    before = marks.index(0) if 0 in marks else len(marks)
    after = marks[::-1].index(0) if 0 in marks else 0
    return Pieces(
        tokenizer,
        before=tuple(example.ids[:before]),
        after=tuple(example.ids[len(marks) - after :]),
        unknown=_unknown(tokenizer),
    )


def _unknown(tokenizer: Tokenizer) -> frozenset[int]:
    """None for a tokenizer that falls back to bytes: to it nothing is unknown."""
    model = json.loads(tokenizer.to_str())["model"]
    number = model.get("unk_id")  # of a Unigram model; the others give the piece itself
    if model.get("unk_token") is not None:
        number = tokenizer.token_to_id(model["unk_token"])
    numbers = (number, tokenizer.token_to_id(_SPACE))
    return frozenset(number for number in numbers if number is not None)
