"""The file of the vector cache."""

from __future__ import annotations

from scenthound.store.cache_layout import Layout

VECTORS = Layout(
    title="vector cache",
    stem="vectors-1",
    mark=b"ScnV",
    groups="models",
    group="model",
    entries="vectors",
    facts=(("rows", "INTEGER"), ("length", "INTEGER NOT NULL")),
    content="vector",
)
FILE = VECTORS.file
