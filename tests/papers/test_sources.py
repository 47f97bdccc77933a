"""Files, pages and BibTeX entries as sources, and their language."""

from __future__ import annotations

import errno
import sys
import warnings
from pathlib import Path
from typing import IO, Any

import pytest

from scenthound.core.errors import OntologyError, SettingsError
from scenthound.core.model import Document
from scenthound.papers.olmoaco import sources
from scenthound.papers.olmoaco.sources import Source
from scenthound.text.extract import extract_html

PAGE = """<html><head><title>Storm surge</title>
<meta name="description" content="What a surge is.">
<meta name="keywords" content="sea, tide"></head>
<body><nav>Home</nav><h1>The surge</h1><h2>Causes</h2><p>Wind drives <b>water</b> ashore.</p>
</body></html>"""


def read(*paths: Path) -> tuple[list[Source], list[str]]:
    with warnings.catch_warnings(record=True, action="always") as caught:
        return sources.read_sources(paths), [str(each.message) for each in caught]


def test_a_page_as_a_source() -> None:
    document = extract_html(PAGE, "http://a.example/").document
    source = sources.source_of("http://a.example/", document)
    assert (source.name, source.title) == ("http://a.example/", "Storm surge")
    assert source.abstract.splitlines() == [
        "What a surge is.",
        "sea tide The surge",
        "Causes",
        "Wind drives ashore.",
    ]
    assert source.keywords == ()
    assert source.body == document.text and "Wind drives water ashore." in source.body
    # of a long text the opening, and no endless body
    source = sources.source_of("x", Document(text="wave " * 100_000))
    assert source.abstract.split() == ["wave"] * 150
    assert len(source.body) == sources.MOST_CHARACTERS


def test_a_folder_is_read_in_order_with_what_is_below_it(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("Tides\n\nEbb and flow.")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "page.HTM").write_text(PAGE)
    (tmp_path / "c.md").write_text("# Dikes\nThey keep the sea out.")
    (tmp_path / "d.bib").write_text(
        "@misc{k, title = {Waves}, abstract = {High ones}, keywords = {sea; storm surge}}"
    )
    (tmp_path / ".hidden.txt").write_text("hidden")
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)  # not followed
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    found, reported = read(tmp_path)
    assert [source.title for source in found] == ["Storm surge", "Tides", "Dikes", "Waves"]
    assert found[3] == Source(
        f"{tmp_path / 'd.bib'}: k", "Waves", "High ones", ("sea", "storm surge"), "High ones"
    )
    assert found[1].abstract == found[1].body.strip() == "Ebb and flow."
    assert reported == []


def test_what_cannot_be_read_is_reported_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("Storms\nof the sea")
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "binary.txt").write_bytes(b"\x00\x01\x02" * 50)
    (tmp_path / "blank.html").write_text("<html><body></body></html>")
    (tmp_path / "empty.bib").write_text("@comment{nothing}")
    (tmp_path / "binary.bib").write_bytes(b"\x00\x01\x02" * 50)
    (tmp_path / "broken.bib").write_text("@misc{a, title = {\n@misc{b, title = {fine}}")
    found, reported = read(tmp_path)
    assert [source.title for source in found] == ["fine", "Storms"]
    assert [warning.replace(f"{tmp_path}/", "") for warning in reported] == [
        "binary.bib is left out: it is not a text.",
        "binary.txt is left out: it is not a text.",
        "blank.html is left out: there is no text in it.",
        "broken.bib: broken entries are left out; they begin at line 1",
        "empty.bib is left out: there is no entry with a title or an abstract in it.",
        "empty.txt is left out: it is empty.",
    ]


def test_large_files_and_too_many_texts_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MOST_BYTES", 2_000_000)
    monkeypatch.setattr(sources, "MOST_SOURCES", 2)
    (tmp_path / "0.txt").write_text("x " * 1_500_000)
    for number in (1, 2, 3, 4):
        (tmp_path / f"{number}.txt").write_text("Storms\nof the sea")
    found, reported = read(tmp_path)
    assert len(found) == 2
    assert reported == [
        f"{tmp_path / '0.txt'} is left out: it is larger than 2 MB.",
        f"more than 2 texts: {tmp_path / '3.txt'} and what follows is left out.",
    ]


def test_a_file_that_may_not_be_read_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("Storms")
    opened = Path.open

    def refusing(path: Path, mode: str) -> IO[Any]:
        if path.name == "b.txt":
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, mode)

    monkeypatch.setattr(Path, "open", refusing)
    found, reported = read(tmp_path)
    assert len(found) == 1
    assert reported == [f"{tmp_path / 'b.txt'} is left out: permission denied."]


