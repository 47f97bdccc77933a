"""Commands that a page tells the reader to type exist, with all their options."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tools.reference.commands import commands, options, tree

ROOT = Path(__file__).parent.parent.parent
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
