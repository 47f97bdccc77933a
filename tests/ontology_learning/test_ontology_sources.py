"""Files and pages as sources."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import IO, Any

import pytest

from scenthound.core.errors import OntologyError
from scenthound.core.model import Document
from scenthound.ontology_learning import sources as module
from scenthound.ontology_learning.source import MOST_CHARACTERS
from scenthound.ontology_learning.sources import Source, read_sources, source_of
from scenthound.text.extract import extract_html

PAGE = """<html><head><title>Storm surge</title>
<meta name="description" content="What a surge is.">
<meta name="keywords" content="sea, tide"></head>
<body><nav>Home</nav><h1>The surge</h1><h2>Causes</h2><p>Wind drives <b>water</b> ashore.</p>
</body></html>"""


def read(*paths: Path) -> tuple[list[Source], list[str]]:
    warnings: list[str] = []
    return read_sources(paths, warnings.append), warnings


def test_a_page_as_a_source() -> None:
    document = extract_html(PAGE, "http://a.example/").document
    source = source_of("http://a.example/", document)
    assert (source.name, source.title) == ("http://a.example/", "Storm surge")
    assert source.abstract.splitlines() == [
        "What a surge is.",
        "sea tide The surge",
        "Causes",
        "Wind drives ashore.",
    ]
    assert source.keywords == ()
    assert source.body == document.text and "Wind drives water ashore." in source.body


def test_the_opening_of_a_long_text_and_no_endless_body() -> None:
    source = source_of("x", Document(text="wave " * 100_000))
    assert source.abstract.split() == ["wave"] * 150
    assert len(source.body) == MOST_CHARACTERS


def test_an_empty_document_gives_an_empty_source() -> None:
    assert source_of("x", Document()) == Source("x", "", "")


def test_a_folder_is_read_in_order_with_what_is_below_it(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("Tides\n\nEbb and flow.")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "page.HTM").write_text(PAGE)
    (tmp_path / "c.md").write_text("# Dikes\nThey keep the sea out.")
    (tmp_path / "d.bib").write_text(
        "@misc{k, title = {Waves}, abstract = {High ones}, keywords = {sea; storm surge}}"
    )
    (tmp_path / ".hidden.txt").write_text("hidden")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    found, warnings = read(tmp_path)
    assert [source.title for source in found] == ["Storm surge", "Tides", "Dikes", "Waves"]
    assert found[3] == Source(
        f"{tmp_path / 'd.bib'}: k", "Waves", "High ones", ("sea", "storm surge"), "High ones"
    )
    assert found[1].abstract == found[1].body.strip() == "Ebb and flow."
    assert warnings == []


def test_what_cannot_be_read_is_told_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("Storms\nof the sea")
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "binary.txt").write_bytes(b"\x00\x01\x02" * 50)
    (tmp_path / "blank.html").write_text("<html><body></body></html>")
    (tmp_path / "empty.bib").write_text("@comment{nothing}")
    (tmp_path / "binary.bib").write_bytes(b"\x00\x01\x02" * 50)
    (tmp_path / "broken.bib").write_text("@misc{a, title = {\n@misc{b, title = {fine}}")
    found, warnings = read(tmp_path)
    assert [source.title for source in found] == ["fine", "Storms"]
    assert [warning.replace(f"{tmp_path}/", "") for warning in warnings] == [
        "binary.bib is left out: it is not a text.",
        "binary.txt is left out: it is not a text.",
        "blank.html is left out: there is no text in it.",
        "broken.bib: the entry at line 1 is broken and left out.",
        "empty.bib is left out: there is no entry with a title or an abstract in it.",
        "empty.txt is left out: it is empty.",
    ]


def test_a_large_file_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 2_000_000)
    (tmp_path / "a.txt").write_text("Storms\nof the sea")
    (tmp_path / "b.txt").write_text("x " * 1_500_000)
    found, warnings = read(tmp_path)
    assert len(found) == 1
    assert warnings == [f"{tmp_path / 'b.txt'} is left out: it is larger than 2 MB."]


def test_too_many_texts_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SOURCES", 2)
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text("Storms\nof the sea")
    found, warnings = read(tmp_path)
    assert len(found) == 2
    assert warnings == [f"more than 2 texts: {tmp_path / '2.txt'} and what follows is left out."]


def test_a_file_that_may_not_be_read_is_told(
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
    found, warnings = read(tmp_path)
    assert len(found) == 1
    assert warnings == [f"{tmp_path / 'b.txt'} is left out: permission denied."]


def test_a_link_back_to_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Storms")
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert len(read(tmp_path)[0]) == 1


def test_a_file_given_by_name_is_read_whatever_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "page").write_text(PAGE)
    found, _ = read(tmp_path / "page")
    assert [source.title for source in found] == ["Storm surge"]


def test_a_pdf_is_read(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    (tmp_path / "a.txt").write_text("Storms")
    found, warnings = read(tmp_path)
    assert len(found) == 1 and warnings[0].startswith(f"{tmp_path / 'broken.pdf'} is left out: ")


def test_a_pdf_without_its_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "can_read_pdf", lambda: False)
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7\n")
    (tmp_path / "a.txt").write_text("Storms")
    assert read(tmp_path)[1] == [
        f"{tmp_path / 'paper.pdf'} is left out: "
        "to read a PDF, install it with: pip install 'scenthound[pdf]'."
    ]


def test_nothing_to_read_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match=r"no text to learn from; give files or folders with"):
        read(tmp_path)
    with pytest.raises(OntologyError, match=r"missing: there is no such file or folder"):
        read(tmp_path / "missing")
    with pytest.raises(OntologyError, match=r"^no path: no text to learn from"):
        read()
