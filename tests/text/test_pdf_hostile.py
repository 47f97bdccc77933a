"""PDFs that are broken, closed or made to keep a reader busy: little is read, nothing hangs."""

from __future__ import annotations

import logging
import sys

import pytest

from scenthound.core.errors import SettingsError
from scenthound.text import pdf_sheets
from scenthound.text.pdf import read_pdf, require_pdf
from scenthound.text.pdf_sheets import ENCRYPTED, IN_PART, MOST_SHEETS, UNREADABLE
from text.pdf_writing import Drawn, assembled, content, encrypted, pdf, sheet, stream

CATALOGUE = b"<</Type/Catalog/Pages 2 0 R>>"
ONE_SHEET = b"<</Type/Pages/Kids[4 0 R]/Count 1>>"
NOTHING = b"<<>>"


@pytest.mark.parametrize("cipher", ["RC4-128", "AES-256"])
def test_a_password_nobody_gave(cipher: str) -> None:
    found = read_pdf(encrypted(pdf(["Storm surge"]), "secret", cipher))
    assert (found.document.text, found.problem) == ("", ENCRYPTED)


@pytest.mark.parametrize("cipher", ["RC4-128", "AES-256"])
def test_the_empty_password_is_tried(cipher: str) -> None:
    found = read_pdf(encrypted(pdf(["Storm surge"]), "", cipher))
    assert (found.document.text, found.problem) == ("Storm surge", "")


def test_a_file_cut_short_gives_what_is_left() -> None:
    body = pdf(*([f"Sheet {number}"] for number in range(20)))
    found = read_pdf(body[: len(body) // 2])
    assert found.document.text.startswith("Sheet 0\nSheet 1") or found.problem == UNREADABLE


@pytest.mark.parametrize(
    "body", [b"%PDF-1.7", b"%PDF-1.7\n" + bytes(range(256)) * 40, b"%PDF-1.7\n" + b"<<" * 5000]
)
def test_rubbish_is_no_text(body: bytes) -> None:
    found = read_pdf(body)
    assert (found.document.text, found.links, found.problem) == ("", (), UNREADABLE)


@pytest.mark.parametrize("times", [1, 2])
def test_a_bomb_is_not_unpacked(times: int) -> None:
    drawn = stream(b" " * 200_000_000, times)
    found = read_pdf(assembled([CATALOGUE, ONE_SHEET, NOTHING, sheet(5), drawn]))
    assert (found.document.text, found.problem) == ("", UNREADABLE)


def test_one_bad_sheet_does_not_cost_the_others() -> None:
    kids = b"<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2>>"
    bad, good = stream(b" " * 20_000_000), stream(content(["Storm surge"]))
    found = read_pdf(assembled([CATALOGUE, kids, NOTHING, sheet(5), bad, sheet(7), good]))
    assert (found.document.text, found.problem) == ("Storm surge", IN_PART)


def test_pages_that_hold_themselves() -> None:
    loop = b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 100000000>>"
    assert read_pdf(assembled([CATALOGUE, loop, NOTHING])).problem == UNREADABLE


def test_forms_that_draw_forms() -> None:
    """Each of 25 forms draws the next one four times."""
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


def test_more_sheets_than_anybody_reads() -> None:
    kids = b"<</Type/Pages/Kids[%s]/Count 3000>>" % (b"4 0 R " * 3000)
    shared = stream(content(["Storm surge"]))
    found = read_pdf(assembled([CATALOGUE, kids, NOTHING, sheet(5), shared]))
    assert found.document.text.count("Storm surge") == MOST_SHEETS
    assert (found.sheets, found.problem) == (3000, IN_PART)


def test_the_work_for_one_file_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_sheets, "_MOST_WORK", 100)
    found = read_pdf(pdf(*([f"Sheet {number}"] for number in range(100))))
    assert found.problem == IN_PART
    assert found.document.text.count("Sheet") < 30


def test_the_text_of_one_file_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_sheets, "MOST_CHARACTERS", 100)
    found = read_pdf(pdf(*(["Storm surge"] for _ in range(100))))
    assert found.problem == IN_PART
    assert len(found.document.text) < 200


def test_links_without_measure() -> None:
    over = [Drawn("http://gauge.test/", 0, 0, 9)] * (pdf_sheets.MOST_ANNOTATIONS + 100)
    assert len(read_pdf(pdf(["Storm surge"], links=[over])).links) == pdf_sheets.MOST_ANNOTATIONS


@pytest.mark.parametrize(
    "rectangle", [b"[0 0]", b"(x)", b"[1e400 0 0 1e999]", b"[/a /b /c /d]", b"9 0 R", b"null"]
)
def test_a_link_with_an_impossible_place_costs_that_link_at_most(rectangle: bytes) -> None:
    link = b"<</Type/Annot/Subtype/Link/Rect%s/A<</S/URI/URI(http://gauge.test/)>>>>" % rectangle
    page = sheet(5).replace(b"/Annots[]", b"/Annots[%s]" % link)
    objects = [CATALOGUE, ONE_SHEET, NOTHING, page, stream(content(["Storm surge"]))]
    found = read_pdf(assembled(objects))
    assert (found.document.text, found.problem) == ("Storm surge", "")
    assert len(found.links) <= 1


def test_control_characters_do_not_get_through() -> None:
    found = read_pdf(pdf(["a\x1b[31mb\x07"], facts={"Title": "t\x1b[0mx", "Author": "\x9b1mQ"}))
    texts = (found.document.text, found.document.title, found.author)
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for text in texts for sign in text)


def test_nothing_is_said_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        read_pdf(b"%PDF-1.7\n" + bytes(range(256)) * 40)
    assert caplog.records == []
    assert logging.getLogger("pypdf").level == logging.NOTSET


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    require_pdf()
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(SettingsError, match=r"pip install 'scenthound\[pdf\]'"):
        require_pdf()