def test_a_broken_pdf_and_one_without_its_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pypdf")
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nnothing more")
    (tmp_path / "a.txt").write_text("Storms")
    found, reported = read(tmp_path)
    assert len(found) == 1 and reported[0].startswith(f"{broken} is left out: ")
    monkeypatch.setattr(sources, "can_read_pdf", lambda: False)
    install = "to read a PDF, install it with: pip install 'scenthound[pdf]'."
    assert read(tmp_path)[1] == [f"{broken} is left out: {install}"]


def test_nothing_to_read_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match=r"no text to learn from; give files or folders with"):
        read(tmp_path)
    with pytest.raises(OntologyError, match=r"missing: there is no such file or folder"):
        read(tmp_path / "missing")
    with pytest.raises(OntologyError, match=r"^no path: no text to learn from"):
        read()


FILE = r"""
@comment{not an entry}
@string{sea = "North " # "Sea"}
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


def read_bibtex(text: str) -> tuple[list[Source], list[str]]:
    with warnings.catch_warnings(record=True, action="always") as caught:
        return sources.read_entries(text, "x.bib"), [str(each.message) for each in caught]


def test_texts_of_entries() -> None:
    entries, reported = read_bibtex(FILE)
    abstract = "Of the North Sea, with winds of 100% and more"
    assert entries == [
        Source(
            "x.bib: storm1953",
            "The North Sea flood of Göteborg & Étretat",
            abstract,
            ("storm surge", "Dike", "wind", "tide"),
            abstract,
        ),
        Source("x.bib: second", "In quotation marks", "", ()),
    ]
    assert reported == []
    # entries of one key and fields of one name
    entries, reported = read_bibtex(
        "@misc{a, title={one}}\n@misc{a, title={two}}\n@misc{b, title={three}, title={four}}"
    )
    assert [entry.title for entry in entries] == ["one", "two", "three"]
    assert reported == []
    for text in ["", "no entry at all", "@", "{" * 5_000, "@string{a = a}"]:
        assert read_bibtex(text)[0] == []
    deep = "\\frac" + "{\\frac" * 400 + "}" * 400
    entries, _ = read_bibtex("@misc{a, abstract = {storm " + deep + " \\begin{x surge}}")
    assert len(entries) <= 1  # however it is read, it is no accident


def test_broken_entries_are_reported_by_their_lines_and_the_others_are_read() -> None:
    text = "@article{a, title = {never closed,\n\n@article{b, title = {fine}}\n@book{ title = {x} }"
    entries, reported = read_bibtex(text)
    assert [entry.name for entry in entries] == ["x.bib: b"]
    assert reported == ["x.bib: broken entries are left out; they begin at line 1, 4"]
    _, reported = read_bibtex("@article{\n" * 100)
    assert [each.endswith("line 1, 2, 3, 4, 5, ...") for each in reported] == [True]


def test_an_abbreviation_is_spelt_out_and_an_unknown_one_stays() -> None:
    strings = {"sea": "North Sea", "loop": "loop"}
    assert sources.joined("SEA # { and } # ocean", strings) == "North Sea and ocean"
    assert sources.joined("loop", strings) == "loop"
    assert sources.joined('"a # b" # {c # d}', {}) == "a # bc # d"
    assert sources.joined('"o{\\"o} {x}"', {}) == 'o{\\"o} {x}'
    assert len(sources.joined('{"#' * 3_000, {})) < 10_000  # hostile, and quick


def test_without_the_extra_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "bibtexparser", None)
    with pytest.raises(SettingsError, match="reading BibTeX needs bibtexparser; install it with"):
        read_bibtex("")


FRENCH = (
    "La tempête a soufflé toute la nuit sur la côte, et les vagues ont brisé les murs du port. "
    "Les habitants ont été évacués avant que le vent ne se lève."
)
ENGLISH = (
    "The storm blew all night along the coast, and the waves broke the walls of the harbour. "
    "The people had been brought to safety before the wind rose."
)


def bodies(*texts: str) -> list[Source]:
    return [Source(f"page {n}", "", "", body=text) for n, text in enumerate(texts)]


def test_the_language_of_most_texts() -> None:
    assert sources.other_language(bodies(FRENCH, ENGLISH, FRENCH), "en") == (
        "texts that look 'fr', though the topic is in 'en': 2 of 3; "
        'put language = "fr" into the topic file.'
    )
    for texts in [(), ("",), ("Wind.",), (ENGLISH,), (ENGLISH, ENGLISH, FRENCH)]:
        assert sources.other_language(bodies(*texts), "en-GB") is None
