"""Who may ask what. A page of the web that is open at the same time may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard.crawl_making import (
    HOST,
    TOKEN,
    Time,
    ask,
    at,
    closed_app,
    made_app,
    made_crawl,
    open_app,
)
from scenthound.core.errors import SettingsError
from scenthound.crawler.control import ControlRequests
from scenthound.output.dashboard.security import CSP, Access, is_loopback, make_access
from scenthound.storage.folder import PAUSE, STOP, FolderLock

STEERED = "/api/crawls/c123/stop"
ACCESS = make_access("127.0.0.1", 8200, None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return made_crawl(tmp_path / "c", 3)


def token_of(let_in: Access = ACCESS) -> dict[str, str]:
    return {"x-scenthound-token": let_in.token}


def steer(folder: Path, action: str, headers: dict[str, str]) -> int:
    app = made_app(ACCESS, [folder], Time())
    with FolderLock(folder):
        return ask(app, at(folder, f"/{action}"), "POST", headers).status


def test_a_name_that_is_not_ours_is_misdirected(folder: Path) -> None:
    cases = (
        "evil.example:8200 127.0.0.1 127.0.0.1:80 localhost:8201 127.0.0.1.evil.example "
        "127.0.0.1:8200@evil.example 192.0.2.7:8200 [::2]:8200 localhost:8200.evil.example "
        "0x7f000001:8200"
    )
    for host in (*cases.split(), ""):
        app = open_app(folder)
        for path in ("/", "/api/crawls", "/assets/dashboard.js", "/nowhere"):
            assert ask(app, path, headers={"host": host}).status == 421
        assert ask(app, STEERED, "POST", {"host": host, **token_of()}).status == 421
    for name, host in [("host", "evil.example"), ("Host", HOST)]:
        assert ask(app, "/", twice=[(name, host)]).status == 421, "a second one"
    for host in ["127.0.0.1:8200", "localhost:8200", "LOCALHOST:8200", "[::1]:8200"]:
        assert ask(app, "/api/crawls", headers={"host": host}).status == 200
    assert ask(app, f"/api/crawls?{'x' * 5000}").status == 414


def test_every_answer_has_our_headers(folder: Path) -> None:
    app = open_app(folder)
    asked = [
        ask(app, "/"), ask(app, "/api/crawls"), ask(app, "/assets/icon.svg"), ask(app, "/none"),
        ask(app, "/", headers={"host": "evil.example"}), ask(app, STEERED, "POST"),
        ask(app, "/api/crawls/c9"), ask(closed_app(folder), "/", headers={"host": HOST}),
    ]  # fmt: skip
    for answer in asked:
        assert answer.headers["content-security-policy"] == CSP
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers
    stored = [answer.headers["cache-control"] for answer in asked]
    assert stored == ["no-store", "no-store", "no-cache"] + ["no-store"] * 5


def test_what_changes_something_needs_token_and_origin_as_our_own_page_has_them(
    folder: Path,
) -> None:
    cases: list[dict[str, str]] = [
        {}, {"x-scenthound-token": ""}, {"x-scenthound-token": "wrong"},
        {"x-scenthound-token": ACCESS.token[:-1]}, {"cookie": f"scenthound-8200={ACCESS.token}"},
        {**token_of(), "origin": "http://evil.example"}, {**token_of(), "origin": "null"},
        {**token_of(), "origin": "https://127.0.0.1:8200"},
        {**token_of(), "origin": "http://127.0.0.1:9999"},
        {**token_of(), "sec-fetch-site": "cross-site"},
        {**token_of(), "sec-fetch-site": "same-site"},
    ]  # fmt: skip
    for headers in cases:
        assert steer(folder, "stop", headers) == 403
        assert not ControlRequests(folder).is_left(STOP)
    ours = {"origin": "http://127.0.0.1:8200", "sec-fetch-site": "same-origin"}
    for headers in [{}, ours, {"sec-fetch-site": "none"}]:
        given = {**headers, **token_of()}
        assert steer(folder, "pause", given) == 202 and ControlRequests(folder).is_left(PAUSE)
        assert steer(folder, "resume", given) == 202 and not ControlRequests(folder).is_left(PAUSE)
        assert steer(folder, "stop", given) == 202 and ControlRequests(folder).is_left(STOP)
        assert steer(folder, "dance", given) == 404


def test_a_crawl_is_steered_with_post_while_it_runs(folder: Path) -> None:
    app = made_app(ACCESS, [folder], Time())
    for action in ("pause", "resume", "stop"):
        answer = ask(app, at(folder, f"/{action}"), "POST", token_of())
        assert answer.status == 409 and "not running" in answer.json["error"]
    assert list(folder.glob("*.request")) == []
    with FolderLock(folder):
        assert ask(app, at(folder, "/stop"), "GET", token_of()).status == 405
        answer = ask(app, at(folder), "DELETE", token_of())
        assert answer.status == 405 and "read with GET" in answer.json["error"]
        assert list(folder.glob("*.request")) == []
        answer = ask(app, at(folder, "/pause"), "POST", token_of())
    assert answer.json["state"] == "paused" and answer.json["id"] in at(folder)


def test_only_files_of_the_front_end_are_given_and_the_page_with_its_token(folder: Path) -> None:
    app = open_app(folder)
    assert ask(app, "/assets/icon.svg").headers["content-type"] == "image/svg+xml"
    for name in "app.py ../app.py %2e%2e/app.py .. /etc/passwd none.js index.html".split():
        assert ask(app, f"/assets/{name}").status == 404
    assert ask(app, "/assets/").status == 404
    answer = ask(made_app(ACCESS, [folder], Time()), "/")
    text = answer.body.decode()
    assert f'<meta name="scenthound-token" content="{ACCESS.token}">' in text
    assert "{{" not in text and answer.headers["content-type"].startswith("text/html")


def test_another_address_needs_the_token_which_is_changed_for_a_cookie(folder: Path) -> None:
    app = closed_app(folder)
    for path in ("/", "/api/crawls", "/assets/icon.svg", "/?token=wrong", "/nowhere"):
        assert ask(app, path).status == 403
    assert ask(app, "/", headers={"cookie": "scenthound-8200=wrong"}).status == 403
    assert ask(app, "/", headers={"cookie": ";;=,,\x01"}).status == 403
    assert ask(app, "/api/crawls", headers={"x-scenthound-token": TOKEN}).status == 200
    assert ask(app, "/", headers={"host": "192.0.2.7:8200"}).status == 403
    on_loopback = made_app(make_access("127.0.0.1", 8200, TOKEN), [folder], Time())
    assert ask(on_loopback, "/api/crawls").status == 403, "a token closes that too"
    answer = ask(app, f"/api/crawls?token={TOKEN}&x=1%2F2")
    assert answer.status == 303 and answer.headers["location"] == "/api/crawls?x=1%2F2"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    kept = {"cookie": cookie.split(";")[0]}
    assert ask(app, "/api/crawls", headers=kept).status == 200
    assert ask(app, f"/?token={TOKEN}", headers=kept).status == 303
    assert ask(app, STEERED, "POST", kept).status == 403
    assert ask(app, f"//evil.example/?token={TOKEN}").headers["location"] == "/evil.example/"
    cases: list[list[str]] = [
        [f"other={{a b, c}}; scenthound-8200={TOKEN}"], [f";;=,,; scenthound-8200={TOKEN} "],
        ["other=1", f"scenthound-8200={TOKEN}"], [f"scenthound-8200={TOKEN}", "other=1"],
        [f"scenthound-8200=old; scenthound-8200={TOKEN}"],
    ]  # fmt: skip
    for cookies in cases:
        sent = [("cookie", each) for each in cookies]
        assert ask(closed_app(folder), "/api/crawls", twice=sent).status == 200


def test_pages_of_other_sites_do_not_read(folder: Path) -> None:
    for site in ["cross-site", "same-site"]:
        app, headers = open_app(folder), {"sec-fetch-site": site}
        for path in ("/api/crawls", at(folder, "/pages"), at(folder, "/curve")):
            assert ask(app, path, headers=headers).status == 403
        assert ask(app, "/", headers=headers).status == 200  # a link that somebody follows
        assert ask(app, "/api/crawls", headers={"sec-fetch-site": "same-origin"}).status == 200


def test_people_read_a_sentence_and_programs_json(folder: Path) -> None:
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    page = ask(closed_app(folder), "/", headers=browser)
    assert page.status == 403 and page.headers["content-type"].startswith("text/html")
    assert "<p>This dashboard needs its token" in page.body.decode()
    assert page.headers["content-security-policy"] == CSP
    named = ask(open_app(folder), "/", headers={**browser, "host": "evil.example"})
    assert named.status == 421 and b"<p>This name is not one" in named.body
    assert "token" in ask(closed_app(folder), "/api/crawls", headers=browser).json["error"]


def test_other_machines_need_a_token_at_whatever_address() -> None:
    let_in = make_access("0.0.0.0", 8200, TOKEN, ["Desk.lan"])
    assert let_in.knows_host("192.0.2.7:8200") and let_in.knows_host("[fe80::1]:8200")
    assert let_in.knows_host("desk.lan:8200") and not let_in.knows_host("evil.example:8200")
    assert let_in.address == f"http://localhost:8200/?token={TOKEN}"
    assert TOKEN not in repr(let_in)
    reached = make_access("0.0.0.0", 8200, TOKEN, reached_at="192.0.2.7")
    assert reached.address == f"http://192.0.2.7:8200/?token={TOKEN}"
    reached = make_access("::", 8200, TOKEN, reached_at="fe80::1")
    assert reached.address.startswith("http://[fe80::1]:82")
    usual = make_access("127.0.0.1", 80, None)  # whose port is not written
    assert usual.knows_host("localhost") and usual.knows_host("localhost:80")
    assert make_access("::1", 8200, None).address == "http://[::1]:8200/"
    assert [is_loopback(h) for h in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(h) for h in ("0.0.0.0", "192.0.2.7", "::", "desk")] == [False] * 4
    for host in ("0.0.0.0", "192.0.2.7", "::"):
        with pytest.raises(
            SettingsError, match=r"other machines can reach.*export SCENTHOUND_DASHBOARD_TOKEN="
        ):
            make_access(host, 8200, None)
    for token in ("short", "with a space in it!", "ä" * 20, ""):
        with pytest.raises(SettingsError, match="at least 16"):
            make_access("127.0.0.1", 8200, token)
