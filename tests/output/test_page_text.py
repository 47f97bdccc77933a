"""The text of a page without what surrounds it, and the facts a page gives of itself."""

from __future__ import annotations

import sys

import pytest

from output.corpus_making import AUTHORED, MENU, article
from scenthound.output import page_text
from scenthound.output.page_text import PageText, read_text
from text.pdf_writing import pdf

URL = "http://w.test/a"


def test_main_text_is_without_menu_and_footer() -> None:
    read = read_text(article("Storm").encode(), URL, "text/html")
    assert read.source == "main" and not read.failed
    assert "tied up their boats" in read.text and "Paragraph 3 of Storm" in read.text
    assert MENU.split()[0] not in read.text and "cookies" not in read.text
    assert read.title == "Storm" and read.language == "en" and read.confidence > 0.8


def test_date_author_and_description_are_those_the_page_gives() -> None:
    for html, facts in [
        (article("Storm", head=AUTHORED), ("2023-04-05", "Ada Field", "=A storm, told")),
        (article("Storm", "It was on 12 March 1999."), (None, None, None)),
    ]:
        read = read_text(html.encode(), URL, "text/html")
        assert (read.date, read.author, read.description) == facts


def test_without_a_main_text_there_is_the_visible_one() -> None:
    read = read_text(b"<title>x</title><body><footer>Go</footer>", URL, "text/html")
    assert (read.text, read.source, read.failed) == ("Go", "visible", False)
    read = read_text(article("Storm").encode(), URL, "text/html", main=False)
    assert read.source == "visible" and MENU.split()[0] in read.text
    read = read_text(b"A storm <b> it was.", URL, "text/plain")
    assert (read.text, read.source) == ("A storm <b> it was.", "visible")


def test_what_the_server_says_of_a_page() -> None:
    for body in [b"", b"\x89PNG\r\n", b"\x00\x01\x02"]:
        assert read_text(body, URL) == PageText()
    body = article("Stürme").encode("cp1252")
    read = read_text(body, URL, "application/pdf; charset=windows-1252")
    assert (read.title, read.source) == ("Stürme", "main") and "tied up" in read.text
    assert read_text(b"<p>Ja", URL, "text/html", "de-AT").language == "de"


def test_what_makes_the_library_fail_or_is_too_long_costs_the_main_text_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(html: str, url: str) -> None:
        raise RecursionError

    for name, value in [("_extract_main", fails), ("LONGEST_PAGE", 100)]:
        with monkeypatch.context() as patch:
            patch.setattr(page_text, name, value)
            read = read_text(article("Storm").encode(), URL, "text/html")
        assert (read.source, read.failed) == ("visible", True)


def test_hostile_pages_raise_nothing() -> None:
    for html in [
        "<div>" * 20_000 + "storm",
        "<p>\ud800 storm</p>".encode("utf-8", "surrogatepass").decode("latin-1"),
        "<html><head><meta charset=utf-7><title>+AGE-</title>",
        "<p>" + "&#x1F32A;&#xD800;\x00" * 50,
        "<script type='application/ld+json'>{\"@type\":</script><p>storm",
    ]:
        read = read_text(html.encode("utf-8", "replace"), URL, "text/html")
        assert isinstance(read.text, str)


def test_a_pdf_has_its_own_text_and_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"Author": "Ada Field", "CreationDate": "D:20230405100000Z"}
    body = pdf(["A storm came in from the sea", "and the boats were tied up."], facts=facts)
    read = read_text(body, URL, "application/pdf")
    assert read.source == "pdf" and "storm came in" in read.text and not read.failed
    assert (read.author, read.date, read.language) == ("Ada Field", "2023-04-05", "en")
    monkeypatch.setitem(sys.modules, "pypdf", None)
    assert read_text(body, URL, "application/pdf") == PageText(needs_pdf=True)


NYNORSK = (
    "Stormen nådde kysten om kvelden og elva gjekk over breiddene sine. Mange hus vart øydelagde, "
    "og folk måtte flytte ut frå heimane sine. Meteorologane seier at det kjem meir regn."
)


def test_nynorsk_is_norwegian() -> None:
    html = f"<html lang=nn><title>Storm</title><p>{NYNORSK}".encode()
    found = {each: read_text(html, URL, "text/html", expected=each) for each in ("nb", "da", "")}
    assert {each.language for each in found.values()} == {"nn"}
    assert [found[each].is_expected for each in ("nb", "da", "")] == [True, False, None]
