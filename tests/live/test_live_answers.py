"""What headers ask of a crawler."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.live.answers import retry_after, retry_delay, robots_tag, wanted_type

NOW = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT
BOTH = {"noindex", "nofollow"}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], set()),
        ([""], set()),
        (["all"], set()),
        (["noindex"], {"noindex"}),
        (["NoFollow"], {"nofollow"}),
        (["none"], BOTH),
        (["noindex, nofollow"], BOTH),
        (["noindex", "nofollow"], BOTH),
        (["googlebot: nofollow"], set()),
        (["googlebot: noindex, nofollow"], set()),
        (["scenthound: nofollow"], {"nofollow"}),
        (["Scenthound: noindex, nofollow"], BOTH),
        (["googlebot: noindex, scenthound: nofollow"], {"nofollow"}),
        (["scenthound: noindex, googlebot: nofollow"], {"noindex"}),
        (["noindex, googlebot: nofollow"], {"noindex"}),
        (["googlebot: none", "nofollow"], {"nofollow"}),
        (["*: noindex"], {"noindex"}),
        (["max-image-preview:none, max-snippet: 0"], set()),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST"], set()),
        (["unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow"], {"nofollow"}),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"], {"noindex"}),
        (["noarchive, nosnippet, , ,:"], set()),
    ],
)
def test_robots_tag(values: list[str], expected: set[str]) -> None:
    assert robots_tag(values) == expected


def test_robots_tag_for_another_name() -> None:
    assert robots_tag(["Otherbot: none"], agent="OtherBot") == BOTH


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("120", 120.0),
        (" 0 ", 0.0),
        ("1.5", 1.5),
        ("999999999", 86_400.0),
        ("-5", None),
        ("soon", None),
        ("1e3", None),
        ("inf", None),
        ("９", None),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60.0),
        ("Tue, 14 Nov 2023 22:14:20 -0000", 60.0),
        ("Tuesday, 14-Nov-23 22:14:20 GMT", 60.0),
        ("Tue, 14 Nov 2023 22:00:00 GMT", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400.0),
        ("Tue, 99 Nov 2023 22:14:20 GMT", None),
    ],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


@given(st.text(max_size=60))
def test_retry_after_takes_any_text(value: str) -> None:
    found = retry_after(value, NOW)
    assert found is None or 0.0 <= found <= 86_400.0


@pytest.mark.parametrize(
    ("content_type", "url", "reason"),
    [
        ("text/html", "http://a.test/x.pdf", None),
        ("Text/HTML; charset=utf-8", "http://a.test/", None),
        ("application/xhtml+xml", "http://a.test/", None),
        ("text/plain", "http://a.test/a.txt", None),
        ("application/xml", "http://a.test/", None),
        ("", "http://a.test/", None),
        ("nonsense", "http://a.test/page.php?f=x.pdf", None),
        ("", "http://a.test/paper.PDF?download=1", "type .pdf"),
        ("", "http://a.test/archive.tar.gz", "type .gz"),
        ("application/pdf", "http://a.test/", "type application/pdf"),
        ("application/json; charset=utf-8", "http://a.test/", "type application/json"),
        ("text/css", "http://a.test/", "type text/css"),
        ("image/png", "http://a.test/", "type image/*"),
        ("video/mp4", "http://a.test/", "type video/*"),
        ("application/vnd.made-up-7", "http://a.test/", "type application/*"),
        ("made-up-7/made-up-8", "http://a.test/", "type unknown"),
    ],
)
def test_wanted_type(content_type: str, url: str, reason: str | None) -> None:
    assert wanted_type(content_type, url) == reason


def test_waits_double_up_to_the_longest() -> None:
    waits = [retry_delay(attempts, jitter=0.0) for attempts in range(1, 9)]
    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert retry_delay(10**9, jitter=0.0) == 3600.0
    assert retry_delay(0, base=2.0, jitter=0.0) == 2.0


@given(st.integers(1, 100), st.floats(0, 1, exclude_max=True))
def test_chance_shortens_a_wait_by_half_at_most(attempts: int, jitter: float) -> None:
    whole = retry_delay(attempts, jitter=0.0)
    assert whole / 2 <= retry_delay(attempts, jitter=jitter) <= whole


@pytest.mark.parametrize(
    ("declared", "path"),
    [
        ("application/pdf", "a"),
        ("application/x-pdf; v=1", "a"),
        ("", "a.PDF"),
        ("", "a.pdf?x=.html"),
        ("application/octet-stream", "a.pdf"),
    ],
)
def test_a_pdf_is_wanted_where_that_was_asked_for(declared: str, path: str) -> None:
    url = f"http://a.test/{path}"
    assert wanted_type(declared, url, pdf=True) is None
    assert wanted_type(declared, url) is not None


@pytest.mark.parametrize(
    ("declared", "path"),
    [("application/octet-stream", "a.exe"), ("", "a.zip"), ("image/png", "a.pdf")],
)
def test_asking_for_pdfs_brings_nothing_else(declared: str, path: str) -> None:
    assert wanted_type(declared, f"http://a.test/{path}", pdf=True) is not None
