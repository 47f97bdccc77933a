"""Weights that the user gives: which strategies take them, and which cannot."""

from __future__ import annotations

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Parameters
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.text_models import TEXT_MODELS
from scenthound.strategies.weighing import Weighing
from scenthound.strategies.weights import LinkWeights

_SETTLED = ("balance", "structure")
"""Parameters that say what is weighed, and how: given weights say both."""


def text_model(recipe: Recipe) -> str | None:
    """The text model whose similarities a strategy weighs; None for one that takes no weights."""
    return recipe.scorer.model.name if isinstance(recipe.scorer, Weighing) else None


def refuse_weights(
    recipe: Recipe, weights: LinkWeights | None, parameters: Parameters | None = None
) -> None:
    """SettingsError where the strategy cannot use the weights, and what to do; None is none.

    ``parameters`` are those that the user gives: one that the weights settle would not be heeded.
    """
    if weights is None:
        return
    own = text_model(recipe)
    if weights.model is not None and weights.model not in TEXT_MODELS:
        raise UnknownNameError(
            f"text model in the weights{_from(weights)}:", weights.model, TEXT_MODELS
        )
    if own is None:
        raise SettingsError(
            f"strategy {recipe.name!r} takes no weights, so they would not be heeded; choose "
            f"one that does ({', '.join(_strategies(weights.model))}), or leave the weights out."
        )
    if weights.model not in (None, own):
        raise SettingsError(
            f"the weights{_from(weights)} were learnt for the text model {weights.model!r}, and "
            f"strategy {recipe.name!r} has the model {own!r}; choose a strategy of that model "
            f"({', '.join(_strategies(weights.model))}), or tune again with --model {own}."
        )
    for key in set(_SETTLED) & set(parameters or ()):
        raise SettingsError(
            f"{recipe.name}.{key} would not be heeded, as the weights{_from(weights)} say what "
            "every text weighs; give one of the two."
        )


def _strategies(model: str | None = None) -> list[str]:
    """Those that weigh texts by this model; by any, for None."""
    models = {recipe.name: text_model(recipe) for recipe in CATALOGUE.values()}
    return [name for name, own in models.items() if own is not None and model in (None, own)]


def _from(weights: LinkWeights) -> str:
    return f" from {weights.origin}" if weights.origin else ""
