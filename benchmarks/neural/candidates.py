"""The crawlers whose harvest is measured: those of the catalogue, and variants of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.variants import Variant
from scenthound.core.errors import UnknownNameError
from scenthound.core.model import Combination
from scenthound.core.parameters import Value
from scenthound.similarity.encoders import require
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.weighting import SOFT_TEXTS, FixedWeights

BESIDE = ("oracle", "vsm-mean", "soft-svsm", "soft-sdvsm")
"""Those without a network, to compare with."""
OURS = ("sentences", "sentences-light", "soft-bsvsm")
PAPER = ("word2vec", "elmo", "bsvsm", "bsvsm-ha")
"""As bsvsm-ha prints them."""
_LIBRARIES = ("torch", "transformers", "gensim")


def candidates() -> list[Variant]:
    """Every crawler that is measured: as the catalogue has it first, then the variants."""
    return [
        *(Variant(name, CATALOGUE[name], {}) for name in (*BESIDE, *OURS, *PAPER)),
        _soft("word2vec"),
        _soft("elmo", context=False),
        _changed("bsvsm", "context", False),
        _changed("bsvsm-ha", "optimiser", "hybrid"),
        *(_mean(name) for name in PAPER),
    ]


def _soft(name: str, **preset: Value) -> Variant:
    """``soft-bsvsm`` with the vectors of another model."""
    ours = CATALOGUE["soft-bsvsm"]
    fade = {key: ours.parameters[key] for key in ("form", "floor", "power")}
    scorer = FixedWeights(name, SOFT_TEXTS, **fade, **preset)
    spec = replace(CATALOGUE[name], scorer=scorer, combination=ours.combination)
    return Variant(f"soft-{name}", spec, {})


def _changed(name: str, key: str, value: Value) -> Variant:
    return Variant(f"{name} {key}={value}", CATALOGUE[name], {key: value})


def _mean(name: str) -> Variant:
    spec = replace(CATALOGUE[name], combination=Combination.MEAN)
    return Variant(f"{name} inlinks=mean", spec, {})


def chosen(names: Sequence[str]) -> list[Variant]:
    """The candidates of these names, in the order of :func:`candidates`; all where none is given.

    UnknownNameError for a name that none has.
    """
    known = {each.name: each for each in candidates()}
    for name in names:
        if name not in known:
            raise UnknownNameError("candidate", name, known)
    return [each for name, each in known.items() if name in names or not names]


def require_libraries(wanted: Sequence[Variant]) -> None:
    """SettingsError where a candidate needs a library that is missing: now, not in an hour."""
    if any(each.spec.extra for each in wanted):
        for library in _LIBRARIES:
            require(library, "the neural bench")
