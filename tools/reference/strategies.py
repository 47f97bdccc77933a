"""Every strategy with its parameters, from the catalogue."""

from __future__ import annotations

from tools.reference.markdown import code, prose, table

from scenthound.strategies.catalogue import CATALOGUE, parameter_descriptions, strategy_docstring
from scenthound.strategies.spec import StrategySpec


def page() -> str:
    """The table of strategies, and a section for each one's parameters."""
    rows = [
        (code(r.name), prose(r.summary), r.combination.value, prose(r.paper))
        for r in CATALOGUE.values()
    ]
    parts = [table(("strategy", "what it fetches next", "inlinks", "paper"), rows)]
    parts += [_parameters(spec) for spec in CATALOGUE.values() if spec.parameters]
    return "\n".join(parts)


def _parameters(spec: StrategySpec) -> str:
    about = parameter_descriptions(spec)
    rows = [
        (code(f"{spec.name}.{key}"), code(str(value)), prose(about[key]))
        for key, value in spec.parameters.items()
    ]
    told = table(("--set", "default", "what it is"), rows)
    return f"## {spec.name}\n\n{prose(strategy_docstring(spec).text)}\n\n{told}"
