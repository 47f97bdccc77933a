"""How an ELMo model learns: it guesses each word from those before it, and from those after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scenthound.vectors.elmo_lessons import UNASKED, Lesson, Rng
from scenthound.vectors.elmo_model import sentence_layers, word_layer
from scenthound.vectors.elmo_options import ElmoOptions, Sizes, shapes
from scenthound.vectors.protocols import Vectors

if TYPE_CHECKING:
    from torch import Tensor

RATE = 0.003
DROPPED = 0.1
STEEPEST = 1.0
"""Longer gradients are shortened to this."""
_CARRY = -2.0
_SOFTMAX, _SOFTMAX_BIAS = "softmax/W", "softmax/b"


def initial_weights(options: ElmoOptions, rng: Rng) -> dict[str, Vectors]:
    """Weights before anything is learnt: matrices normal by their number of inputs, biases 0.

    Highways begin by letting most through, as the published ones did.
    """
    return {name: _initial(name, shape, rng) for name, shape in shapes(options).items()}


def zero_weights(options: ElmoOptions) -> dict[str, Vectors]:
    """Weights of a model that gives zeros for every word."""
    return {name: np.zeros(shape, np.float32) for name, shape in shapes(options).items()}


class Learner:
    """A model that learns, lesson by lesson, on the processor.

    One softmax serves both directions, as in the paper. The same seed, options and lessons give
    the same weights on one thread.

    Parameters
    ----------
    options : the model.
    answers : number of different answers.
    rng : where the weights at the start and what is dropped come from.
    """

    def __init__(self, options: ElmoOptions, answers: int, rng: Rng) -> None:
        import torch

        self._options = options
        start = initial_weights(options, rng)
        start[_SOFTMAX] = _normal((options.projection, answers), rng)
        start[_SOFTMAX_BIAS] = np.zeros(answers, np.float32)
        self._weights = {
            name: torch.from_numpy(array).requires_grad_() for name, array in start.items()
        }
        self._chance = torch.Generator().manual_seed(int(rng.integers(2**31)))
        self._optimiser = torch.optim.Adam(self._weights.values(), lr=RATE)

    def learn(self, lesson: Lesson, rate: float = RATE) -> float:
        """One step downhill; the loss before it, in nats a guess. 0 where nothing is asked."""
        import torch

        loss = self._loss(lesson)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._weights.values(), STEEPEST)
        self._optimiser.step()
        return float(loss.detach())

    def weights(self) -> dict[str, Vectors]:
        """What the model has learnt so far; the softmax is of no further use."""
        return {name: self._weights[name].detach().numpy().copy() for name in shapes(self._options)}

    def _loss(self, lesson: Lesson) -> Tensor:
        import torch
        from torch.nn import functional

        characters, words, lengths, answers = (
            torch.from_numpy(array)
            for array in (lesson.characters, lesson.words, lesson.lengths, lesson.answers)
        )
        table = word_layer(self._options, self._weights, characters)
        inputs = functional.embedding(words, table)
        top = sentence_layers(self._options, self._weights, inputs, lengths, self._dropped)[-1]
        seen, asked = guesses(self._dropped(top), answers)
        scores = torch.addmm(self._weights[_SOFTMAX_BIAS], seen, self._weights[_SOFTMAX])
        total = functional.cross_entropy(scores, asked, reduction="sum")
        return total / max(len(asked), 1)

    def _dropped(self, values: Tensor) -> Tensor:
        """Zeros in place of some of the values, the others raised by as much."""
        kept = values.new_empty(values.shape).bernoulli_(1.0 - DROPPED, generator=self._chance)
        return values * kept / (1.0 - DROPPED)


def guesses(top: Tensor, answers: Tensor) -> tuple[Tensor, Tensor]:
    """What is seen where something is to be guessed, and the answers: one row a guess.

    Forward, a place sees all up to itself and guesses the next one; backward, the one before.
    """
    import torch

    forward, backward = top.chunk(2, -1)
    seen = torch.cat([forward[:, :-1], backward[:, 1:]])
    asked = torch.cat([answers[:, 1:], answers[:, :-1]])
    chosen = asked != UNASKED
    return seen[chosen], asked[chosen]


def _initial(name: str, shape: Sizes, rng: Rng) -> Vectors:
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
