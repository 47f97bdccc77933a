"""URLs that lead nowhere new, and those that only look so."""

from __future__ import annotations

import itertools
import json

from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import MalformedUrlError
from scenthound.core.scope import SeriesLimit, is_dated, trap, without_session
from scenthound.core.urls import canonical

NOW = 2025
HEX = "0123456789abcdef0123456789abcdef"

SESSIONS = [
    ("/shop;jsessionid=1A2B3C", "/shop"),
    ("/shop;JSESSIONID=AB%21-12?item=3", "/shop?item=3"),
    ("/a;jsessionid=1/b", "/a/b"),
    ("/a/.;jsessionid=1/b", "/a/b"),
    ("/;jsessionid=1", "/"),
    ("/a;v=2;jsessionid=1", "/a;v=2"),
    (f"/f.php?PHPSESSID={HEX}", "/f.php"),
    ("/f.php?PHPSESSID=short&t=4", "/f.php?t=4"),
    (f"/viewtopic.php?t=4&sid={HEX}", "/viewtopic.php?t=4"),
    (f"/viewtopic.php?sid={HEX}&t=4&x=1", "/viewtopic.php?t=4&x=1"),
    (f"/showthread.php?s={HEX}&t=9", "/showthread.php?t=9"),
    ("/i?sessionid=Zm9vYmFyMTIzNDU2Nzg5MA%3D%3D", "/i"),
    ("/i?session_id=a1b2c3d4-e5f6-7890-abcd-ef0123456789&b", "/i?b"),
    ("/x.cfm?id=1&CFID=12&CFTOKEN=a-b", "/x.cfm?id=1"),
    ("/p?osCsid=6a7b&products_id=1", "/p?products_id=1"),
    ("/a.asp?ASPSESSIONIDQQBCTDDA=X", "/a.asp"),
    ("/app/(S(lit3py55t21z5v55vlm25s55))/page.aspx", "/app/page.aspx"),
    ("/(X(1)S(lit3py55t21z5v55vlm25s55))/page.aspx?a=1", "/page.aspx?a=1"),
]

NO_SESSIONS = [
    "/", "/a/b?c=d&e=f", "/sessions/2024?sid=42", "/list?sid=introductiontoalgebra",
    "/list?sid=1234567890123456789", "/list?s=search+words", "/conf?session=keynote-opening-talk",
    "/;a=b/c;d", "/Sphere_(maths)", "/f(S(x))/a", "/(S(short))/a", "/a?b=;jsessionid=3x",
    "/a?x=1&&y=2&", "/a?session", "/jsessionid=4", f"/blob/{HEX}", f"/a?commit={HEX}",
]  # fmt: skip

TRAPPED = [
    ("/a/blog/blog/blog/post", "path repetition"),
    ("/css/img/css/img/css/img/x.html", "path repetition"),
    ("/docs/en/docs/de/docs/fr/docs/it", "path repetition"),
    ("/a/a/a/a/a", "path repetition"),
    ("/1/2/1/2/1/2/1/2/1/2", "path repetition"),
    ("/index.php/index.php/index.php", "path repetition"),
    ("/" + "/".join(f"s{i}" for i in range(26)), "too deep"),
    ("/" * 27, "too deep"),
    ("/?" + "&".join(f"p{i}=1" for i in range(21)), "too many parameters"),
    ("/calendar/2099/05", "calendar"),
    ("/calendar/1850/05/", "calendar"),
    ("/calendar?date=2031-07", "calendar"),
    ("/cal.php?year=2090&month=3", "calendar"),
    ("/cal.php?month=3&year=1812", "calendar"),
    ("/e?cal_month=1&cal_year=3021", "calendar"),
    ("/events/2090-05/", "calendar"),
    ("/events/month/2030-1", "calendar"),
    ("/2099/12/31/", "calendar"),
    ("/archive/2031-07-01", "calendar"),
    ("/calendar/9998-01-01", "calendar"),
    ("/calendar-2099-05.html", "calendar"),
    ("/Kalender/2028/1/1", "calendar"),
    ("/cal/2049/1/", "calendar"),
    ("/cal/2049/1/?view=list", "calendar"),
    ("/archive/2031/12", "calendar"),
    ("/2049/01/05/", "calendar"),
    ("/2023/05/next/2028/06", "calendar"),
    ("/2199/1", "calendar"),
]

