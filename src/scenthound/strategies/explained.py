"""What the parameters of a strategy are, in the words of the code that takes them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from scenthound.core.docstrings import Docstring, docstring
from scenthound.core.parameters import keyword_parameters
from scenthound.strategies import text_models
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.weighing import Weighing

_SHARED = re.compile(r"^\* ``(\w+)``: (.+?)[;.?]$", re.MULTILINE | re.DOTALL)


def documented(recipe: Recipe) -> Docstring:
    """What all parts of a strategy say that have parameters, as one."""
    parts = [docstring(each) for each in _parts(recipe)]
    text = "\n\n".join(part.text for part in parts)
    return Docstring(text, tuple(item for part in parts for item in part.parameters))


def parameter_texts(recipe: Recipe) -> dict[str, str]:
    """What each parameter is; "see above" where the text explains it, "" where nothing does."""
    doc = documented(recipe)
    about = {**_shared(recipe), **dict(doc.parameters)}
    return {key: about.get(key, _above(key, doc)) for key in recipe.parameters}


def _parts(recipe: Recipe) -> list[Callable[..., object]]:
    """The scorer, or text model and way to weigh; and the policy where something can be set."""
    scorer = recipe.scorer
    parts: list[Callable[..., object]] = [scorer]
    if isinstance(scorer, Weighing):
        parts = [scorer.model.build, scorer.scorer]
    return [*parts, recipe.policy] if keyword_parameters(recipe.policy) else parts


def _above(key: str, doc: Docstring) -> str:
    return "see above" if f"``{key}``" in doc.text else ""


def _shared(recipe: Recipe) -> dict[str, str]:
    """What modules say of parameters that several share: that of all text models, and its own."""
    modules = [text_models]
    if isinstance(recipe.scorer, Weighing):
        modules.append(sys.modules[recipe.scorer.model.build.__module__])
    found = [pair for module in modules for pair in _SHARED.findall(module.__doc__ or "")]
    return {name: " ".join(text.split()) for name, text in found}
