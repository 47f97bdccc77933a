"""Rows as Parquet, written a group of rows at a time. Only this file knows pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any

from scenthound.core.errors import SettingsError
from scenthound.corpus.fields import Field, Kind, Row

if TYPE_CHECKING:
    import pyarrow as pa

_GROUP_ROWS = 1_000
_GROUP_CHARACTERS = 8_000_000
"""Texts are of very different lengths: a group ends at whichever comes first."""


def require_parquet() -> None:
    """SettingsError where the extra is not installed."""
    if find_spec("pyarrow") is None:
        raise SettingsError(
            "Parquet needs a library; install it with: pip install 'scenthound[parquet]'"
        )


class ParquetTable:
    """Writes rows to an open file; what is in memory is one group of them.

    Lists of texts are lists; ``priority_parts`` is a list of (name, value, weight).
    """

    def __init__(self, file: IO[bytes], fields: Sequence[Field]) -> None:
        import pyarrow.parquet as pq

        self._schema = _schema(fields)
        self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._characters = 0

    def write(self, row: Row) -> None:
        """One more row."""
        self._rows.append({name: _listed(value) for name, value in row.items()})
        self._characters += len(str(row.get("text") or ""))
        if len(self._rows) >= _GROUP_ROWS or self._characters >= _GROUP_CHARACTERS:
            self._flush()

    def close(self) -> None:
        """Write the last group, and what a reader needs to find the others."""
        if self._rows:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows, self._characters = [], 0


def _listed(value: object) -> object:
    """Parts by name as a list, which every reader of Parquet understands."""
    if not isinstance(value, dict):
        return value
    return [{"name": name, **part} for name, part in value.items()]


def _schema(fields: Sequence[Field]) -> pa.Schema:
    import pyarrow as pa

    parts = pa.struct([("name", pa.string()), ("value", pa.float64()), ("weight", pa.float64())])
    types = {
        Kind.TEXT: pa.string(),
        Kind.INTEGER: pa.int64(),
        Kind.NUMBER: pa.float64(),
        Kind.TRUTH: pa.bool_(),
        Kind.TEXTS: pa.list_(pa.string()),
        Kind.PARTS: pa.list_(parts),
    }
    columns = [
        pa.field(field.name, types[field.kind], metadata={"about": field.about}) for field in fields
    ]
    return pa.schema(columns)
