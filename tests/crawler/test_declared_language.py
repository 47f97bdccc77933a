"""What a page and its server declare of its language."""

from __future__ import annotations

from scenthound.storage.pages import Response, read_page


def test_the_page_comes_before_the_header_and_several_are_none() -> None:
    cases: list[tuple[str, str, str | None]] = [
        ("<p>x", "de-AT", "de-at"),
        ("<p>x", "de, en", None),
        ("<p>x", "", None),
        ('<html lang="fr"><p>x', "de", "fr"),
        ('<meta http-equiv="Content-Language" content="es"><p>x', "de", "es"),
        ('<html lang="fr"><meta http-equiv="content-language" content="es">', "", "fr"),
        ('<html lang=""><meta http-equiv="content-language" content="es">', "", "es"),
        ('<meta http-equiv="content-language" content="en, fr"><p>x', "", None),
    ]
    for html, header, language in cases:
        headers = {"content-type": "text/html"} | ({"content-language": header} if header else {})
        response = Response("http://w.test/", 200, headers, html.encode())
        assert read_page(response, (), 0.0).document.language == language
