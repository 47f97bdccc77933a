"""The reference has everything that the code has, and every option is in a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools.docs_hook import PAGES, filled, on_page_markdown
from tools.reference import journal, optimisers, strategies
from tools.reference.commands import commands, options, spellings, tree
from tools.reference.docstrings import parse_docstring
from tools.reference.markdown import prose, table

import scenthound
from scenthound.cli.options import keys_of
from scenthound.cli.settings import TABLES
from scenthound.core import events
from scenthound.output.export.rows import FIELDS
from scenthound.papers.optimiser_catalogue import NAMES, OPTIMISERS

TESTS = Path(__file__).parent.parent
PAGES_FOLDER = TESTS.parent / "docs" / "reference"
COMMANDS = list(commands(tree()))
OPTIONS = [
    (name, spelling)
    for name, command in COMMANDS
    for option in options(command)
    for spelling in spellings(option)
]


def calling(command: str) -> str:
    """The test files that call a command, but for those that read the options from the code."""
    files = [path for path in TESTS.rglob("*.py") if path.parent.name != "docs"]
    texts = (path.read_text(encoding="utf-8") for path in files)
    return "\n".join(t for t in texts if all(f'"{word}"' in t for word in command.split()))


def stands_in(text: str, option: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text) is not None


def section(page: str, name: str) -> str:
    found = re.search(rf"^## {re.escape(name)}$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    return found[1]


def test_every_option_of_every_command_is_in_the_reference_and_in_a_test_or_on_a_page() -> None:
    page = PAGES["commands"]()
    missing = [each for each in OPTIONS if not stands_in(section(page, each[0]), each[1])]
    assert [each for each in missing if each[1] != "--help-all"] == []
    assert len(OPTIONS) > 60
    # Commands on pages are checked too, by test_pages.
    pages = "\n".join(page.read_text("utf-8") for page in (TESTS.parent / "docs").rglob("*.md"))
    texts = {name: calling(name) + pages for name, _ in COMMANDS}
    missing = [each for each in OPTIONS if not stands_in(texts[each[0]], each[1])]
    assert [each for each in missing if each[1] != "--help-all"] == []


def test_every_setting_strategy_parameter_column_event_and_name_is_explained() -> None:
    page = PAGES["settings"]()
    for table_name, models in TABLES.items():
        rows = section(page, f"The table [{table_name}]")
        for key in keys_of(models):
            (row,) = re.findall(rf"^\| `{key}` \|(.*)\|$", rows, re.MULTILINE)
            assert row.split(" | ")[-1].strip(), f"{key} is not explained"
    page = strategies.page()
    for spec in scenthound.CATALOGUE.values():
        assert f"| `{spec.name}` |" in page
        for key in spec.parameters:
            own = section(page, spec.name)
            (about,) = re.findall(rf"^\| `{spec.name}\.{key}` \|.*\| (.*) \|$", own, re.M)
            assert about, f"{spec.name}.{key}"
    own = section(page, "annealing")  # what a policy says is in the section of its strategy
    assert "Metropolis rule" in own
    assert "| `annealing.temperature` | `0.15` | at the start. |" in own
    assert [f.name for f in FIELDS if f"| `{f.name}` |" not in PAGES["export"]()] == []
    kinds = {name for name in vars(events) if re.fullmatch(r"[A-Z]\w+Event", name)}
    assert {type(event).__name__ for event in journal.examples()} == kinds
    functions = [n for n in scenthound.__all__ if callable(getattr(scenthound, n))]
    assert [name for name in functions if f"\n## {name}\n" not in f"\n{PAGES['python']()}"] == []


def test_every_page_is_filled_in_and_every_optimiser_is_in_the_how_to_too() -> None:
    used = set()
    for path in PAGES_FOLDER.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r"<!-- reference: (\w+) -->", text))
        assert "<!-- reference" not in on_page_markdown(text, page=None)
    assert used == set(PAGES)
    with pytest.raises(KeyError):
        filled("<!-- reference: nothing -->")
    page, how_to = (
        optimisers.page(),
        (TESTS.parent / "docs" / "howto" / "tune.md").read_text("utf-8"),
    )
    for shown in (page, how_to):
        rows = re.findall(r"^\| `([\w-]+)` \| ", shown, re.MULTILINE)
        assert tuple(name for name in rows if name in NAMES) == NAMES
    printed = " ".join(how_to.split())
    for name, method in OPTIMISERS.items():
        assert f"| `{name}` | {method.paper} | {method.summary} |" in printed
        for key, value in method.parameters.items():
            assert f"`{key}` {value}" in printed
            (about,) = re.findall(rf"^\| `{name}\.{key}` \| `{value}` \| (.+) \|$", page, re.M)
            assert about.endswith(".")


def test_docstrings_are_taken_apart_and_texts_are_shown_and_not_read() -> None:
    def documented(first: int, second: int) -> None:
        """What it is for; see :func:`other`, and ``x_y``.

        Parameters
        ----------
        first, second : two numbers,
            of which one is large.

        More text.

        Raises
        ------
        ValueError
            They are equal.
        """

    found = parse_docstring(documented)
    assert found.text.startswith("What it is for;") and found.text.endswith("More text.")
    about = "two numbers, of which one is large."
    assert found.parameters == (("first", about), ("second", about))
    assert found.errors == (("ValueError", "They are equal."),)
    assert prose("a ``b_c`` and :class:`~d`, *e* <f> [g]") == "a `b_c` and `d`, \\*e\\* \\<f> \\[g]"
    assert table(("a",), [("b | c\nd",)]) == "| a |\n|---|\n| b \\| c d |\n"
    assert table(("a",), [("`b|c`",)]) == "| a |\n|---|\n| `b|c` |\n"
    assert table(("a",), []) == ""
