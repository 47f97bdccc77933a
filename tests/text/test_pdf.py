"""PDFs that are broken, closed or made to keep a reader busy: little is read, nothing hangs."""

from __future__ import annotations

import logging
import sys

import pytest

from scenthound.core.errors import SettingsError
from scenthound.text import pdf_pages
from scenthound.text.pdf import NO_TEXT, is_pdf, iso_date, read_pdf, require_pdf, stated_title
from scenthound.text.pdf_pages import ENCRYPTED, IN_PART, MAX_PDF_PAGES, UNREADABLE
from text.pdf_writing import Drawn, assembled, content, encrypted, pdf, sheet, stream

CATALOGUE = b"<</Type/Catalog/Pages 2 0 R>>"
ONE_SHEET = b"<</Type/Pages/Kids[4 0 R]/Count 1>>"
NOTHING = b"<<>>"


def test_what_is_closed_cut_or_rubbish(caplog: pytest.LogCaptureFixture) -> None:
    for cipher in ["RC4-128", "AES-256"]:
        found = read_pdf(encrypted(pdf(["Storm surge"]), "secret", cipher))
        assert (found.document.text, found.problem) == ("", ENCRYPTED)
    body = pdf(*([f"Sheet {number}"] for number in range(20)))
    found = read_pdf(body[: len(body) // 2])
    assert found.document.text.startswith("Sheet 0\nSheet 1") or found.problem == UNREADABLE
    for body in [b"%PDF-1.7", b"%PDF-1.7\n" + bytes(range(256)) * 40, b"%PDF-1.7\n" + b"<<" * 5000]:
        found = read_pdf(body)
        assert (found.document.text, found.links, found.problem) == ("", (), UNREADABLE)
    with caplog.at_level(logging.DEBUG):
        read_pdf(b"%PDF-1.7\n" + bytes(range(256)) * 40)
    assert caplog.records == []
    assert logging.getLogger("pypdf").level == logging.NOTSET


def test_a_bomb_is_not_unpacked_and_costs_no_other_sheet() -> None:
    for times in [1, 2]:
        drawn = stream(b" " * 30_000_000, times)
        found = read_pdf(assembled([CATALOGUE, ONE_SHEET, NOTHING, sheet(5), drawn]))
        assert (found.document.text, found.problem) == ("", UNREADABLE)
    kids = b"<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2>>"
    bad, good = stream(b" " * 20_000_000), stream(content(["Storm surge"]))
    found = read_pdf(assembled([CATALOGUE, kids, NOTHING, sheet(5), bad, sheet(7), good]))
    assert (found.document.text, found.problem) == ("Storm surge", IN_PART)


def test_forms_that_draw_forms_and_too_many_sheets() -> None:
    # Each of 25 forms draws the next one four times.
    first = b"/Resources<</XObject<</X 6 0 R>>>>"
    page = sheet(5).replace(b"/Resources", first + b"/Unread", 1)
    objects = [CATALOGUE, ONE_SHEET, NOTHING, page, stream(b"/X Do")]
    for number in range(6, 31):
        resources = b"/Resources<</XObject<</X %d 0 R>>>>" % (number + 1)
        drawn = b"/X Do " * 4
        objects.append(
            b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]%s/Length %d>>stream\n%s\nendstream"
            % (resources, len(drawn), drawn)
        )
    found = read_pdf(assembled(objects))
    assert found.document.text == ""
    kids = b"<</Type/Pages/Kids[%s]/Count 3000>>" % (b"4 0 R " * 3000)
    shared = stream(content(["Storm surge"]))
    found = read_pdf(assembled([CATALOGUE, kids, NOTHING, sheet(5), shared]))
    assert found.document.text.count("Storm surge") == MAX_PDF_PAGES
    assert found.problem == IN_PART


def test_text_and_work_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_pages, "_MOST_WORK", 100)
    found = read_pdf(pdf(*([f"Sheet {number}"] for number in range(100))))
    assert found.problem == IN_PART
    assert found.document.text.count("Sheet") < 30
    monkeypatch.setattr(pdf_pages, "MOST_CHARACTERS", 100)
    found = read_pdf(pdf(*(["Storm surge"] for _ in range(100))))
    assert found.problem == IN_PART
    assert len(found.document.text) < 200


def test_links_without_measure_and_with_an_impossible_place() -> None:
    over = [Drawn("http://gauge.test/", 0, 0, 9)] * (pdf_pages.MAX_ANNOTATIONS + 100)
    assert len(read_pdf(pdf(["Storm surge"], links=[over])).links) == pdf_pages.MAX_ANNOTATIONS
    for rectangle in [b"[0 0]", b"(x)", b"[1e400 0 0 1e999]", b"[/a /b /c /d]", b"9 0 R", b"null"]:
        link = (
            b"<</Type/Annot/Subtype/Link/Rect%s/A<</S/URI/URI(http://gauge.test/)>>>>" % rectangle
        )
        page = sheet(5).replace(b"/Annots[]", b"/Annots[%s]" % link)
        objects = [CATALOGUE, ONE_SHEET, NOTHING, page, stream(content(["Storm surge"]))]
        found = read_pdf(assembled(objects))
        assert (found.document.text, found.problem) == ("Storm surge", "")
        assert len(found.links) <= 1


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    require_pdf()
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(SettingsError, match=r"pip install 'scenthound\[pdf\]'"):
        require_pdf()


