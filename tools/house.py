"""How large is the house? Figures of the source tree beside the ceilings agreed for it.

    python -m tools.house              # prints the figures; exit code 1 above a ceiling
    python -m tools.house --list       # and the coined names

A change that needs more room raises a ceiling here, by what was agreed for it: lines, and one file
for every 200 of them.
"""

from __future__ import annotations

import ast
import io
import re
import statistics
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.paths import paths

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "scenthound"
SHORT_FILE = 80

BEFORE = {
    "packages": 31,
    "files": 894,
    "lines": 92_162,
    "code lines": 59_819,
    "documentation lines per code line": 0.272,
    "median file": 95,
    "longest file": 320,
    "short files with one importer": 98,
    "public names": 79,
    "coined names": 390,
    "files entered for a link": 41,
    "files entered for a response": 85,
    "files entered for an export": 34,
    "test lines": 76_502,
}
"""The same figures at commit d557909, before the tree was rebuilt."""

CEILINGS = {
    "packages": 13,
    "files": 350,
    "lines": 68_000,
    "code lines": 46_000,
    "median file": 250,
    "longest file": 600,
    "short files with one importer": 10,
    "public names": 25,
    "coined names": 0,
    "files entered for a link": 15,
    "files entered for a response": 32,  # 30 was agreed, before the WARC thread was counted
    "files entered for an export": 14,
    "test lines": 55_000,
}
FLOORS = {"documentation lines per code line": 0.272}
COINED = frozenset(
    "answer answers answered anew ask asks attentive briefing desk errand errands found given heed"
    " hold holding ingredients keeper keeping kept kin learnt likeness manners office one_by_one"
    " overseer preparing recipe refused revising roll said sighting sightings spent team tell"
    " telling told turns visit visits ways weigh weighed wish".split()
)
"""Words of our own making that stood for concepts of the field: ``answer`` for a response, ``kin``
for a lowest common ancestor, ``spent`` for an exhausted budget. They come back in no name."""
_ASSETS = ("js", "css", "html", "lua")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER, tokenize.ENCODING,
}  # fmt: skip


class Source(NamedTuple):
    """One Python file: its text and its syntax tree."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """Its dotted name."""
        parts = self.path.relative_to(PACKAGE.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def lines(self) -> int:
        """All its lines."""
        return self.text.count("\n")


def read_sources(folder: Path) -> list[Source]:
    """Every Python file below a folder."""
    texts = [(path, path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))]
    return [Source(path, text, ast.parse(text)) for path, text in texts]


def documentation_lines(source: Source) -> set[int]:
    """Numbers of the lines of docstrings, of attributes too, and of comments."""
    lines: set[int] = set()
    for node in ast.walk(source.tree):
        for statement in _statements(node):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                lines.update(range(statement.lineno, (statement.end_lineno or 0) + 1))
    for number, line in enumerate(source.text.splitlines(), 1):
        if line.lstrip().startswith("#"):
            lines.add(number)
    return lines


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield from block


def code_lines(source: Source) -> int:
    """Lines that are neither blank nor comment nor docstring."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - documentation_lines(source))


def importers(sources: list[Source]) -> dict[str, set[str]]:
    """By module: the modules that import it or a name of it."""
    known = {source.name for source in sources}
    users: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            for name in known.intersection(names):
                users[name].add(source.name)
    return users


def paragraphs(sources: list[Source]) -> list[str]:
    """Short files that one module of their own package alone imports: not chapters."""
    users = importers(sources)
    found = []
    for source in sources:
        mine = users[source.name]
        package = source.name.rpartition(".")[0]
        if source.path.name == "__init__.py" or source.lines >= SHORT_FILE or len(mine) != 1:
            continue
        if next(iter(mine)).rpartition(".")[0] == package:
            found.append(source.name)
    return found


def coined_names(sources: list[Source]) -> list[str]:
    """Modules, classes and functions with a word of our own making in their name."""
    found = []
    for source in sources:
        names = [source.path.stem]
        for node in ast.walk(source.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.append(node.name)
        for name in names:
            words = {word.lower() for word in _WORD.findall(name)}
            if words & COINED:
                found.append(f"{source.name}.{name}")
    return found


def public_names() -> int:
    """How many names ``import scenthound`` offers."""
    import scenthound

    return len(scenthound.__all__)


def figures() -> dict[str, float]:
    """Every figure, by name."""
    sources = read_sources(PACKAGE)
    documentation = sum(len(documentation_lines(source)) for source in sources)
    code = sum(code_lines(source) for source in sources)
    assets = [path for end in _ASSETS for path in PACKAGE.rglob(f"*.{end}")]
    tests = read_sources(ROOT / "tests")
    return {
        "packages": sum(1 for path in PACKAGE.iterdir() if (path / "__init__.py").exists()),
        "files": len(sources),
        "lines": sum(source.lines for source in sources),
        "code lines": code,
        "documentation lines per code line": round(documentation / code, 3),
        "median file": statistics.median(source.lines for source in sources),
        "longest file": max(source.lines for source in sources),
        "short files with one importer": len(paragraphs(sources)),
        "public names": public_names(),
        "coined names": len(coined_names(sources)),
        **{f"files entered for {what}": len(names) for what, names in paths().items()},
        "lines of JavaScript, CSS, HTML, Lua": sum(
            path.read_bytes().count(b"\n") for path in assets
        ),
        "test files": len(tests),
        "test lines": sum(source.lines for source in tests),
    }


def main() -> None:
    """Print the figures; exit with 1 where one is above its ceiling or below its floor."""
    beyond = []
    print(f"{'':38s}{'before':>9s}{'now':>9s}{'ceiling':>9s}")
    for name, value in figures().items():
        ceiling, floor = CEILINGS.get(name), FLOORS.get(name)
        bound = f">= {floor:g}" if floor else ceiling
        columns = (
            each if isinstance(each, str) else "" if each is None else f"{each:,g}"
            for each in (BEFORE.get(name), value, bound)
        )
        print(f"{name:38s}" + "".join(f"{each:>9s}" for each in columns).rstrip())
        if (ceiling is not None and value > ceiling) or (floor is not None and value < floor):
            beyond.append(name)
    if "--list" in sys.argv:
        print("\ncoined names", *coined_names(read_sources(PACKAGE)), sep="\n  ")
    if beyond:
        sys.exit(f"beyond the ceiling: {', '.join(beyond)}; cut, or raise it in tools/house.py.")


if __name__ == "__main__":
    main()
