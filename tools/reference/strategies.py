"""Every strategy with its parameters, from the catalogue."""

from __future__ import annotations

from tools.reference.markdown import code, prose, table

from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.explained import documented, parameter_texts
from scenthound.strategies.ingredients import Recipe


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
    about = parameter_texts(recipe)
    rows = [
        (code(f"{recipe.name}.{key}"), code(str(value)), prose(about[key]))
        for key, value in recipe.parameters.items()
    ]
    told = table(("--set", "default", "what it is"), rows)
    return f"## {recipe.name}\n\n{prose(documented(recipe).text)}\n\n{told}"
