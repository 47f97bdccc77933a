"""Word vectors in a table, and word2vec training on a collection (Mikolov et al. 2013)."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from scenthound.core.errors import silent_loggers
from scenthound.core.parameters import check_at_least, check_name
from scenthound.core.protocols import State
from scenthound.similarity.encoders import Vectors, require

OutOfVocabulary = Callable[[str], Vectors | None]
"""The vector of a word that is not in the table, by how it is spelled; None without one."""


def no_vector(_: str) -> Vectors | None:
    """A word that is not in the table has no vector."""
    return None


class WordTable:
    """Vectors by word: a ``WordVectors``.

    Terms are in lower case, base forms ("flood") or phrases of several words ("climate change").
    A term has the vector of the first of these that there is:

    1. the word as it is: "climate change";
    2. with underscores: "climate_change";
    3. the first word of the table (the most frequent one, in most files) that differs from it
       in capitals, underscores and hyphens alone: "london" finds "London", "x ray" finds "X-ray";
    4. for a phrase the mean of those of its words that have a vector by rules 1 to 3 or 5;
    5. for a word, what can be guessed of its letters (fastText alone).

    Else it has zeros.
    """

    def __init__(
        self, name: str, words: Sequence[str], vectors: Vectors, guess: OutOfVocabulary = no_vector
    ) -> None:
        self.name = name
        self.words = words
        self.vectors = vectors
        self.dimensions = int(vectors.shape[1])
        self._guess = guess
        self._places = {word: place for place, word in enumerate(words)}
        self._plain: dict[str, int] = {}
        for place, word in enumerate(words):
            if (plain := _plain(word)) != word:
                self._plain.setdefault(plain, place)

    def look_up(self, words: Sequence[str]) -> Vectors:
        """A row for each word, not brought to length 1; zeros for a word that has none."""
        rows = np.zeros((len(words), self.dimensions), np.float32)
        for row, word in zip(rows, words, strict=True):
            found = self._vector(word)
            if found is not None:
                row[:] = found
        return rows

    def _vector(self, term: str) -> Vectors | None:
        place = self._place(term)
        if place is not None:
            row: Vectors = self.vectors[place]
            return row
        words = term.split()
        if len(words) < 2:
            return self._guess(term) if words else None
        found = [vector for word in words if (vector := self._vector(word)) is not None]
        return np.asarray(np.mean(found, axis=0, dtype=float), np.float32) if found else None

    def _place(self, term: str) -> int | None:
        plain = _plain(term)
        for table, word in (
            (self._places, term),
            (self._places, term.replace(" ", "_")),
            (self._places, plain),
            (self._plain, plain),
        ):
            if word in table:
                return table[word]
        return None


def _plain(word: str) -> str:
    return word.lower().replace("_", " ").replace("-", " ")


# word2vec vectors of the words of a collection, trained on it (Mikolov et al. 2013).

DIMENSIONS, WINDOW, LEAST = 100, 10, 2
MIN_WORDS = 200
"""Vectors that were trained on fewer words are noise."""
ARCHITECTURES = {"skip-gram": 500_000, "cbow": 1_000_000}
"""Words that vectors are trained on, over all epochs: with fewer all words are alike, with more
the few texts that there are become known by heart."""
_EPOCHS = (3, 50)
_RATE = 0.05
"""Twice gensim's rate: a small collection has few words to learn from."""
_LONGEST = 10_000
"""Words of a passage that gensim reads; it would drop the rest."""


class TrainedWords(WordTable):
    """Vectors that a training gave.

    Parameters
    ----------
    words, vectors : what was learned; none where there was too little text. Every term then has
        zeros, so that it is similar to itself alone.
    reason : why there are none; None where there are.
    """

    def __init__(self, words: Sequence[str], vectors: Vectors, reason: str | None = None) -> None:
        digest = hashlib.blake2b("\n".join(words).encode("utf-8", "surrogatepass"), digest_size=8)
        digest.update(np.ascontiguousarray(vectors).tobytes())
        super().__init__(f"word2vec-{digest.hexdigest()}", words, vectors)
        self.reason = reason

    def state(self) -> State:
        """The words and their vectors."""
        return {"words": list(self.words), "vectors": self.vectors, "reason": self.reason}


def rebuild_word2vec(state: State) -> TrainedWords:
    """The vectors whose ``state`` this is."""
    return TrainedWords(state["words"], state["vectors"].astype(np.float32), state["reason"])


def train_word2vec(
    passages: Sequence[Sequence[str]],
    seed: int,
    *,
    dimensions: int = DIMENSIONS,
    architecture: str = "skip-gram",
) -> TrainedWords:
    """Vectors of the words of these passages; the same passages and seed give the same ones.

    The mean of all vectors is taken away from each (Mu and Viswanath 2018, "All-but-the-top",
    without its second step). In a small collection all vectors point the same way; without their
    mean, cosines tell what is peculiar to a word. Stop words are best left out by the caller.

    ``passages``: words in order. Too few of them give vectors of nothing, with a ``reason``.
    """
    check_training(dimensions, architecture)
    counts = Counter(chain.from_iterable(passages))
    total = sum(count for count in counts.values() if count >= LEAST)
    if total < MIN_WORDS:
        reason = (
            f"too little text to train vectors on: words that occur {LEAST} times or more make up "
            f"{total} words, and {MIN_WORDS} are needed."
        )
        return TrainedWords([], np.zeros((0, dimensions), np.float32), reason)
    pieces = [
        list(passage[start : start + _LONGEST])
        for passage in passages
        for start in range(0, len(passage), _LONGEST)
    ]
    with silent_loggers("gensim"):
        model = require("gensim.models.word2vec", "word2vec").Word2Vec(
            pieces, vector_size=dimensions, window=WINDOW, min_count=LEAST,
            sg=int(architecture == "skip-gram"), alpha=_RATE, seed=seed % 2**32, workers=1,
            epochs=suitable_epochs(total, architecture), hashfxn=_stable_hash,
        )  # fmt: skip
    vectors = np.asarray(model.wv.vectors, np.float32)
    return TrainedWords(list(model.wv.index_to_key), vectors - vectors.mean(axis=0))


def suitable_epochs(words: int, architecture: str = "skip-gram") -> int:
    """How often a collection of so many words is read: the smaller, the more often."""
    fewest, most = _EPOCHS
    return min(max(ARCHITECTURES[architecture] // max(words, 1), fewest), most)


def check_training(dimensions: int, architecture: str) -> None:
    """An InputError for a value that vectors cannot be trained with."""
    check_name("architecture of word2vec", architecture, ARCHITECTURES)
    check_at_least(1, dimensions=dimensions)


def _stable_hash(word: str) -> int:
    """Python's own hash of a word differs from process to process."""
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))
