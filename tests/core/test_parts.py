"""The parts of a score by column: read as a sequence, equal to what they were made of."""

from __future__ import annotations

import pickle

import pytest

from scenthound.core.model import Part, Score
from scenthound.core.parts import Parts

PLAIN = (Part("page", 0.5, 0.25), Part("anchor", 0.2, 0.5), Part("inlinks", 0.75, 1.0))


def test_they_read_as_what_they_were_made_of() -> None:
    parts = Parts.of(PLAIN)
    assert parts == PLAIN and tuple(parts) == PLAIN
    assert Score(0.0, PLAIN) == Score(0.0, parts)  # the other way round
    assert parts[1] == PLAIN[1] and parts[-1] == PLAIN[-1] and parts[:2] == PLAIN[:2]
    assert len(parts) == 3 and PLAIN[2] in parts and hash(parts) == hash(PLAIN)
    assert pickle.loads(pickle.dumps(parts)) == parts
    assert Parts.of(parts) is parts
    assert not Parts.of(()) and parts != "parts"


def test_the_score_is_the_weighted_sum() -> None:
    """0.5 / 4 + 0.2 / 2 + 0.75 = 0.975."""
    score = Parts.of(PLAIN).score()
    assert score.value == pytest.approx(0.975) and score.parts == PLAIN


def test_other_values_keep_names_and_weights() -> None:
    parts = Parts.of(PLAIN).valued((1.0, 1.0, 0.0))
    assert parts.names == ("page", "anchor", "inlinks")
    assert parts.score().value == pytest.approx(0.75)


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="1 values"):
        Parts(("page", "anchor"), (1.0,), (1.0, 1.0))
