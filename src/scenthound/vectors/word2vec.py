"""word2vec vectors of the words of a collection, trained on it (Mikolov et al. 2013)."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.protocols import State
from scenthound.vectors.protocols import Vectors
from scenthound.vectors.word2vec_gensim import gensim
from scenthound.vectors.word2vec_table import WordTable

DIMENSIONS, WINDOW, LEAST = 100, 10, 2
LEAST_WORDS = 200
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
    words, vectors : what was learnt; none where there was too little text. Every term then has
        zeros, so that it is similar to itself alone.
    reason : why there are none; None where there are.
    """

    def __init__(self, words: Sequence[str], vectors: Vectors, reason: str | None = None) -> None:
        super().__init__(_name(words, vectors), words, vectors)
        self.reason = reason

    def state(self) -> State:
        """The words and their vectors."""
        return {"words": list(self.words), "vectors": self.vectors, "reason": self.reason}


def rebuild_word2vec(state: State) -> TrainedWords:
    """The vectors whose ``state`` this is."""
    words, vectors, reason = state["words"], state["vectors"], state["reason"]
    assert isinstance(words, list) and isinstance(vectors, np.ndarray)
    assert reason is None or isinstance(reason, str)
    return TrainedWords([str(word) for word in words], vectors.astype(np.float32), reason)


def train_word2vec(
    passages: Sequence[Sequence[str]],
    seed: int,
    *,
    dimensions: int = DIMENSIONS,
    window: int = WINDOW,
    epochs: int | None = None,
    least: int = LEAST,
    architecture: str = "skip-gram",
) -> TrainedWords:
    """Vectors of the words of these passages; the same passages and seed give the same ones.

    The mean of all vectors is taken away from each (Mu and Viswanath 2018, "All-but-the-top",
    without its second step). In a small collection all vectors point the same way; without their
    mean, cosines tell what is peculiar to a word. Stop words are best left out by the caller.

    Parameters
    ----------
    passages : words in order. Too few of them give vectors of nothing, with a ``reason``.
    seed : of the first vectors and of the words drawn as noise.
    dimensions, window : length of a vector; words that count as company on either side.
    epochs : times the passages are read; None for as many as suit their size.
    least : times a word must occur to have a vector.
    architecture : a name of ``ARCHITECTURES``.
    """
    check_training(dimensions, window, epochs, least, architecture)
    counts = Counter(chain.from_iterable(passages))
    total = sum(count for count in counts.values() if count >= least)
    if total < LEAST_WORDS:
        return _nothing(dimensions, total, least)
    with gensim("models.word2vec", "word2vec") as library:
        model = library.Word2Vec(
            list(_pieces(passages)), vector_size=dimensions, window=window, min_count=least,
            sg=int(architecture == "skip-gram"), alpha=_RATE, seed=seed % 2**32, workers=1,
            epochs=epochs or suitable_epochs(total, architecture), hashfxn=_stable_hash,
        )  # fmt: skip
    vectors = np.asarray(model.wv.vectors, np.float32)
    return TrainedWords(list(model.wv.index_to_key), vectors - vectors.mean(axis=0))


def suitable_epochs(words: int, architecture: str = "skip-gram") -> int:
    """How often a collection of so many words is read: the smaller, the more often."""
    fewest, most = _EPOCHS
    return min(max(ARCHITECTURES[architecture] // max(words, 1), fewest), most)


def check_training(
    dimensions: int = DIMENSIONS,
    window: int = WINDOW,
    epochs: int | None = None,
    least: int = LEAST,
    architecture: str = "skip-gram",
) -> None:
    """An InputError for a value that vectors cannot be trained with."""
    if architecture not in ARCHITECTURES:
        raise UnknownNameError("architecture of word2vec", architecture, ARCHITECTURES)
    if min(dimensions, window, least, 1 if epochs is None else epochs) < 1:
        raise SettingsError("dimensions, window, epochs and least of word2vec must be 1 or more.")


def _nothing(dimensions: int, total: int, least: int) -> TrainedWords:
    reason = (
        f"too little text to train vectors on: words that occur {least} times or more make up "
        f"{total} words, and {LEAST_WORDS} are needed."
    )
    return TrainedWords([], np.zeros((0, dimensions), np.float32), reason)


def _pieces(passages: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    for passage in passages:
        for start in range(0, len(passage), _LONGEST):
            yield list(passage[start : start + _LONGEST])


def _stable_hash(word: str) -> int:
    """Python's own hash of a word differs from process to process."""
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))


def _name(words: Sequence[str], vectors: Vectors) -> str:
    digest = hashlib.blake2b("\n".join(words).encode("utf-8", "surrogatepass"), digest_size=8)
    digest.update(np.ascontiguousarray(vectors).tobytes())
    return f"word2vec-{digest.hexdigest()}"
