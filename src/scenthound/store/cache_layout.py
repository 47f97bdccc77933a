"""What tells one cache file from another: its name, and how its tables are called."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of cache.

    Every kind has three tables: groups of entries by name, the entries, and when each was used.

    Parameters
    ----------
    title : what messages call it.
    stem : name of its files, with the version of the format: programs of different ages do not
        meet in one file.
    mark : four bytes that tell its files from those of other programs.
    groups : table of the groups.
    group : column of the entries that names their group.
    entries : table of the entries.
    facts : columns of an entry besides its content, with their types.
    content : column of what is kept.
    """

    title: str
    stem: str
    mark: bytes
    groups: str
    group: str
    entries: str
    facts: tuple[tuple[str, str], ...]
    content: str

    @property
    def file(self) -> str:
        """Name of the database."""
        return f"{self.stem}.sqlite"

    @property
    def aside(self) -> str:
        """Where a damaged one goes."""
        return f"{self.file}.damaged"

    @property
    def lock(self) -> str:
        """Name of the file that is locked while the database is made, opened or moved."""
        return f"{self.stem}.lock"

    @property
    def application(self) -> int:
        """The mark as SQLite keeps it."""
        return int.from_bytes(self.mark, "big")

    @property
    def values(self) -> tuple[str, ...]:
        """Columns that the caller of the cache fills: facts, then the content."""
        return (*(name for name, _ in self.facts), self.content)

    def schema(self) -> tuple[str, ...]:
        """Statements that make the tables."""
        facts = "".join(f"{name} {kind}, " for name, kind in self.facts)
        return (
            # By a hash of the name, so that a number means the same group in every process.
            f"CREATE TABLE {self.groups} (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
            # In the order they come: what is forgotten together lies together, and frees whole
            # pages.
            f"CREATE TABLE {self.entries} (id INTEGER PRIMARY KEY, {self.group} INTEGER NOT NULL, "
            f"key BLOB NOT NULL, {facts}{self.content} BLOB NOT NULL, UNIQUE ({self.group}, key))",
            # Apart from the entries, so that to note a use does not write an entry again.
            "CREATE TABLE uses (id INTEGER PRIMARY KEY, hour INTEGER NOT NULL)",
            "CREATE INDEX by_hour ON uses (hour)",
            f"PRAGMA application_id = {self.application}",
        )
