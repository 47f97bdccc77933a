"""BibTeX as it is found: abbreviations, accents, and entries that are broken."""

from __future__ import annotations

import sys

import pytest

from scenthound.core.errors import SettingsError
from scenthound.ontology_learning.bibtex import MOST_ENTRIES, Entry, joined, read_entries

FILE = r"""
@comment{not an entry}
@string{sea = {North Sea}}
A line that belongs to nobody.
@Article{storm1953,
  TITLE    = {The {North Sea} flood of G\"{o}teborg \& {\'E}tretat},
  journal  = "J. of " # sea,
  abstract = "Of the " # sea # {, with winds of 100\% and more},
  keywords = {storm surge; Dike, wind
              tide},
  year     = 1953
}
@book(second, title = "In \emph{quotation} marks")
@misc{nothing, author = {A. Nobody}}
"""


def read(text: str) -> tuple[list[Entry], list[str]]:
    warnings: list[str] = []
    return read_entries(text, warnings.append), warnings


def test_what_is_read() -> None:
    entries, warnings = read(FILE)
    assert entries == [
        Entry(
            "storm1953",
            "The North Sea flood of Göteborg & Étretat",
            "Of the North Sea, with winds of 100% and more",
            ("storm surge", "Dike", "wind", "tide"),
        ),
        Entry("second", "In quotation marks", "", ()),
    ]
    assert warnings == []


def test_a_broken_entry_is_told_by_its_line_and_the_next_one_is_read() -> None:
    text = "@article{a, title = {never closed,\n\n@article{b, title = {fine}}\n@book{ title = {x} }"
    entries, warnings = read(text)
    assert [entry.key for entry in entries] == ["b"]
    assert warnings == [
        "the entry at line 1 is broken and left out.",
        "the entry at line 4 is broken and left out.",
    ]


def test_many_broken_entries_are_told_in_one_sentence() -> None:
    _, warnings = read("@article{\n" * 100)
    assert len(warnings) == 6
    assert warnings[-1] == "95 more entries are broken and left out."


def test_entries_of_one_key_and_fields_of_one_name_are_read() -> None:
    entries, warnings = read(
        "@misc{a, title={one}}\n@misc{a, title={two}}\n@misc{b, title={three}, title={four}}"
    )
    assert [entry.title for entry in entries] == ["one", "two", "three"]
    assert warnings == []


def test_an_abbreviation_is_spelt_out_and_an_unknown_one_stays() -> None:
    strings = {"sea": '"North " # "Sea"', "loop": "loop"}
    assert joined("SEA # { and } # ocean", strings) == "North Sea and ocean"
    assert joined("loop", strings) == "loop"
    assert joined('"a # b" # {c # d}', {}) == "a # bc # d"


@pytest.mark.parametrize("text", ["", "no entry at all", "@", "{" * 5_000, "@string{a = a}"])
def test_a_text_without_entries_has_none(text: str) -> None:
    assert read(text)[0] == []


def test_what_no_latex_can_be_is_read_as_words() -> None:
    deep = "\\frac" + "{\\frac" * 400 + "}" * 400
    entries, _ = read("@misc{a, abstract = {storm " + deep + " \\begin{x surge}}")
    assert len(entries) <= 1  # however it is read, it is no accident


def test_a_file_of_many_entries_is_cut() -> None:
    text = "\n".join(f"@misc{{k{i}, title = {{t}}}}" for i in range(MOST_ENTRIES + 1))
    entries, warnings = read(text)
    assert len(entries) == MOST_ENTRIES
    assert warnings == [f"it has more than {MOST_ENTRIES} entries; the others are left out."]


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    read("@article{broken, title = {")
    assert caplog.records == []


def test_without_the_extra_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "bibtexparser", None)
    with pytest.raises(SettingsError, match="reading BibTeX needs bibtexparser; install it with"):
        read("")
