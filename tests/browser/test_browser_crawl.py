"""A crawl of an application: pages that are nothing without their scripts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from crawler.live_running import KEYWORDS, Kept, again, check_kept, crawl, stored
from crawler.live_web import LiveWeb, MemoryWeb, ok, page
from scenthound.core.errors import SettingsError
from scenthound.fetch.chromium import VARIABLE
from storage.warc_making import records

SHELL = "<!doctype html><title>App</title><div id=app>Loading</div><script src=/app.js></script>"
SCRIPT = """
fetch('/data' + location.pathname).then(answer => answer.json()).then(page => {
  document.title = page.title;
  document.getElementById('app').innerHTML = '<h1>' + page.title + '</h1><p>' + page.text + '</p>'
    + page.links.map(link => '<a href="' + link + '">' + link + '</a>').join(' ');
});
"""
PAGES = {
    "/app": ("A storm", ["/app/one", "/app/two"]),
    "/app/one": ("A hurricane", ["/app"]),
    "/app/two": ("Weather", ["/static"]),
}
TEXT = " ".join(f"the {word} rises over the sea wall in part" for word in KEYWORDS * 5)


def application(web: LiveWeb) -> str:
    """Every page of it is sent as the same few bytes; a static page beside it is not."""
    for path, (title, links) in PAGES.items():
        web.add(1, path, SHELL)
        told = json.dumps({"title": title, "text": f"{title}: {TEXT}", "links": links})
        web.add(1, f"/data{path}", ok(told, {"Content-Type": "application/json"}))
    web.add(1, "/app.js", ok(SCRIPT, {"Content-Type": "text/javascript"}))
    static = page(
        "Static", TEXT, [web.url(1, "/app")], head="<script>document.body = null</script>"
    )
    web.add(1, "/static", static)
    return web.url(1, "/app")


def test_without_a_browser_there_is_one_empty_page(tmp_path: Path) -> None:
    with MemoryWeb() as web:
        kept = crawl(tmp_path / "out", [application(web)])
    assert kept.urls == [web.url(1, "/app")]


class Rendered(NamedTuple):
    """A crawl of the application with a browser, and what was in its folder of profiles then."""

    kept: Kept
    web: LiveWeb
    profiles: list[str]


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    out = tmp_path_factory.mktemp("rendered") / "out"
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,  # Chromium wants a short path
        pytest.MonkeyPatch.context() as patch,
        LiveWeb(1) as web,
    ):
        patch.setenv("TMPDIR", folder)
        kept = crawl(out, [application(web)], javascript=True)
        return Rendered(kept, web, [path.name for path in Path(folder).iterdir()])


def test_with_a_browser_the_application_is_crawled(rendered: Rendered) -> None:
    kept, web, profiles = rendered
    asked = web.requested()
    assert [name for name in profiles if "profile" in name] == [], "none is left behind"
    assert any("sandbox" in each for each in kept.warned) is (os.geteuid() == 0)
    assert sorted(kept.urls) == sorted(
        [*(web.url(1, path) for path in PAGES), web.url(1, "/static")]
    )
    titles = {event["url"]: event["title"] for event in kept.pages}
    assert [titles[web.url(1, path)] for path in PAGES] == [title for title, _ in PAGES.values()]
    shown = {event["url"] for event in kept.pages if event.get("rendered")}
    assert shown == {web.url(1, path) for path in PAGES}
    assert not any("copy_of" in event for event in kept.pages)
    assert len(asked) == len(set(asked))  # no page is asked for twice, no script either
    assert set(asked) == {
        web.url(1, path)
        for path in ("/robots.txt", "/app.js", "/static", *PAGES, *(f"/data{p}" for p in PAGES))
    }


def test_what_is_kept_is_what_was_sent_and_what_was_shown(rendered: Rendered) -> None:
    out = rendered.kept.folder
    check_kept(out)
    sent = [
        record for record in stored(out) if not record.warc["WARC-Target-URI"].endswith("static")
    ]
    assert {record.content for record in sent} == {SHELL.encode()}
    (path,) = out.glob("pages-*.warc.gz")
    shown = [record for record in records(path) if record.kind == "conversion"]
    assert {r.warc["WARC-Refers-To"] for r in shown} == {r.warc["WARC-Record-ID"] for r in sent}
    assert all(TEXT.encode() in record.content for record in shown)


def test_the_delay_is_kept_before_scripts_run_and_what_was_learnt_comes_back(
    tmp_path: Path,
) -> None:
    """From what was shown; a kill between two states leaves none."""
    out = tmp_path / "out"
    with LiveWeb(1) as web:
        first = crawl(
            out, [application(web)], javascript=True, max_pages=1, concurrency=1, delay=0.5
        )
        asked = dict(zip(web.requested(), web.arrivals(1), strict=True))
        (out / "state.npz").unlink()
        kept = again(out, max_pages=10, delay=0.0)
    assert asked[web.url(1, "/app.js")] - asked[web.url(1, "/app")] >= 0.5
    assert kept.warned == [w for w in first.warned if "sandbox" in w]
    assert len(kept.urls) == 4
    check_kept(out)


def test_a_browser_that_is_not_there_is_told_before_the_crawl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    with LiveWeb(1) as web:
        with pytest.raises(SettingsError, match=r"SCENTHOUND_BROWSER names '.*', which is no prog"):
            crawl(out, [application(web)], javascript=True)
        assert web.requested() == []
    assert list(out.iterdir()) == []
    monkeypatch.setenv(VARIABLE, "/bin/false")
    with LiveWeb(1) as web, pytest.raises(SettingsError, match="does not start"):
        crawl(tmp_path / "false", [application(web)], javascript=True)
