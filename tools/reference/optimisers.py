"""Every optimiser of ``scenthound tune`` with its parameters, from the catalogue."""

from __future__ import annotations

from tools.reference.docstrings import parse_docstring
from tools.reference.markdown import code, prose, table

from scenthound.papers.least_squares import exact_weights
from scenthound.papers.optimiser_catalogue import EXACT, OPTIMISERS, OptimiserSpec


def page() -> str:
    """The table of optimisers, and a section for each one's parameters."""
    exact = (code(EXACT), prose(parse_docstring(exact_weights).text.split("\n\n")[0]), "ours")
    rows = [(code(m.name), prose(m.summary), prose(m.paper)) for m in OPTIMISERS.values()]
    parts = [table(("optimiser", "what it does", "paper"), [exact, *rows])]
    return "\n".join([*parts, *map(_parameters, OPTIMISERS.values())])


def _parameters(method: OptimiserSpec) -> str:
    about = dict(item for group in method.settings for item in parse_docstring(group).parameters)
    rows = [
        (code(f"{method.name}.{key}"), code(str(value)), prose(about[key]))
        for key, value in method.parameters.items()
    ]
    return f"## {method.name}\n\n{table(('--set', 'default', 'what it is'), rows)}"
