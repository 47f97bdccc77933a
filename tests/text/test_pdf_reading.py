"""A PDF is read like a page: title, text, links with their words, what it says of itself."""

from __future__ import annotations

import pytest

from scenthound.text.pdf import NO_TEXT, is_pdf, read_pdf
from scenthound.text.pdf_facts import iso_date, stated_title
from text.pdf_writing import Drawn, pdf

HERE = "http://gauge.test/reports/surge.pdf"


def test_text_and_title_of_the_first_line() -> None:
    found = read_pdf(pdf(["Storm surge at the pier", "Water rose two metres."], ["Second sheet"]))
    assert found.document.title == "Storm surge at the pier"
    assert found.document.text == "Storm surge at the pier\nWater rose two metres.\nSecond sheet"
    assert found.document.groups["body"] == found.document.text
    assert (found.sheets, found.problem) == (2, "")


def test_what_a_file_states_of_itself() -> None:
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


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("Microsoft Word - Surge report", "Surge report"),
        ("Microsoft Word - report_v3.docx", ""),
        ("surge.tex", ""),
        ("Untitled", ""),
        ("12-4", ""),
        ("", ""),
        ("Notes on surge.pdf files", "Notes on surge.pdf files"),
    ],
)
def test_the_name_of_a_file_is_no_title(stated: str, title: str) -> None:
    assert stated_title(stated) == title


@pytest.mark.parametrize(
    ("stated", "date"),
    [
        ("D:20240301", "2024-03-01"),
        ("2024-03-01T10:00", "2024-03-01"),
        ("D:2024", "2024"),
        ("D:20241399", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_dates(stated: str, date: str) -> None:
    assert iso_date(stated) == date


def test_the_words_under_a_link_are_its_anchor() -> None:
    line = "Levels are kept by the harbour office of the town."
    first = line.index("harbour")
    over = Drawn("http://gauge.test/office", 1, first, first + len("harbour office"))
    (link,) = read_pdf(pdf(["Storm surge", line, "The end"], links=[[over]]), HERE).links
    assert link.url == "http://gauge.test/office"
    assert set("harbour office".split()) <= set(link.anchor.split())
    assert "Levels" not in link.anchor
    assert link.context == f"Storm surge\n{line}\nThe end"


def test_a_relative_link_starts_from_the_pdf() -> None:
    (link,) = read_pdf(pdf(["Annex"], links=[[Drawn("../tables.html", 0, 0, 5)]]), HERE).links
    assert (link.url, link.anchor) == ("http://gauge.test/tables.html", "Annex")


def test_a_link_over_no_words_has_none() -> None:
    over = Drawn("http://gauge.test/far", 30, 0, 5)
    (link,) = read_pdf(pdf(["Storm surge"], links=[[over]]), HERE).links
    assert (link.anchor, link.context) == ("", "")


def test_a_context_does_not_leave_its_sheet() -> None:
    links = [[], [Drawn("http://gauge.test/two", 0, 0, 6)]]
    (link,) = read_pdf(pdf(["One"], ["Second"], links=links), HERE).links
    assert link.context == "Second"


def test_written_addresses_are_links() -> None:
    lines = ["See http://gauge.test/a_(b), or", "(https://tide.test/x). Write mailto:me@tide.test"]
    links = read_pdf(pdf(lines), HERE).links
    assert [link.url for link in links] == [
        "http://gauge.test/a_%28b%29",
        "https://tide.test/x",
    ]
    assert "See http" in links[0].context


def test_an_address_broken_over_two_lines_is_one_link() -> None:
    whole = "http://gauge.test/levels/2023/table"
    lines = ["See http://gauge.test/levels/", "2023/table for more."]
    found = read_pdf(pdf(lines, links=[[Drawn(whole, 0, 4, 30), Drawn(whole, 1, 0, 10)]]), HERE)
    assert {link.url for link in found.links} == {whole}


def test_links_that_lead_to_no_page_are_counted() -> None:
    links = [[Drawn("mailto:a@gauge.test", 0, 0, 3), Drawn("http://gauge.test/a.zip", 0, 0, 3)]]
    found = read_pdf(pdf(["Storm surge"], links=links), HERE)
    assert found.links == ()
    assert {reason: count for reason, (count, _) in found.unusable.items()} == {
        "other scheme": 1,
        "media": 1,
    }


def test_words_are_mended() -> None:
    found = read_pdf(pdf(["Damage from inun-", "dation, a well-", "Known case"]))
    assert found.document.text == "Damage from inundation, a well-\nKnown case"


def test_a_scan_has_no_text() -> None:
    found = read_pdf(pdf([]))
    assert (found.document.text, found.problem, found.sheets) == ("", NO_TEXT, 1)


def test_what_a_pdf_is() -> None:
    assert is_pdf(b"%PDF-1.4\n")
    assert is_pdf(b"\n\n%PDF-1.4", "application/pdf; charset=binary")
    assert not is_pdf(b"<p>%PDF-1.4", "text/html")
    assert not is_pdf(b"", "application/pdf")
