"""Text as a language model learns it: windows, and the words to be guessed in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from scenthound.vectors.elmo_characters import (
    Characters,
    marked_characters,
    without_padding,
)
from scenthound.vectors.elmo_options import ElmoOptions
from scenthound.vectors.elmo_windows import FIRST_WORD, Places, numbered, windows_of

BOUNDARY = 0
"""What is to be guessed before the first word of a window and after its last one."""
UNASKED = -1
"""A place where nothing is to be guessed: the word there is too rare."""
LEAST_COUNT = 2
"""A word that comes less often is read, but never to be guessed."""

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Lesson:
    """Some windows of text.

    Parameters
    ----------
    characters : of the marks of a sentence, then of the distinct words of the windows.
    words : a row for each window, its places as rows of ``characters``.
    lengths : of the windows, marks included.
    answers : like ``words``, what one is to guess who does not see the place; padding is unasked.
    """

    characters: Characters
    words: Places
    lengths: Places
    answers: Places


def vocabulary(passages: Sequence[Sequence[str]], most: int) -> dict[str, int]:
    """The words to be guessed, from 1 on, the most frequent ones first; equals by spelling."""
    counts = Counter(chain.from_iterable(passages))
    frequent = sorted((-count, word) for word, count in counts.items() if count >= LEAST_COUNT)
    return {word: number for number, (_, word) in enumerate(frequent[:most], 1)}


def windows(passages: Sequence[Sequence[str]], most: int) -> list[Sequence[str]]:
    """The passages, cut into windows of at most ``most`` words; empty ones are left out."""
    cuts = windows_of([len(passage) for passage in passages], most)
    return [cut.of(passages) for cut in cuts]


def shuffled(texts: Sequence[Sequence[str]], size: int, rng: Rng) -> Iterator[list[Sequence[str]]]:
    """All windows once, ``size`` at a time, those of one length together, in any order."""
    mixed = [texts[i] for i in rng.permutation(len(texts))]
    mixed.sort(key=len)
    starts = range(0, len(mixed), size)
    for i in rng.permutation(len(starts)):
        yield mixed[starts[i] : starts[i] + size]


def lesson(
    texts: Sequence[Sequence[str]], known: Mapping[str, int], options: ElmoOptions
) -> Lesson:
    """The windows ``texts`` as numbers; ``known`` are the words to be guessed."""
    distinct = list(dict.fromkeys(chain.from_iterable(texts)))
    rows = {word: FIRST_WORD + i for i, word in enumerate(distinct)}
    places, lengths = numbered([np.array([rows[w] for w in text], np.int64) for text in texts])
    targets = np.array([BOUNDARY] * FIRST_WORD + [known.get(w, UNASKED) for w in distinct])
    answers = targets[places]
    answers[np.arange(places.shape[1]) >= lengths[:, None]] = UNASKED
    widest = max(width for width, _ in options.filters)
    characters = without_padding(marked_characters(distinct, options.longest_word), widest)
    return Lesson(characters, places, lengths, answers)
