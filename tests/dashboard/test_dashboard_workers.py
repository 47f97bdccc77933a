"""Folders of workers are shown as the one crawl that they share."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from dashboard.app_asking import ask, at, open_app
from dashboard.crawl_making import append, made_crawl
from dashboard.team_making import FIRST, ID, SECOND, made_worker, marked
from scenthound.core.page_numbers import foreign
from scenthound.dashboard.roster import crawl_id
from scenthound.dashboard.worker_marks import team_id
from scenthound.store.lock import FolderLock
from scenthound.store.requests import PAUSE, STOP, Requests

TEAM = f"/api/crawls/{team_id(ID)}"


@pytest.fixture
def both(tmp_path: Path) -> Path:
    """Two workers; pages at 1, 3, 5 and at 2, 4 seconds."""
    made_worker(tmp_path / "worker-1", 1, FIRST, stopped="budget spent")
    made_worker(tmp_path / "worker-2", 2, SECOND, stopped="budget spent")
    return tmp_path


def get(folder: Path, path: str, status: int = 200) -> Any:
    answer = ask(open_app(folder), path)
    assert answer.status == status, answer.body
    return answer.json


def crawls(folder: Path) -> list[Any]:
    found: list[Any] = get(folder, "/api/crawls")["crawls"]
    return found


def test_two_folders_are_one_crawl(both: Path) -> None:
    team, first, second = crawls(both)
    assert (team["id"], team["name"], team["folder"]) == (team_id(ID), "storms", str(both))
    assert team["state"] == "finished" and team["reason"] == "budget spent"
    assert team["summary"] == {
        "fetched": 5, "relevant": 3, "failed": 2, "similarity": 1.25, "waiting": 105,
    }  # fmt: skip
    assert team["harvest"] == pytest.approx(0.6) and team["kind"] == "live"
    assert team["controls"]["why"] == "no worker is at work now"
    row = team["workers"][0]
    assert row == {
        "id": first["id"], "number": 1, "name": "w1", "state": "finished",
        "reason": "budget spent", "fetched": 3, "relevant": 2, "harvest": pytest.approx(2 / 3),
        "rate": None, "last_at": 5.0, "folder": str(both / "worker-1"), "host": "",
    }  # fmt: skip
    assert [row["fetched"] for row in team["workers"]] == [3, 2]
    assert second["team"] == {"id": team_id(ID), "name": "storms", "number": 2}
    assert second["id"] == crawl_id(both / "worker-2") and second["name"] == "w2"


def test_the_curve_is_that_of_all_pages_in_time(both: Path) -> None:
    points = get(both, f"{TEAM}/curve")["points"]
    assert [point[0] for point in points] == [1, 2, 3, 4, 5]
    assert [point[1] for point in points] == [1, 2, 2, 2, 3]
    assert [point[2] for point in points] == [1.0, 1.0, 0.66667, 0.5, 0.6]
    assert [point[4] for point in points] == [0.25] * 5
    assert [point[5] for point in points] == [101, 102, 103, 104, 105]


def test_pages_of_all_are_listed_by_time(both: Path) -> None:
    told = get(both, f"{TEAM}/pages")
    assert [(row["worker"]["name"], row["n"]) for row in told["pages"]] == [
        ("w1", 3), ("w2", 2), ("w1", 2), ("w2", 1), ("w1", 1),
    ]  # fmt: skip
    assert told["pages"][1]["key"] == foreign(2, 2)
    assert told["complete"] and told["next"] is None and told["searched"] == 5


def test_pages_are_given_in_portions(both: Path) -> None:
    seen, cursor = [], ""
    while cursor is not None:
        told = get(both, f"{TEAM}/pages?limit=2&before={cursor}")
        seen += [row["at"] for row in told["pages"]]
        cursor = told["next"]
    assert seen == [5.0, 4.0, 3.0, 2.0, 1.0]


@pytest.mark.parametrize("before", ["1", "1.x", "1.2-", "-", "99999.1", "1.2.3"])
def test_a_place_that_is_none(both: Path, before: str) -> None:
    assert "takes" in get(both, f"{TEAM}/pages?before={before}", 400)["error"]


def test_the_details_of_all(both: Path) -> None:
    told = get(both, TEAM)
    assert [row["at"] for row in told["recent"]] == [5.0, 4.0, 3.0, 2.0, 1.0]
    assert [row["at"] for row in told["latest"]] == [5.0, 2.0, 1.0]
    assert sum(host["pages"] for host in told["hosts"]) == 5
    assert told["counted"] == {"pages": 5, "whole": True} and told["hosts_whole"]
    assert told["threshold"] == 0.2 and told["frontier"]["waiting"] == 105
    assert not [row for row in told["settings"] if row[0] == "worker"]


def test_one_worker_can_be_looked_at_alone(both: Path) -> None:
    told = get(both, at(both / "worker-2"))
    assert told["summary"]["fetched"] == 2 and told["problem"] == ""
    assert [row["n"] for row in told["recent"]] == [2, 1] and "worker" not in told["recent"][0]


def test_the_way_to_a_page_leads_through_the_folders_of_others(tmp_path: Path) -> None:
    made_worker(tmp_path / "a", 1, FIRST, links={3: [foreign(2, 2)]})
    made_worker(tmp_path / "b", 2, SECOND, links={2: [1], 1: [foreign(1, 1)]})
    expected = [(1, 1), (2, 1), (2, 2), (1, 3)]
    for address in (f"{TEAM}/pages/{foreign(1, 3)}", at(tmp_path / "a", "/pages/3")):
        path = get(tmp_path, address)["path"]
        assert [(step["worker"], step["n"]) for step in path] == expected
    assert get(tmp_path, f"{TEAM}/pages/{foreign(1, 3)}")["page"]["worker"]["name"] == "w1"


def test_a_page_of_a_worker_that_is_not_shown(tmp_path: Path) -> None:
    made_worker(tmp_path / "a", 1, FIRST, links={2: [foreign(3, 12)], 3: [foreign(1, 2)]})
    path = get(tmp_path, at(tmp_path / "a", "/pages/3"))["path"]
    assert path[0] == {
        "n": 12, "url": "", "title": "page 12 of worker 3", "worker": 3, "elsewhere": True,
    }  # fmt: skip
    assert [step["n"] for step in path] == [12, 2, 3]


def test_a_way_in_a_circle_between_workers_ends(tmp_path: Path) -> None:
    made_worker(tmp_path / "a", 1, FIRST, links={1: [foreign(2, 1)]})
    made_worker(tmp_path / "b", 2, SECOND, links={1: [foreign(1, 1)]})
    path = get(tmp_path, f"{TEAM}/pages/{foreign(1, 1)}")["path"]
    assert [(step["worker"], step["n"]) for step in path] == [(2, 1), (1, 1)]


def test_pages_that_there_are_not(both: Path) -> None:
    told = get(both, f"{TEAM}/pages/{foreign(2, 9)}", 404)
    assert told["error"] == "there is no page 9 of worker 2 here."
    assert get(both, f"{TEAM}/pages/{foreign(7, 1)}", 404)
    assert get(both, f"{TEAM}/pages/3", 404)


def test_requests_are_left_in_the_folders_of_all_that_work(tmp_path: Path) -> None:
    at_work = [made_worker(tmp_path / name, n, FIRST) for n, name in enumerate("ab", 1)]
    over = made_worker(tmp_path / "c", 3, SECOND, stopped="budget spent")
    app = open_app(tmp_path)
    token = ask(app, "/").body.decode().split('token" content="')[1].split('"')[0]

    def order(action: str) -> Any:
        return ask(app, f"{TEAM}/{action}", "POST", {"x-scenthound-token": token})

    assert order("pause").status == 409
    with ExitStack() as stack:
        for folder in at_work:
            stack.enter_context(FolderLock(folder))
        assert order("pause").json["state"] == "paused"
        assert all(Requests(folder).is_left(PAUSE) for folder in at_work)
        assert order("resume").json["state"] == "running"
        assert not any(Requests(folder).is_left(PAUSE) for folder in at_work)
        assert order("stop").json["state"] == "stopping"
        assert all(Requests(folder).is_left(STOP) for folder in at_work)
        assert not Requests(over).is_left(STOP)


def test_a_worker_that_was_paused_on_its_server(tmp_path: Path) -> None:
    folder = made_worker(tmp_path / "a", 1, FIRST)
    append(folder, {"event": "paused", "at": 9.0, "budget": 10})
    with FolderLock(folder):
        team, worker = crawls(tmp_path)
    assert team["state"] == worker["state"] == "paused"
    assert not team["controls"]["resume"] and "on its server" in team["controls"]["why"]


@pytest.mark.parametrize(
    ("first", "second", "state"),
    [
        ("", "budget spent", "finished"), ("stopped", "budget spent", "stopped"),
        ("budget spent", "stopped", "finished"), ("", "", "interrupted"),
        ("error: KeyError", "budget spent", "failed"),
    ],
)  # fmt: skip
def test_a_crawl_ends_as_its_last_worker_did(
    tmp_path: Path, first: str, second: str, state: str
) -> None:
    made_worker(tmp_path / "a", 1, FIRST, stopped=first)
    made_worker(tmp_path / "b", 2, SECOND, stopped=second)
    assert crawls(tmp_path)[0]["state"] == state


def test_of_two_folders_of_one_worker_the_first_counts(tmp_path: Path) -> None:
    made_worker(tmp_path / "a", 1, FIRST)
    made_worker(tmp_path / "copy", 1, FIRST)
    team, first, copy = crawls(tmp_path)
    assert team["summary"]["fetched"] == 3 and len(team["workers"]) == 1
    assert "team" in first and "team" not in copy and copy["name"] == "copy"


def test_two_crawls_of_one_name(tmp_path: Path) -> None:
    made_worker(tmp_path / "old" / "a", 1, FIRST)
    made_worker(tmp_path / "new" / "a", 1, SECOND, id_="another")
    told = crawls(tmp_path)
    names = {crawl["name"] for crawl in told if "team" not in crawl}
    assert len(told) == 4 and names == {
        f"storms ({tmp_path / each / 'a'})" for each in ("old", "new")
    }


@pytest.mark.parametrize(
    "mark",
    [
        7, [], {}, {"crawl": "s", "id": "i", "name": "w", "number": "1"},
        {"crawl": "s", "id": "i", "name": "w", "number": 0},
        {"crawl": "s", "id": "i", "name": "w", "number": 2**40},
        {"crawl": "s", "id": None, "name": "w", "number": 1},
    ],
)  # fmt: skip
def test_a_mark_that_nobody_wrote(tmp_path: Path, mark: object) -> None:
    folder = made_crawl(tmp_path / "c", 3, kind="crawl")
    marked(folder, mark)
    (only,) = crawls(tmp_path)
    assert only["id"] == crawl_id(folder) and "workers" not in only


def test_an_id_of_strangers_is_no_part_of_an_address(tmp_path: Path) -> None:
    hostile = '"/../<script>\ud800'
    made_worker(tmp_path / "a", 1, FIRST, id_=hostile)
    team, _ = crawls(tmp_path)
    assert team["id"] == team_id(hostile) and team["id"].isalnum()


def test_a_damaged_journal_of_one_does_not_hide_the_others(both: Path) -> None:
    (both / "worker-1" / "journal.jsonl").write_bytes(b"\0nonsense\n")
    told = get(both, TEAM)
    assert told["summary"]["fetched"] == 2 and told["problem"].startswith("w1: ")
    assert [row["at"] for row in told["recent"]] == [4.0, 2.0]
    assert [point[0] for point in get(both, f"{TEAM}/curve")["points"]] == [1, 2]
