"""Names for the arrays that the optimisers hand to one another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
"""Numbers: objects (one row each, a column for each text), fitnesses, probabilities."""
Places = npt.NDArray[np.intp]
"""Which objects, by their place in the array."""
Marks = npt.NDArray[np.bool_]
"""Yes or no for each object."""
