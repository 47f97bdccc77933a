"""A tiny ELMo in the layout of the published files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from scenthound.papers.elmo import dataset_names
from scenthound.papers.elmo_network import ElmoOptions, published_options
from scenthound.similarity.encoders import Vectors

Array = npt.NDArray[np.float64]
TINY: dict[str, Any] = {
    "lstm": {
        "use_skip_connections": True,
        "projection_dim": 4,
        "cell_clip": 3,
        "proj_clip": 3,
        "dim": 6,
        "n_layers": 2,
    },
    "char_cnn": {
        "activation": "relu",
        "filters": [[1, 3], [2, 4], [5, 2]],
        "n_highway": 2,
        "embedding": {"dim": 3},
        "n_characters": 262,
        "max_characters_per_token": 50,
    },
}


def tiny(**changes: Any) -> dict[str, Any]:
    """The options with some of them changed, in whichever section they stand."""
    options: dict[str, Any] = json.loads(json.dumps(TINY))
    for key, value in changes.items():
        section = next(s for s in options.values() if key in s)
        section[key] = value
    return options


def random_weights(options: dict[str, Any], seed: int = 0, scale: float = 0.7) -> dict[str, Array]:
    """A number for every weight, by the published names of the datasets."""
    rng = np.random.default_rng(seed)
    cnn, lstm = options["char_cnn"], options["lstm"]
    features = sum(number for _, number in cnn["filters"])
    word, cells, letter = lstm["projection_dim"], lstm["dim"], cnn["embedding"]["dim"]
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (261, letter)}
    for i, (width, number) in enumerate(cnn["filters"]):
        shapes |= {f"CNN/W_cnn_{i}": (1, width, letter, number), f"CNN/b_cnn_{i}": (number,)}
    for i in range(cnn["n_highway"]):
        for part in ("carry", "transform"):
            shapes[f"CNN_high_{i}/W_{part}"] = (features, features)
            shapes[f"CNN_high_{i}/b_{part}"] = (features,)
    if features != word:
        shapes |= {"CNN_proj/W_proj": (features, word), "CNN_proj/b_proj": (word,)}
    for direction in (0, 1):
        for i in range(lstm["n_layers"]):
            name = f"RNN_{direction}/RNN/MultiRNNCell/Cell{i}/LSTMCell"
            shapes |= {
                f"{name}/W_0": (2 * word, 4 * cells),
                f"{name}/B": (4 * cells,),
                f"{name}/W_P_0": (cells, word),
            }
    return {
        name: rng.normal(0.0, scale, shape).astype(np.float32).astype(np.float64)
        for name, shape in shapes.items()
    }


def write_published(
    folder: Path, options: dict[str, Any], weights: dict[str, Array]
) -> tuple[Path, Path]:
    """Both files; ``options.json`` and ``weights.hdf5``."""
    paths = folder / "options.json", folder / "weights.hdf5"
    paths[0].write_text(json.dumps(options))
    with h5py.File(paths[1], "w") as file:
        for name, array in weights.items():
            file.create_dataset(name, data=array.astype(np.float32))
    return paths


def write_model(
    options_path: Path, weights_path: Path, options: ElmoOptions, weights: Mapping[str, Vectors]
) -> None:
    """Write a model of ours as the published ones are written."""
    options_path.write_text(json.dumps(published_options(options)))
    with h5py.File(weights_path, "w") as file:
        for name, array in weights.items():
            datasets = dataset_names(name)
            for dataset, part in zip(
                datasets, array if len(datasets) == 2 else [array], strict=True
            ):
                file.create_dataset(dataset, data=part)