LEGIT = [
    "/", "/a/a/", "/a/a/a", "/en/a/en/b/en/c/en/d", "/tiles/0/0/0", "/1/1/1/1",
    "/foo/foo/bar", "/wiki/wiki/Main", "/2001/1/1/1/", "/com/example/example/Main.java",
    "/2023/05/17/storm-over-the-coast", "/2023/05", "/2025/12/31/", "/2027/01/01/next-year",
    "/wiki/1066", "/wiki/2099", "/history/1066/10/14/hastings", "/1815/06/18/", "/1815-06-18",
    "/forum/3456/12", "/forum/3456/2/", "/item-3456-12", "/doi/10.1000/3456-7", "/9999/13/45",
    "/calendar/2024/05", "/calendar/2027/12", "/calendar/1900/01", "/calendar/1066",
    "/cal.php?year=2024&month=3", "/cal.php?year=1066", "/?year=3000&page=2", "/isbn/9780131103627",
    "/web/20240517120000/http://a.test/", "/events/1066/10/14", "/events/2026-05-01",
    "/calendars/9999", "/1478-3975/7/1/016016", "/2072-4292/11/19/2193/htm", "/3975/11/12",
    "/event/b8ebf811-6f99-4388-8123-8e87a91e800f/summary",
    "/archive/2027/12", "/cal/2049/1/list", "/2049/13/", "/2200/1", "/issn/2072-2049/11/",
    "/a-2049/1", "/12049/1/", "/x2049/1", "/b8ebf811-6f99-4388-8123-2049/1", "/2049/1.html",
    "/?p=2049/1", "/a?b=/2049/1", "/2049/0/", "/cal/2049/",
    "/phone/555-2368-01", "/?" + "&".join(f"p{i}=1" for i in range(20)),
    "/" + "/".join(f"s{i}" for i in range(25)), "//a//b//c", "/law/section/1/section/2/section/3",
]  # fmt: skip


def at(path: str) -> str:
    return canonical("http://a.test" + path)


def test_session_ids_are_taken_out_and_nothing_else_changes() -> None:
    for path, expected in [*SESSIONS, *zip(NO_SESSIONS, NO_SESSIONS, strict=True)]:
        assert without_session(at(path)) == at(expected)


@given(
    st.text("aS/.;?&=(%28)", max_size=30),
    st.sampled_from([f";jsessionid={HEX}", f"sid={HEX}&", f"(S({HEX}))/", f"&PHPSESSID={HEX}"]),
    st.text("aS/.;?&=()", max_size=30),
)
def test_what_is_left_is_canonical(before: str, session: str, after: str) -> None:
    try:
        url = at("/" + before + session + after)
    except MalformedUrlError:
        return
    bare = without_session(url)
    assert canonical(bare) == bare
    assert len(bare) <= len(url)


def test_traps_are_told_by_their_kind_and_pages_that_only_look_so_pass() -> None:
    for path, reason in [*TRAPPED, *((path, None) for path in LEGIT)]:
        assert trap(at(path), NOW) == reason


def test_dates_are_seen_and_other_numbers_are_none() -> None:
    for path in ["/2023/05/17/", "/cal/2023-05", "/c?year=2023&month=5", "/c?d=2023-05-17"]:
        assert is_dated(at(path))
    for path in ["/wiki/1066", "/a?id=2023", "/a?year=2023", "/2023/13", "/12345/06"]:
        assert not is_dated(at(path))


def days(count: int, host: str = "a.test", end: str = "") -> list[str]:
    return [
        f"http://{host}/cal/{2000 + n // 336}/{n // 28 % 12 + 1:02}/{n % 28 + 1:02}/{end}"
        for n in range(count)
    ]


def test_a_calendar_ends_at_about_the_limit() -> None:
    limit = SeriesLimit(most=100)
    refused = [limit.admit(url) for url in days(1_000)]
    assert refused[:100] == [None] * 100
    assert refused[120:] == ["endless calendar"] * 880


def test_dated_articles_and_numbered_pages_never_end() -> None:
    limit = SeriesLimit(most=10)
    names = ["-".join(pair) for pair in itertools.product("abcdefg", repeat=2)]
    articles = [url.replace("/cal/", "/") + name for url, name in zip(days(49), names, strict=True)]
    numbered = [f"http://a.test/article/{n}" for n in range(1_000, 3_000)]
    assert {limit.admit(url) for url in articles + numbered} == {None}


def test_the_count_goes_on_after_a_restart() -> None:
    undisturbed = SeriesLimit(most=100)
    expected = [undisturbed.admit(url) for url in days(300)]
    before, after = SeriesLimit(most=100), SeriesLimit(most=100)
    first = [before.admit(url) for url in days(300)[:60]]
    after.restore(json.loads(json.dumps(before.state())))
    assert first + [after.admit(url) for url in days(300)[60:]] == expected


def test_memory_is_bounded_and_what_is_in_use_stays() -> None:
    limit = SeriesLimit(most=10, kept=50)
    refused = []
    for n, url in enumerate(days(2_000)):
        limit.admit(f"http://h{n}.test/2024/05/{'x' * n}"[:300])
        refused.append(limit.admit(url))
    assert len(limit.state()) <= 50
    assert refused[-100:] == ["endless calendar"] * 100
