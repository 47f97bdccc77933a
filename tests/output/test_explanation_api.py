"""A live crawl explained: one URL for everything that can become of one."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from crawler.live_replies import hung_up
from crawler.live_running import AtPage, crawl
from crawler.live_web import LiveWeb, page
from output.corpus_making import STORM, Crawled, html_folder
from scenthound import Explanation, explain
from scenthound.core.errors import InputError, SettingsError
from scenthound.frontier.sqlite_urls import UrlState
from scenthound.output.explain.explain import explain_all
from scenthound.storage.folder import FolderLock


def why(live: Crawled, path: str) -> Explanation:
    return explain(live.folder, live.at(path))


def test_a_fetched_page_with_its_way_priority_links_and_terms(live: Crawled) -> None:
    reported = why(live, "/storm")
    assert (reported.state, reported.verdict) == ("fetched", "fetched as page 2 of 6")
    assert reported.page is not None and (reported.page.number, reported.page.title) == (
        2,
        "The storm",
    )
    assert [(step.page, step.url, step.anchor) for step in reported.path] == [
        (1, live.at("/"), ""),
        (2, live.at("/storm"), "storm hurricane weather"),
    ]
    assert reported.priority is not None and reported.priority.combination == "max"
    assert [part.name for part in reported.priority.parts] == ["anchor", "full"]
    added = sum(part.contribution for part in reported.priority.parts)
    assert reported.priority.value == pytest.approx(added, abs=1e-4) and not reported.priority.rest
    (inlink,) = reported.priority.inlinks
    assert (inlink.page, inlink.url) == (1, live.at("/"))
    assert [part.name for part in inlink.parts] == ["anchor", "full"]
    links = reported.page.links
    assert (links.found, links.rescored, links.closed) == (3, 1, 1)
    assert links.dropped == {"media": 1}
    reported = why(live, "/cake/1")
    assert reported.priority is not None and reported.priority.linked_from == 2
    assert [inlink.page for inlink in reported.priority.inlinks] == [2, 1]
    assert [step.page for step in reported.path] == [1, 2, 6]
    assert reported.relevance is not None and "no page has no text" in reported.relevance.note
    reported = explain(live.folder, live.at("/storm"), terms=2)
    found = reported.relevance
    assert found is not None and found.recomputed is not None
    assert (len(found.terms), found.rest_terms, found.nearest) == (2, 1, "the keywords")
    added = sum(term.contribution for term in found.terms) + found.rest
    assert added == pytest.approx(found.recomputed, abs=1e-9)
    assert found.recomputed == pytest.approx(found.similarity, abs=1e-5)
    assert (found.threshold, found.relevant, found.note) == (0.1, True, "")


def test_a_copy_a_redirect_and_what_is_refused_given_up_or_waits(live: Crawled) -> None:
    reported = why(live, "/copy")
    assert reported.page is not None and reported.page.copy_of == live.at("/")
    assert reported.relevance is not None and not reported.relevance.relevant
    assert reported.relevance.recomputed is not None
    assert reported.relevance.note.endswith("it is a copy")
    assert reported.page.links.dropped == {"on a copy": 10}
    reported = why(live, "/moved")
    assert (reported.state, reported.url) == ("redirected", live.at("/moved"))
    assert reported.verdict == f"redirects to {live.at('/target')}, fetched as page 5"
    assert reported.path[-1].redirects == (live.at("/moved"),)
    assert [(each.event, each.target) for each in reported.history] == [
        ("redirect", live.at("/target"))
    ]
    refused, given_up = why(live, "/secret"), why(live, "/gone")
    assert refused.state == "refused" and "robots.txt forbids it" in refused.verdict
    assert refused.priority is not None and refused.path[0].page == 1
    assert given_up.state == "given up"
    assert given_up.verdict.startswith("given up after one attempt: broken answer")
    assert given_up.history[0].at is not None and given_up.history[0].retry_at is None
    reported = why(live, "/cake/3")
    assert reported.state == "waiting" and reported.place is not None
    assert (reported.place.better, reported.place.better_on_host, reported.place.waiting) == (
        1,
        1,
        2,
    )
    assert reported.verdict == (
        "waits; of 2 that wait 1 is better, 1 on its own host; the crawl is not running"
    )
    assert reported.priority is not None and reported.priority.inlinks[0].anchor == "a recipe"
    assert reported.path[-1].page is None and reported.path[-2].page == 1


def test_links_that_are_not_followed_or_not_there_and_other_spellings(live: Crawled) -> None:
    reasons = {
        "/private/1": "excluded (exclude '*private*')",
        "/x.zip": "media",
        "/abc/def/abc/def/abc/def": "path repetition",
        "/calendar/2090/01/01": "calendar",
    }
    for path, reason in reasons.items():
        reported = why(live, path)
        assert reported.state == "forbidden" and reason in reported.verdict, path
    unwanted, named = why(live, "/unwanted"), why(live, "/named")
    assert unwanted.state == "linked, not queued"
    assert unwanted.verdict.startswith("page 1 links to it, and the link was not queued: nofollow")
    assert named.state == "another page's name" and named.searched == 3
    assert named.verdict.startswith("not fetched: page 3, ")
    looked: list[tuple[int, int]] = []
    reported = explain(
        live.folder, live.at("/nowhere"), on_page=lambda done, of: looked.append((done, of))
    )
    assert (reported.state, reported.searched, reported.found_on) == ("unknown", 6, ())
    assert reported.verdict == "no page fetched so far links to it"
    assert looked == [(n, 6) for n in range(1, 7)]
    assert explain(live.folder, live.at("/storm").removeprefix("http://")).state == "fetched"
    with_session = live.at("/storm?PHPSESSID=0123456789abcdef0123456789abcdef")
    assert explain(live.folder, with_session).url == live.at("/storm")
    twin = explain(live.folder, live.at("/storm/").replace("http://", "https://"))
    assert (twin.state, twin.near, twin.searched) == ("unknown", (live.at("/storm"),), None)
    same_path = explain(live.folder, "http://elsewhere.test/storm")
    assert same_path.near == (live.at("/storm"),)


@pytest.fixture
def copied(live: Crawled, tmp_path: Path) -> Crawled:
    shutil.copytree(live.folder, tmp_path / "copied")
    return Crawled(tmp_path / "copied", live.root)


def test_under_way_while_it_runs_and_after_a_kill(copied: Crawled) -> None:
    with closing(sqlite3.connect(copied.folder / "frontier.sqlite")) as database, database:
        database.execute(
            f"UPDATE frontier_urls SET state = {UrlState.LEASED} WHERE url = ?",
            (copied.at("/cake/2"),),
        )
    assert "waits again once that is resumed" in why(copied, "/cake/2").verdict
    with FolderLock(copied.folder):
        reported = why(copied, "/cake/2")
        assert (reported.state, reported.verdict) == ("under way", "being fetched now")
        assert why(copied, "/cake/3").verdict.endswith("its host may be asked now")


def test_another_similarity_in_the_journal_and_pages_that_are_gone(copied: Crawled) -> None:
    journal = copied.folder / "journal.jsonl"
    found = why(copied, "/storm").relevance
    assert found is not None
    changed = journal.read_text().replace(
        f'"similarity":{found.similarity}', '"similarity":0.12345'
    )
    journal.write_text(changed)
    now = why(copied, "/storm").relevance
    assert now is not None and now.similarity == 0.12345
    assert now.recomputed == found.recomputed and "another one" in now.note
    (copied.folder / "pages-00001.warc.gz").unlink()
    found = why(copied, "/storm").relevance
    assert found is not None and found.recomputed is None and found.terms == ()
    assert "cannot be read any more" in found.note
    unknown = why(copied, "/nowhere")
    assert (unknown.state, unknown.searched, unknown.unread) == ("unknown", 6, 5)
    assert unknown.verdict == (
        "no page fetched so far links to it, as far as their links were read (5 of them cannot be "
        "read any more)"
    )


def test_set_aside_and_tried_again(tmp_path: Path) -> None:
    with LiveWeb(hosts=2) as web:
        seed = web.add(1, "/", page("Storm", STORM, [web.url(2, "/gone"), "/2", "/3"]))
        web.add(1, "/2", page("Hurricane", "The hurricane came with the storm."))
        web.add(2, "/gone", hung_up())
        crawl(
            tmp_path / "d", [seed], concurrency=1, max_pages=2, pages_per_host=2, retries=1,
            retry_wait=5_000.0,
        )  # fmt: skip
    aside = explain(tmp_path / "d", f"{seed}3")
    assert aside.state == "set aside" and "has had 2 pages, all it may have" in aside.verdict
    again = explain(tmp_path / "d", web.url(2, "/gone"))
    assert again.state == "retrying" and again.place is not None
    assert again.place.attempts == 1 and again.place.due is not None
    assert "failed once (broken answer" in again.verdict and "is tried again at" in again.verdict


def test_an_example_page_is_a_seed_and_without_a_page_there_is_nothing_to_explain(
    tmp_path: Path,
) -> None:
    with LiveWeb(hosts=1) as web:
        example = web.add(1, "/about", page("About storms", STORM, ["/2"]))
        web.add(1, "/2", page("Hurricane", "The hurricane came with the storm."))
        crawl(tmp_path / "d", [], examples=(example,), threshold=None)
    reported = explain(tmp_path / "d", example)
    assert reported.priority is not None and reported.priority.value is None
    assert reported.relevance is not None and reported.relevance.similarity == pytest.approx(1.0)
    assert reported.relevance.nearest == f"example 1: 'About storms' ({example})"
    child = explain(tmp_path / "d", web.url(1, "/2"))
    assert [step.url for step in child.path] == [example, web.url(1, "/2")]
    with LiveWeb(hosts=1) as web:
        crawl(tmp_path / "none", [web.add(1, "/", hung_up())], retries=0)
    with pytest.raises(SettingsError, match=r"has no page 1; it has fetched none so far\."):
        explain(tmp_path / "none", 1)


def test_links_that_are_not_followed_are_counted_and_found_on_their_page(tmp_path: Path) -> None:
    with LiveWeb(hosts=1) as web:
        links = ["/far", "/far", "mailto:me@a.test", "/a.png", "/"]
        seed = web.add(1, "/", page("Storm", STORM, links))
        web.add(1, "/far", page("Far", f"{STORM} Far away.", [f"/{n}" for n in range(20)]))
        crawl(tmp_path / "d", [seed], concurrency=1, max_depth=1)
    first, far = (explain(tmp_path / "d", number).page for number in (1, 2))
    assert first is not None and first.links.found == 5
    assert (first.links.new, first.links.repeated) == (1, 1)
    assert first.links.dropped == {"other scheme": 1, "media": 1, "same page": 1}
    assert far is not None and far.links.dropped == {"too far from the seeds": 20}
    reported = explain(tmp_path / "d", web.url(1, "/19"))
    assert reported.state == "linked, not queued" and reported.searched == 2
    assert [(each.page, each.anchor) for each in reported.found_on] == [(2, "/19")]
    assert "too far from the seeds" in reported.verdict
    many = page("Storm", STORM, [f"{n}.html" for n in range(10_001)])
    folder = html_folder(tmp_path, {"index.html": many, "10000.html": page("Last", STORM)})
    reported = explain(folder, "http://w.test/10000.html")
    assert reported.verdict.endswith("as far as their links were read (1 of them with too many)")


def test_while_it_crawls(tmp_path: Path) -> None:
    reported: list[Explanation] = []
    with LiveWeb(hosts=1) as web:
        seed = web.add(1, "/", page("Storm", STORM, ["/2", "/3"]))
        web.add(1, "/2", page("Hurricane", "The hurricane came with the storm."))
        look = AtPage(2, lambda: reported.append(explain(tmp_path / "d", seed)))
        kept = crawl(tmp_path / "d", [seed], watcher=look)
    assert kept.stopped == "frontier empty"
    (one,) = reported  # up to the last commit: the seed may or may not be fetched by then
    assert one.state in ("waiting", "under way", "fetched")
    assert "not running" not in one.verdict


def test_pages_by_number_and_no_pages(live: Crawled, monkeypatch: pytest.MonkeyPatch) -> None:
    bad: list[InputError] = []
    both = explain_all(live.folder, ["ftp://a.test/", 2, 99, live.at("/")], on_bad=bad.append)
    assert [each.url for each in both] == [live.at("/storm"), live.at("/")]
    assert ["is not the URL of" in str(bad[0]), "has no page 99" in str(bad[1])] == [True, True]
    with pytest.raises(SettingsError, match="is not the URL of a page"):
        explain_all(live.folder, [2, "ftp://a.test/"])
    for terms in ["a", None, 1.5, True, -1]:
        with pytest.raises(SettingsError, match=r"terms (takes a whole number|cannot be shown)"):
            explain(live.folder, 1, terms=terms)  # type: ignore[arg-type]
    for number in range(1, 7):
        reported = explain(live.folder, number)
        by_url = explain(live.folder, reported.url)
        assert replace(reported, asked="", history=()) == replace(by_url, asked="", history=())
        assert reported.page is not None
        links = reported.page.links
        parts = (links.new, links.rescored, links.closed, links.repeated)
        assert sum(parts) + sum(links.dropped.values()) == links.found
    assert explain(live.folder, "2") == explain(live.folder, 2)
    with pytest.raises(SettingsError, match="numbered from 1 to 6"):
        explain(live.folder, 7)

    def never(*arguments: object) -> None:
        raise AssertionError("all of it was read")

    monkeypatch.setattr("scenthound.storage.stored_crawl.read_backwards", never)
    assert explain(live.folder, 2).verdict == "fetched as page 2 of 6"
