"""A small ELMo model, trained on the text of a collection where no published one is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.vectors.elmo_encoder import ElmoEncoder, check_layer
from scenthound.vectors.elmo_learning import RATE, Learner, zero_weights
from scenthound.vectors.elmo_lessons import Rng, lesson, shuffled, vocabulary, windows
from scenthound.vectors.elmo_options import ElmoOptions
from scenthound.vectors.extra import require
from scenthound.vectors.protocols import Equipment, Vectors
from scenthound.vectors.torch_device import threads

LEAST_WORDS = 300
"""With less text there is nothing to learn from."""
LEAST_VOCABULARY = 20
VOCABULARY = 2_000
"""So many of the most frequent words are to be guessed; all words are read."""
EPOCHS, MOST_STEPS = 30, 300
WINDOW, WINDOWS = 24, 48
"""Words of a window, and windows of a lesson: short ones, since places come one after another."""

Heard = Callable[[int, int], None]
"""Hears after each step how many of how many are done."""


def train_elmo(
    passages: Sequence[Sequence[str]],
    seed: int = 0,
    *,
    options: ElmoOptions | None = None,
    layer: str = "mean",
    steps: int = MOST_STEPS,
    equipment: Equipment | None = None,
    heard: Heard | None = None,
) -> ElmoEncoder:
    """A model that has learnt to guess the words of ``passages`` from either side.

    It learns on one thread of the processor, so that the same passages and the same seed give the
    same model. With too little text it gives zeros for every word, which makes a word similar to
    itself alone; the encoder's ``reason`` then says so.

    Parameters
    ----------
    passages : words in order; of long ones, windows.
    seed : decides the weights at the start, the order of the text, and what is dropped.
    options : sizes of the model; a small one.
    layer : see :class:`ElmoEncoder`.
    steps : at most so many, of ``WINDOW * WINDOWS`` words each; ``EPOCHS`` times the text if that
        is less.
    equipment : for the encoder.
    heard : hears how far it has come.
    """
    require("torch", "ELMo")
    check_layer(layer)  # not only after the training
    if steps < 1:
        raise SettingsError(f"steps must be 1 or more, not {steps}.")
    options, reason = options or ElmoOptions(), why_not(passages)
    if reason:
        weights = zero_weights(options)
    else:
        weights, _ = learnt(passages, seed, options, steps, heard or _unheard)
    return ElmoEncoder(options, weights, equipment=equipment, layer=layer, reason=reason)


def why_not(passages: Sequence[Sequence[str]]) -> str:
    """Why nothing can be learnt from these passages; empty where something can."""
    words, known = sum(map(len, passages)), len(vocabulary(passages, LEAST_VOCABULARY))
    if words < LEAST_WORDS:
        return f"ELMo learns from {LEAST_WORDS} words of text or more, and there are {words}."
    if known < LEAST_VOCABULARY:
        return f"ELMo needs {LEAST_VOCABULARY} words that come twice, and there are {known}."
    return ""


def learnt(
    passages: Sequence[Sequence[str]], seed: int, options: ElmoOptions, steps: int, heard: Heard
) -> tuple[dict[str, Vectors], list[float]]:
    """The weights after training, and the loss of each step on the way.

    The rate falls to zero in a straight line.
    """
    known, texts = vocabulary(passages, VOCABULARY), windows(passages, WINDOW)
    rng = np.random.default_rng(seed)
    steps = min(steps, EPOCHS * -(-len(texts) // WINDOWS))
    losses = []
    with threads(1):
        learner = Learner(options, len(known) + 1, rng)
        for step, some in zip(range(steps), _again_and_again(texts, rng), strict=False):
            rate = RATE * (1.0 - step / steps)
            losses.append(learner.learn(lesson(some, known, options), rate))
            heard(step + 1, steps)
    return learner.weights(), losses


def _again_and_again(texts: Sequence[Sequence[str]], rng: Rng) -> Iterator[list[Sequence[str]]]:
    while True:
        yield from shuffled(texts, WINDOWS, rng)


def _unheard(_done: int, _of: int) -> None:
    """Nobody listens."""
