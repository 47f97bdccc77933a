"""The columns of an export."""

from __future__ import annotations

from tools.reference.markdown import code, prose, table

from scenthound.output.export.rows import FIELDS


def page() -> str:
    """A row for each."""
    rows = [(code(field.name), field.kind.value, prose(field.about)) for field in FIELDS]
    return table(("column", "holds", "what it is"), rows)
