"""Figures on the disk: the same figure gives the same bytes, whole or not at all."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scenthound.store.atomic import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# No date and no version in the file.
_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
SUFFIXES = tuple(_METADATA)
"""What a figure can be drawn to."""
_DOTS_PER_INCH = 130


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure, by the suffix of ``path``, which is one of ``SUFFIXES``."""
    import matplotlib

    suffix = path.suffix.lower()
    with (
        replacing(path) as target,
        warnings.catch_warnings(),
        # Text stays text in an SVG, so that the reader's fonts show what ours lack.
        matplotlib.rc_context({"svg.hashsalt": "scenthound", "svg.fonttype": "none"}),
    ):
        # Topics and terms come in any script, and no font has them all.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(target, format=suffix[1:], dpi=_DOTS_PER_INCH, metadata=_METADATA[suffix])