# A PDF is read like a page: title, text, links with their words, what it says of itself.

HERE = "http://gauge.test/reports/surge.pdf"


def test_title_facts_and_text() -> None:
    found = read_pdf(pdf(["Storm surge at the pier", "Water rose two metres."], ["Second sheet"]))
    assert found.document.title == "Storm surge at the pier"
    assert found.document.text == "Storm surge at the pier\nWater rose two metres.\nSecond sheet"
    assert found.document.groups["body"] == found.document.text
    assert found.problem == ""
    facts = {
        "Title": "Surge report",
        "Author": "Gauge office",
        "Subject": "Levels of 2023",
        "Keywords": "surge, tide",
        "CreationDate": "D:20240301120000+01'00'",
    }
    found = read_pdf(pdf(["First line"], facts=facts, language="en-GB"))
    assert (found.document.title, found.author, found.date) == (
        "Surge report",
        "Gauge office",
        "2024-03-01",
    )
    assert found.document.description == "Levels of 2023"
    assert found.document.language == "en-gb"
    assert found.document.groups["title"] == "Surge report surge, tide Levels of 2023"
    found = read_pdf(pdf(["Damage from inun-", "dation, a well-", "Known case"]))
    assert found.document.text == "Damage from inundation, a well-\nKnown case"
    found = read_pdf(pdf([]))
    assert (found.document.text, found.problem) == ("", NO_TEXT)


def test_the_words_under_a_link_are_its_anchor_and_its_sheet_the_context() -> None:
    line = "Levels are kept by the harbour office of the town."
    first = line.index("harbour")
    over = Drawn("http://gauge.test/office", 1, first, first + len("harbour office"))
    (link,) = read_pdf(pdf(["Storm surge", line, "The end"], links=[[over]]), HERE).links
    assert link.url == "http://gauge.test/office"
    assert set("harbour office".split()) <= set(link.anchor.split())
    assert "Levels" not in link.anchor
    assert link.context == f"Storm surge\n{line}\nThe end"
    links = [[], [Drawn("http://gauge.test/two", 0, 0, 6)]]
    (link,) = read_pdf(pdf(["One"], ["Second"], links=links), HERE).links
    assert link.context == "Second"


def test_written_addresses_are_links_and_those_to_no_page_are_counted() -> None:
    lines = ["See http://gauge.test/a_(b), or", "(https://tide.test/x). Write mailto:me@tide.test"]
    links = read_pdf(pdf(lines), HERE).links
    assert [link.url for link in links] == ["http://gauge.test/a_%28b%29", "https://tide.test/x"]
    assert "See http" in links[0].context
    whole = "http://gauge.test/levels/2023/table"
    lines = ["See http://gauge.test/levels/", "2023/table for more."]
    found = read_pdf(pdf(lines, links=[[Drawn(whole, 0, 4, 30), Drawn(whole, 1, 0, 10)]]), HERE)
    assert {link.url for link in found.links} == {whole}
    unusable = [Drawn("mailto:a@gauge.test", 0, 0, 3), Drawn("http://gauge.test/a.zip", 0, 0, 3)]
    found = read_pdf(pdf(["Storm surge"], links=[unusable]), HERE)
    assert found.links == ()
    counted = {reason: count for reason, (count, _) in found.unusable.items()}
    assert counted == {"other scheme": 1, "media": 1}


def test_what_a_pdf_is_and_states() -> None:
    assert is_pdf(b"%PDF-1.4\n")
    assert is_pdf(b"\n\n%PDF-1.4", "application/pdf; charset=binary")
    assert not is_pdf(b"<p>%PDF-1.4", "text/html")
    assert not is_pdf(b"", "application/pdf")
    for stated, title in [
        ("Microsoft Word - Surge report", "Surge report"),
        ("Microsoft Word - report_v3.docx", ""),
        ("surge.tex", ""),
        ("Untitled", ""),
        ("12-4", ""),
        ("", ""),
        ("Notes on surge.pdf files", "Notes on surge.pdf files"),
    ]:
        assert stated_title(stated) == title
    for stated, date in [
        ("D:20240301", "2024-03-01"),
        ("2024-03-01T10:00", "2024-03-01"),
        ("D:2024", "2024"),
        ("D:20241399", ""),
        ("yesterday", ""),
        ("", ""),
    ]:
        assert iso_date(stated) == date
