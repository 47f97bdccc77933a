"""Counting steps and remembering the best, which all searches share."""

from __future__ import annotations

import math

import numpy as np

from scenthound.optimise.stepwise import Stepwise


def test_before_the_first_step_there_is_nothing() -> None:
    search = Stepwise(2)
    assert search.best.weights.tolist() == []
    assert search.best.fitness == -math.inf
    assert (search.told, search.progress, search.done) == (0, 0.0, False)


def test_the_steps_are_counted_to_the_end() -> None:
    search = Stepwise(2)
    for told, progress, done in [(1, 0.5, False), (2, 1.0, True)]:
        search.note(np.array([[0.1]]), np.array([1.0]))
        assert (search.told, search.progress, search.done) == (told, progress, done)


def test_of_equally_fit_objects_the_first_is_remembered() -> None:
    search = Stepwise(2)
    search.note(np.array([[0.1], [0.2], [0.3]]), np.array([1.0, 2.0, 2.0]))
    search.note(np.array([[0.4]]), np.array([2.0]))
    assert search.best.weights.tolist() == [0.2]
    assert search.best.fitness == 2.0


def test_the_best_stays_when_its_object_changes() -> None:
    search, objects = Stepwise(1), np.array([[0.1, 0.2]])
    search.note(objects, np.array([1.0]))
    objects[:] = 0.9
    assert search.best.weights.tolist() == [0.1, 0.2]
