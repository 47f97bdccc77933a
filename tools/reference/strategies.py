"""Every strategy with its parameters, from the catalogue."""

from __future__ import annotations

import re
import sys

from tools.reference.docstrings import Docstring, docstring
from tools.reference.markdown import code, prose, table

from scenthound.strategies import text_models
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.weighing import Weighing

_SHARED = re.compile(r"^\* ``(\w+)``: (.+?)[;.?]$", re.MULTILINE | re.DOTALL)


def page() -> str:
    """The table of strategies, and a section for each one's parameters."""
    rows = [
        (code(r.name), prose(r.summary), r.combination.value, prose(r.paper))
        for r in CATALOGUE.values()
    ]
    parts = [table(("strategy", "what it fetches next", "inlinks", "paper"), rows)]
    parts += [_parameters(recipe) for recipe in CATALOGUE.values() if recipe.parameters]
    return "\n".join(parts)


def _parameters(recipe: Recipe) -> str:
    doc = _documented(recipe)
    about = {**_shared(recipe), **dict(doc.parameters)}
    rows = [
        (code(f"{recipe.name}.{key}"), code(str(value)), prose(about.get(key, _above(key, doc))))
        for key, value in recipe.parameters.items()
    ]
    told = table(("--set", "default", "what it is"), rows)
    return f"## {recipe.name}\n\n{prose(doc.text)}\n\n{told}"


def _documented(recipe: Recipe) -> Docstring:
    """What the strategy's scorer says; of a text model and a way to weigh, what both say."""
    scorer = recipe.scorer
    if not isinstance(scorer, Weighing):
        return docstring(scorer)
    texts = [docstring(each).text for each in (scorer.model.build, scorer.scorer)]
    return Docstring("\n\n".join(texts))


def _above(key: str, doc: Docstring) -> str:
    """Where the text explains a parameter; nothing if it does not."""
    return "see above" if f"``{key}``" in doc.text else ""


def _shared(recipe: Recipe) -> dict[str, str]:
    """What modules say of parameters that several share: that of all text models, and its own."""
    modules = [text_models]
    if isinstance(recipe.scorer, Weighing):
        modules.append(sys.modules[recipe.scorer.model.build.__module__])
    found = [pair for module in modules for pair in _SHARED.findall(module.__doc__ or "")]
    return {name: " ".join(text.split()) for name, text in found}
