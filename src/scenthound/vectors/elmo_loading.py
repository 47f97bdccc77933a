"""Published ELMo models, ready to work."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from scenthound.vectors.elmo_encoder import ElmoEncoder
from scenthound.vectors.elmo_files import read_options, read_weights
from scenthound.vectors.elmo_options import ElmoOptions
from scenthound.vectors.extra import require
from scenthound.vectors.protocols import Equipment, Vectors


def load_elmo(
    options: Path,
    weights: Path,
    *,
    equipment: Equipment | None = None,
    layer: str = "mean",
) -> ElmoEncoder:
    """The encoder of a model in two files, ``options.json`` and ``weights.hdf5``.

    SettingsError where a file is not there or cannot be used; see ``elmo_files``.
    """
    require("torch", "ELMo")
    model = _model(options, weights, *_stamp(options), *_stamp(weights))
    return ElmoEncoder(*model, equipment=equipment, layer=layer)


@lru_cache(maxsize=1)
def _model(options: Path, weights: Path, *_: int) -> tuple[ElmoOptions, dict[str, Vectors]]:
    """The crawls of one process share the weights, which take some hundred megabytes."""
    read = read_options(options)
    return read, read_weights(weights, read)


def _stamp(path: Path) -> tuple[int, int]:
    """Size and time of a file, which change when it does; zeros where it is not there."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns
