from __future__ import annotations

import numpy as np

from scenthound.vectors.lengths import unit_rows


def test_rows_get_length_one_and_zeros_stay() -> None:
    found = unit_rows(np.array([[3, 4], [0, 0], [-2, 0]], np.float32))
    assert np.allclose(found, [[0.6, 0.8], [0.0, 0.0], [-1.0, 0.0]])
    assert found.dtype == np.float32


def test_no_row_gives_no_row_and_nothing_is_changed_in_place() -> None:
    assert unit_rows(np.zeros((0, 5), np.float32)).shape == (0, 5)
    given = np.array([[3, 4]], np.float32)
    unit_rows(given)
    assert given.tolist() == [[3, 4]]
