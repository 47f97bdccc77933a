"""Trains a small ELMo model on the text of a collection, where no published model is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scenthound.papers.elmo import FIRST_WORD, ElmoEncoder, Places, padded_sentences, windows_of
from scenthound.papers.elmo_network import (
    SMALL,
    Characters,
    ElmoOptions,
    Sizes,
    marked_characters,
    sentence_layers,
    shapes,
    without_padding,
    word_layer,
)
from scenthound.similarity.encoders import ModelRuntime, Vectors, require, threads

if TYPE_CHECKING:
    from torch import Tensor


BOUNDARY = 0
"""What is to be predicted before the first word of a window and after its last one."""
IGNORED = -1
"""A place where nothing is to be predicted: the word there is too rare."""
MIN_COUNT = 2
"""A word that comes less often is read, but never to be predicted."""
Rng = np.random.Generator


class TrainingBatch(NamedTuple):
    """Some windows of text.

    ``characters`` are those of the marks of a sentence, then of the distinct words of the windows.
    ``words`` has a row for each window, its places as rows of ``characters``; ``lengths`` count the
    marks. ``answers`` are like ``words``, the word to predict at each place.
    """

    characters: Characters
    words: Places
    lengths: Places
    answers: Places


def vocabulary(passages: Sequence[Sequence[str]], most: int) -> dict[str, int]:
    """Return the words to be predicted, from 1 on, the most frequent first; equals by spelling."""
    counts = Counter(chain.from_iterable(passages))
    frequent = sorted((-count, word) for word, count in counts.items() if count >= MIN_COUNT)
    return {word: number for number, (_, word) in enumerate(frequent[:most], 1)}


def shuffled(texts: Sequence[Sequence[str]], size: int, rng: Rng) -> Iterator[list[Sequence[str]]]:
    """Yield all windows once, ``size`` at a time, those of one length together, in any order."""
    mixed = [texts[i] for i in rng.permutation(len(texts))]
    mixed.sort(key=len)
    starts = range(0, len(mixed), size)
    for i in rng.permutation(len(starts)):
        yield mixed[starts[i] : starts[i] + size]


def training_batch(
    texts: Sequence[Sequence[str]], known: Mapping[str, int], options: ElmoOptions
) -> TrainingBatch:
    """Return the windows ``texts`` as numbers; ``known`` are the words to be predicted."""
    distinct = list(dict.fromkeys(chain.from_iterable(texts)))
    rows = {word: FIRST_WORD + i for i, word in enumerate(distinct)}
    places, lengths = padded_sentences(
        [np.array([rows[w] for w in text], np.int64) for text in texts]
    )
    targets = np.array([BOUNDARY] * FIRST_WORD + [known.get(w, IGNORED) for w in distinct])
    answers = targets[places]
    answers[np.arange(places.shape[1]) >= lengths[:, None]] = IGNORED
    widest = max(width for width, _ in options.filters)
    characters = without_padding(marked_characters(distinct, options.longest_word), widest)
    return TrainingBatch(characters, places, lengths, answers)


# The objective: predict each word from those before it, and from those after it.

RATE = 0.003
DROPOUT = 0.1
MAX_GRADIENT_NORM = 1.0
"""Longer gradients are shortened to this."""
_CARRY = -2.0
_SOFTMAX, _SOFTMAX_BIAS = "softmax/W", "softmax/b"


class ElmoTrainer:
    """Trains a model, batch by batch, on the processor.

    One softmax serves both directions, as in the paper. The same seed, options and batches give the
    same weights on one thread. ``answers`` is the number of different answers.
    """

    def __init__(self, options: ElmoOptions, answers: int, rng: Rng) -> None:
        import torch

        self._options = options
        start = {name: _initial(name, shape, rng) for name, shape in shapes(options).items()}
        start[_SOFTMAX] = _normal((options.projection, answers), rng)
        start[_SOFTMAX_BIAS] = np.zeros(answers, np.float32)
        self._weights = {
            name: torch.from_numpy(array).requires_grad_() for name, array in start.items()
        }
        self._chance = torch.Generator().manual_seed(int(rng.integers(2**31)))
        self._optimiser = torch.optim.Adam(self._weights.values(), lr=RATE)

    def learn(self, batch: TrainingBatch, rate: float = RATE) -> float:
        """Take one step; return the loss before it, in nats a prediction."""
        import torch

        loss = self._loss(batch)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._weights.values(), MAX_GRADIENT_NORM)
        self._optimiser.step()
        return float(loss.detach())

    def weights(self) -> dict[str, Vectors]:
        """Return the weights so far, without the softmax, which is of no further use."""
        return {name: self._weights[name].detach().numpy().copy() for name in shapes(self._options)}

    def _loss(self, batch: TrainingBatch) -> Tensor:
        import torch
        from torch.nn import functional

        characters, words, lengths, answers = map(torch.from_numpy, batch)
        table = word_layer(self._options, self._weights, characters)
        inputs = functional.embedding(words, table)
        top = sentence_layers(self._options, self._weights, inputs, lengths, self._dropped)[-1]
        seen, asked = prediction_targets(self._dropped(top), answers)
        scores = torch.addmm(self._weights[_SOFTMAX_BIAS], seen, self._weights[_SOFTMAX])
        total = functional.cross_entropy(scores, asked, reduction="sum")
        return total / max(len(asked), 1)

    def _dropped(self, values: Tensor) -> Tensor:
        """Zeros in place of some of the values, the others raised by as much."""
        kept = values.new_empty(values.shape).bernoulli_(1.0 - DROPOUT, generator=self._chance)
        return values * kept / (1.0 - DROPOUT)


def prediction_targets(top: Tensor, answers: Tensor) -> tuple[Tensor, Tensor]:
    """Return what is seen where a word is to be predicted, and the answers: a row a prediction.

    Forward, a place sees all up to itself and predicts the next one; backward, the one before.
    """
    import torch

    forward, backward = top.chunk(2, -1)
    seen = torch.cat([forward[:, :-1], backward[:, 1:]])
    asked = torch.cat([answers[:, 1:], answers[:, :-1]])
    chosen = asked != IGNORED
    return seen[chosen], asked[chosen]


def _initial(name: str, shape: Sizes, rng: Rng) -> Vectors:
    """Return matrices normal by their number of inputs, biases 0.

    Highways begin by letting most through, as the published ones did.
    """
    if name == "char_embed":
        return rng.uniform(-1.0, 1.0, shape).astype(np.float32)
    if name.endswith("b_carry"):
        return np.full(shape, _CARRY, np.float32)
    if "/b_" in name or name.endswith("/B"):
        return np.zeros(shape, np.float32)
    return _normal(shape, rng, pair=name.startswith("Cell"))


def _normal(shape: Sizes, rng: Rng, *, pair: bool = False) -> Vectors:
    """A matrix, or one for each of two directions, with its outputs in the last axis."""
    inputs = int(np.prod(shape[1 if pair else 0 : -1]))
    return rng.normal(0.0, inputs**-0.5, shape).astype(np.float32)


MIN_WORDS = 300
"""With less text there is nothing to learn from."""
MIN_VOCABULARY = 20
VOCABULARY = 2_000
"""So many of the most frequent words are to be predicted; all words are read."""
EPOCHS, MAX_STEPS = 30, 300
WINDOW, WINDOWS = 24, 48
"""Words of a window, and windows of a batch: short ones, since places come one after another."""


def train_elmo(
    passages: Sequence[Sequence[str]],
    seed: int = 0,
    *,
    options: ElmoOptions | None = None,
    layer: str = "mean",
    steps: int = MAX_STEPS,
    equipment: ModelRuntime | None = None,
) -> ElmoEncoder:
    """Train a model to predict the words of ``passages`` from either side.

    It learns on one thread of the processor, so that the same passages and the same seed give the
    same model, in at most so many ``steps`` of ``WINDOW * WINDOWS`` words each, or ``EPOCHS`` times
    the text. With too little text it gives zeros for every word, which makes a word similar to
    itself alone; the encoder's ``reason`` then says so.
    """
    require("torch", "ELMo")
    options, reason = options or SMALL, ""
    words, known = sum(map(len, passages)), len(vocabulary(passages, MIN_VOCABULARY))
    if words < MIN_WORDS:
        reason = f"ELMo learns from {MIN_WORDS} words of text or more, and there are {words}."
    elif known < MIN_VOCABULARY:
        reason = f"ELMo needs {MIN_VOCABULARY} words that come twice, and there are {known}."
    if reason:
        # A model that gives zeros for every word.
        weights = {name: np.zeros(shape, np.float32) for name, shape in shapes(options).items()}
    else:
        weights, _ = trained_weights(passages, seed, options, steps)
    return ElmoEncoder(options, weights, equipment=equipment, layer=layer, reason=reason)


def trained_weights(
    passages: Sequence[Sequence[str]], seed: int, options: ElmoOptions, steps: int
) -> tuple[dict[str, Vectors], list[float]]:
    """Return the weights after training, and the loss of each step on the way.

    The rate falls to zero in a straight line.
    """
    known = vocabulary(passages, VOCABULARY)
    cuts = windows_of([len(passage) for passage in passages], WINDOW)
    texts = [passages[passage][cut] for passage, cut in cuts]
    rng = np.random.default_rng(seed)
    steps = min(steps, EPOCHS * -(-len(texts) // WINDOWS))
    losses = []
    batches = chain.from_iterable(shuffled(texts, WINDOWS, rng) for _ in count())
    with threads(1):
        trainer = ElmoTrainer(options, len(known) + 1, rng)
        for step, some in enumerate(islice(batches, steps)):
            rate = RATE * (1.0 - step / steps)
            losses.append(trainer.learn(training_batch(some, known, options), rate))
    return trainer.weights(), losses
