"""The weights file: a small TOML file with the weights of a topic, learnt or written by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.store.atomic import write_bytes
from scenthound.strategies.text_models import TEXT_MODELS
from scenthound.strategies.weighted import EVIDENCE
from scenthound.strategies.weights import LinkWeights
from scenthound.tuning.collecting import Collected
from scenthound.tuning.result import Tuning, rounded, rounded_share

MODEL, WEIGHTS, LEARNT = "model", "weights", "learnt"
_KEYS = (MODEL, WEIGHTS, LEARNT)
_LARGEST = 1_000_000
_HEAD = (
    "Weights of the evidence for a link, for: scenthound replay ... --weights FILE",
    "They lie within 0 and 1 and need not add up to 1.",
)
_FIT = "They fit this text model:"
_EXAMPLE = "add a table [weights] with lines such as full = 0.3 and anchor = 0.5."


def write_weights(path: Path, tuning: Tuning, collected: Collected | None = None) -> None:
    """Write the weights that were learnt, and how; in one step.

    Parameters
    ----------
    path : where to; a file that is there is replaced.
    tuning : the weights and their figures.
    collected : how the training links were come by, where that is known.

    SettingsError where it cannot be written.
    """
    try:
        write_bytes(path, weights_text(tuning, collected).encode("utf-8", "replace"))
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror or error}.") from None


def weights_text(tuning: Tuning, collected: Collected | None = None) -> str:
    """The content of a weights file; :func:`read_weights` reads it back."""
    import tomlkit

    document = tomlkit.document()
    for line in _HEAD:
        document.add(tomlkit.comment(line))
    if tuning.model:
        document.add(tomlkit.comment(_FIT))
        document.add(MODEL, tomlkit.item(tuning.model))
    document.add(WEIGHTS, tomlkit.item(tuning.by_name))
    document.add(LEARNT, tomlkit.item(_provenance(tuning, collected)))
    return tomlkit.dumps(document)


def read_weights(path: Path) -> LinkWeights:
    """The weights in a file; what it says of how they were learnt is not looked at.

    SettingsError where it cannot be read or used: one sentence with what to do.
    """
    table = _table(path)
    try:
        for key in table:
            if key not in _KEYS:
                raise UnknownNameError("key", key, _KEYS)
        return LinkWeights(_weights(table), _model(table), str(path))
    except InputError as error:
        raise SettingsError(f"weights file {path}: {error}") from None


def _table(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > _LARGEST:
            raise SettingsError(f"{path} is too large for a weights file; give the right one.")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise SettingsError(
            f"weights file {path}: {reason}; give the path of a TOML file."
        ) from None
    except (ValueError, RecursionError) as error:  # TOML, UTF-8, huge numbers, deep nesting
        raise SettingsError(f"weights file {path} is not valid TOML: {error}.") from None


def _weights(table: Mapping[str, object]) -> dict[str, float]:
    values = table.get(WEIGHTS)
    if not isinstance(values, dict) or not values:
        raise SettingsError(f"there are no weights; {_EXAMPLE}")
    ordered = [*(name for name in EVIDENCE if name in values), *(values.keys() - set(EVIDENCE))]
    return {name: values[name] for name in ordered}  # checked by whoever takes them


def _model(table: Mapping[str, object]) -> str | None:
    name = table.get(MODEL)
    if name is None:
        return None
    if not isinstance(name, str):
        raise SettingsError(f"model is the name of a text model, not {name!r}.")
    return TEXT_MODELS[name].name


def _provenance(tuning: Tuning, collected: Collected | None) -> dict[str, object]:
    """How the weights were learnt, for whoever finds the file later."""
    figures: dict[str, object] = {
        "topic": tuning.topic,
        "optimiser": tuning.optimiser,
        "seed": tuning.seed,
        "train_links": tuning.train,
        "test_links": tuning.test,
        "train_error": rounded(tuning.train_error),
        "train_error_equal": rounded(tuning.train_error_equal),
        "test_error": rounded(tuning.test_error),
        "test_error_equal": rounded(tuning.test_error_equal),
        "share_of_exact_fitness": None if tuning.share is None else rounded_share(tuning.share),
        "equal_because": tuning.reason,
        "parameters": dict(tuning.parameters),
        "scenthound": version("scenthound"),
    }
    if collected is not None:
        figures |= {"links_from": collected.source, "pages_fetched": collected.fetched}
        figures["model_parameters"] = dict(collected.parameters)
    told = {key: value for key, value in figures.items() if value not in (None, {})}
    return dict(sorted(told.items(), key=lambda pair: isinstance(pair[1], dict)))  # tables last
