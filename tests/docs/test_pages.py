"""The site builds without a warning, loads nothing from elsewhere, and its commands exist."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tools.reference.commands import commands, options, tree

ROOT = Path(__file__).parent.parent.parent
_LOADED = re.compile(r"""<(?:script|img|iframe|source)[^>]*\ssrc=["']?([^"'\s>]+)""")
_LINKED = re.compile(r"""<link(?![^>]*rel=["']?canonical)[^>]*\shref=["']?([^"'\s>]+)""")


def test_every_page_is_built_leads_on_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        env={**os.environ, "NO_COLOR": "1", "NO_MKDOCS_2_WARNING": "1"},
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    pages = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    built = {path.relative_to(site).with_suffix(".md") for path in site.rglob("*.html")}
    assert pages - built == set()
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    assert "--max-pages" in commands and "<!-- reference" not in commands
    assert commands.count("<table>") > 15
    scope = (site / "howto" / "scope.html").read_text(encoding="utf-8")
    navigation = scope[scope.index("md-nav--primary") : scope.index("md-content")]
    titles = [" ".join(title.split()) for title in re.findall(r'md-ellipsis">([^<]*)<', navigation)]
    assert titles.count("How to") == titles.count("Reference") == 1
    assert "md-footer__link--prev" in scope and "md-footer__link--next" in scope
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = [*_LOADED.findall(text), *_LINKED.findall(text)]
        assert loaded
        assert [url for url in loaded if url.startswith(("http:", "https:", "//"))] == [], page


PLACES = ("*.md", "examples/*.md", "docs/**/*.md")
PAGES = sorted(page for place in PLACES for page in ROOT.glob(place))
COMMANDS = dict(commands(tree()))
_BLOCK = re.compile(r"^ *```(?:sh|console|bash)[^\n]*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


def typed(page: Path) -> list[list[str]]:
    text = "".join(_BLOCK.findall(page.read_text(encoding="utf-8"))).replace("\\\n", " ")
    lines = (line.strip().removeprefix("$ ") for line in text.splitlines())
    return [shlex.split(line, comments=True) for line in lines if line.startswith("scenthound ")]


def unknown(words: list[str]) -> list[str]:
    """What of a command line does not exist."""
    name = next((n for n in (" ".join(words[1:3]), words[1]) if n in COMMANDS), None)
    if name is None:
        return [] if words[1].startswith("-") else [words[1]]
    known = {n for o in options(COMMANDS[name]) for n in (*o.opts, *o.secondary_opts)}
    given = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
    return [f"{name} {word}" for word in given if word not in {*known, "--help", "-h"}]


def test_commands_exist() -> None:
    assert sum(len(typed(page)) for page in PAGES) > 40
    for page in PAGES:
        assert [each for words in typed(page) for each in unknown(words)] == [], page
    assert unknown(["scenthound", "crwal"]) == ["crwal"]
    assert unknown(["scenthound", "topic", "show", "--nothing", "x"]) == ["topic show --nothing"]
