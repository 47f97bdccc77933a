"""Whatever reading depends on, its version tells: what another program kept is not found."""

from __future__ import annotations

import ast
import sys
import unicodedata
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, packages_distributions
from pathlib import Path

import pytest

import scenthound
from scenthound.experiments import reading_version as module
from scenthound.experiments.reading_version import reading_version, source_digest

ROOT = Path(scenthound.__file__).parent
READERS = ("engines/archived_pages.py", "engines/page_row.py", "text/analyzer.py")
"""What turns a response into a page, and a text into terms."""
PACKAGES = {"archive", "core", "engines", "lexicon", "text"}
LIBRARIES = [
    "scenthound", "Brotli", "PyStemmer", "google-re2", "numpy", "py3langid", "pypdf", "rjieba",
    "selectolax", "stopwordsiso", "w3lib",
]  # fmt: skip


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def reached() -> dict[Path, list[str]]:
    """Our modules that the readers lead to, and what each imports."""
    found: dict[Path, list[str]] = {}
    waiting = [ROOT / name for name in READERS]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = list(imported(path))
        for name in found[path]:
            parts = name.split(".")[1:] if name.startswith("scenthound.") else []
            ways = (ROOT.joinpath(*parts[:end]) for end in range(1, len(parts) + 1))
            files = (each for way in ways for each in (way.with_suffix(".py"), way / "__init__.py"))
            waiting += [file for file in files if file.is_file()]
    return found


def test_every_package_that_reads_counts() -> None:
    packages = {path.relative_to(ROOT).parts[0] for path in reached()}
    assert packages == set(module._PACKAGES) == PACKAGES


def test_every_library_that_reads_counts() -> None:
    names = {name.partition(".")[0] for names in reached().values() for name in names}
    outside = names - sys.stdlib_module_names - {"scenthound"}
    owners = packages_distributions()
    needed = {owners[name][0].lower() for name in outside}
    assert {"w3lib", "selectolax", "numpy"} <= needed <= {each.lower() for each in LIBRARIES}
    assert sorted(module._LIBRARIES) == sorted(LIBRARIES)


@pytest.mark.parametrize("changed", LIBRARIES)
@pytest.mark.parametrize("found", ["9.9", None])
def test_another_library(changed: str, found: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    def installed(library: str) -> str:
        if library != changed:
            return "1"
        if found is None:
            raise PackageNotFoundError(library)
        return found

    monkeypatch.setattr(module, "version", lambda _: "1")
    before = reading_version.__wrapped__()
    monkeypatch.setattr(module, "version", installed)
    assert reading_version.__wrapped__() != before


@pytest.mark.parametrize(
    ("name", "other"),
    [("_SOURCE", "another"), ("python_version", lambda: "3.99.1")],
)
def test_another_program(name: str, other: object, monkeypatch: pytest.MonkeyPatch) -> None:
    before = reading_version.__wrapped__()
    assert before == reading_version() and len(before) == 32
    monkeypatch.setattr(module, name, other)
    assert reading_version.__wrapped__() != before


def test_another_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    before = reading_version.__wrapped__()
    monkeypatch.setattr(unicodedata, "unidata_version", "99")
    assert reading_version.__wrapped__() != before


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for package in PACKAGES | {"cli"}:
        (tmp_path / package / "deeper").mkdir(parents=True)
        (tmp_path / package / "one.py").write_text("1")
        (tmp_path / package / "deeper" / "two.py").write_text("2")
    return tmp_path


@pytest.mark.parametrize("package", sorted(PACKAGES))
@pytest.mark.parametrize("file", ["one.py", "deeper/two.py", "new.py"])
def test_another_source(source: Path, package: str, file: str) -> None:
    before = source_digest(source)
    (source / package / file).write_text("3")
    assert source_digest(source) != before


def test_lines_that_move_from_file_to_file(source: Path) -> None:
    before = source_digest(source)
    (source / "text" / "one.py").rename(source / "text" / "other.py")
    moved = source_digest(source)
    (source / "text" / "other.py").write_text("")
    (source / "text" / "deeper" / "two.py").write_text("21")
    assert len({before, moved, source_digest(source)}) == 3


def test_what_does_not_read_does_not_count(source: Path) -> None:
    before = source_digest(source)
    (source / "cli" / "one.py").write_text("3")
    (source / "text" / "one.pyc").write_text("3")
    assert source_digest(source) == before


def test_the_source_is_that_of_the_modules_as_they_were_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A file that is edited while the program runs is not what reads."""
    before = reading_version.__wrapped__()

    def edited(_: Path) -> bytes:
        return b"edited"

    monkeypatch.setattr(Path, "read_bytes", edited)
    assert source_digest(ROOT) != module._SOURCE
    assert reading_version.__wrapped__() == before
