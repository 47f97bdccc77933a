"""Why a policy that does not simply take the best chose a page: in words and as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import scenthound
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, page
from scenthound import Explanation, Topic, explain

AT = "http://w.test/"
STEP = r"ant \d+, step \d of 2 in cycle 1: chance \d\.\d\d by anchor \d\.\d\d, target \d\.\d\d and "
CHOICES: dict[str, tuple[str, dict[str, int]]] = {
    "moaco": (STEP, {"steps": 2}),
    "annealing": (r"drawn at random; chance 1\.00 at temperature 0\.\d+", {}),
    "wseo": (r"generation 1: member of the bank, (the first|far from|better|from the front)", {}),
    "best-first-ontology": (r"the best score first", {}),
}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A chain of five pages, and two links beside it."""
    folder = tmp_path / "web" / "w.test"
    folder.mkdir(parents=True)
    for n in range(5):
        more = "<a href='x.html'>cake</a> <a href='y.html'>storm</a>" if not n else ""
        html = f"<title>{n}</title><p>A storm.</p><a href='{n + 1}.html'>storm</a>{more}"
        (folder / f"{n}.html").write_text(html)
    for name in ("x", "y"):
        (folder / f"{name}.html").write_text("<p>Tea.</p>")
    return tmp_path / "web"


def replayed(archive: Path, strategy: str) -> Path:
    topic = Topic("storm", keywords=("storm",), seeds=(f"{AT}0.html",))
    out = archive.parent / strategy
    warned: list[str] = []
    scenthound.replay(
        archive, topic, strategy, out=out, threshold=0.2, parameters=CHOICES[strategy][1],
        warn=warned.append,
    )  # fmt: skip
    return out


def order(told: Explanation) -> str:
    assert told.priority is not None
    return told.priority.order  # type: ignore[no-any-return]


@pytest.mark.parametrize("strategy", list(CHOICES))
def test_why_a_page_was_chosen(archive: Path, strategy: str) -> None:
    folder = replayed(archive, strategy)
    assert order(explain(folder, 1)).startswith("a person named it")
    second = explain(folder, 2)
    assert re.match(CHOICES[strategy][0], order(second)), order(second)
    assert json.loads(json.dumps(second.to_json()))["priority"]["order"] == order(second)


def test_which_objective_put_a_link_on_the_front(archive: Path) -> None:
    folder = replayed(archive, "moaco")
    told = [order(explain(folder, n)) for n in range(1, 8)]
    starts = [each for each in told if each.startswith("start of ant 1 in cycle 2: ")]
    assert len(starts) == 1
    assert re.search(r": best (anchor|page|target|rank|priority)", starts[0])


def test_live_crawl_tells_of_pages_and_of_what_waits(tmp_path: Path) -> None:
    with LiveWeb(hosts=1) as web:
        seed = web.add(1, "/", page("Storm", "A storm.", [("/1", "storm"), ("/2", "cake")]))
        first = web.add(1, "/1", page("Hurricane", "The hurricane came with the storm."))
        crawl(tmp_path / "d", [seed], strategy="moaco", max_pages=2, concurrency=1)
    assert order(explain(tmp_path / "d", first)).startswith("ant 1, step 1 of 9 in cycle 1: ")
    waiting = explain(tmp_path / "d", web.url(1, "/2"))
    assert waiting.state == "waiting"
    assert order(waiting) == "moaco: ants, four objectives, the keywords alone"
