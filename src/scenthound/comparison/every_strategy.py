"""``all``: every strategy that can be run here, and which ones are left out and why."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from scenthound.comparison.contenders import Contender, contender
from scenthound.core.errors import InputError
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.installed import STRATEGIES

ALL = "all"
_LIBRARIES = {
    "neural": ("torch", "transformers", "gensim", "h5py"),
    "ontology": ("rdflib", "concepts", "sklearn", "efficient_apriori"),
}
"""What the strategies of an extra load; an extra that is not here is taken to be installed."""


def contenders(texts: Sequence[str], labelled: bool) -> tuple[list[Contender], list[str]]:
    """The contenders that the texts name, and what ``all`` leaves out, in words.

    Parameters
    ----------
    texts : as :func:`.contenders.contender` takes them; :data:`ALL` stands for every strategy
        that has not been named.
    labelled : are there labels? Without, ``all`` leaves out the strategies that need them.
    """
    named = [contender(text) for text in texts if text.strip() != ALL]
    if len(named) == len(texts):
        return named, []
    found, left_out = list(named), []
    for name in STRATEGIES:
        if name in {each.name for each in named}:
            continue
        reason = _why_not(name, labelled)
        if reason:
            left_out.append(f"{name} is left out: {reason}")
        else:
            found.append(Contender(name))
    return found, left_out


def _why_not(name: str, labelled: bool) -> str:
    """Why a strategy cannot be run here; "" where it can."""
    try:
        recipe = STRATEGIES[name]
    except InputError as error:  # one of another package, which cannot be loaded
        return str(error)
    if recipe.needs_labels and not labelled:
        return "it needs labels"
    return missing_extra(recipe)


def missing_extra(recipe: Recipe) -> str:
    """How to get the extra that a strategy needs; "" where nothing is missing."""
    missing = [lib for lib in _LIBRARIES.get(recipe.extra, ()) if find_spec(lib) is None]
    if not missing:
        return ""
    return f"it needs {missing[0]}; install it with: pip install 'scenthound[{recipe.extra}]'"
