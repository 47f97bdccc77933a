"""A replay explained: it keeps no frontier, and its pages lie in the archive."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import scenthound
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, page
from crawler.warning_recording import recorded_warnings
from output.corpus_making import html_web
from scenthound import Explanation, Topic, explain
from scenthound.core.errors import FolderError

AT = "http://w.test/"
PAGES = {
    "index.html": "<title>Storms</title><p>A storm and hail.</p>"
    "<a href='good.html'>storm</a> <a href='poor.html'>cake</a> <a href='out.html'>gone</a>"
    "<a href='skip/1.html'>storm</a><a href='nofollow.html' rel=nofollow>storm</a>",
    "good.html": "<title>A good one</title><p>Storm and hail and wind.</p>",
    "poor.html": "<title>A poor one</title><p>Cake and tea.</p>",
    "nofollow.html": "<title>Not wanted</title><p>Storm.</p>",
    "alone.html": "<title>Alone</title><p>Storm.</p>",
    "example.html": "<title>An example</title><p>Storm, hail and thunder.</p>",
}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return html_web(tmp_path, PAGES)


def replayed(archive: Path, strategy: str = "vsm", budget: int = 2) -> Path:
    topic = Topic(
        "t", keywords=("storm",), seeds=(f"{AT}index.html",), exclude=("*/skip/*",),
        examples=("Hail and wind.", f"{AT}example.html"),
    )  # fmt: skip
    out = archive.parent / strategy
    scenthound.replay(archive, topic, strategy, budget=budget, out=out, threshold=0.2)
    return out


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Explanation]:
    folder = replayed(html_web(tmp_path_factory.mktemp("told"), PAGES))
    return {name: explain(folder, AT + name) for name in (*PAGES, "out.html", "skip/1.html")}


def test_a_page_has_its_priority_and_its_relevance(told: dict[str, Explanation]) -> None:
    page = told["good.html"]
    assert page.state == "fetched" and page.priority is not None and page.relevance is not None
    assert [(i.page, i.url, i.parts) for i in page.priority.inlinks] == [(1, f"{AT}index.html", ())]
    assert page.relevance.nearest == "example 1: 'Hail and wind.'"
    added = sum(term.contribution for term in page.relevance.terms)
    assert added == pytest.approx(page.relevance.similarity, abs=1e-5)
    assert page.relevance.note == ""
    seed = told["index.html"].relevance  # examples are named as the topic writes them
    assert seed is not None
    assert seed.nearest == f"example 2: 'An example' ({AT}example.html)"


def test_what_was_not_fetched(told: dict[str, Explanation]) -> None:
    states = {
        "poor.html": ("waiting", "it is the best of 2 that wait"),
        "out.html": ("missing", "not in the archive"),
        "skip/1.html": ("forbidden", "excluded (exclude '*/skip/*')"),
        "nofollow.html": ("linked, not queued", "nofollow"),
        "alone.html": ("unknown", "no page fetched so far links to it"),
    }
    for name, (state, words) in states.items():
        assert told[name].state == state and words in told[name].verdict, name


def test_what_waits_has_its_evidence(archive: Path) -> None:
    folder = replayed(archive)
    told = explain(folder, f"{AT}poor.html")
    assert told.priority is not None and told.place is not None
    assert [(i.page, bool(i.parts)) for i in told.priority.inlinks] == [(1, True)]
    assert {part.name for part in told.priority.parts} == {"full", "anchor"}
    assert (told.place.host, told.place.host_had) == ("w.test", 2)
    (folder / "waiting.sqlite").unlink()  # which older versions did not write
    told = explain(folder, f"{AT}poor.html")
    assert told.state == "linked, not fetched" and "has not kept what waited" in told.verdict
    assert [found.page for found in told.found_on] == [1]


def test_a_strategy_that_predicts_nothing_says_so(archive: Path) -> None:
    links = "links in the order they were found"
    plain = explain(replayed(archive, "breadth-first", budget=3), 2).priority
    assert plain is not None and not plain.scored
    assert (plain.value, plain.order) == (None, f"breadth-first estimates no relevance: {links}")
    fish = explain(replayed(archive, "fish", budget=3), 2).priority
    assert fish is not None and fish.scored and fish.value is None
    links = "links of relevant pages first, the others die out"
    assert fish.order == f"fish estimates no relevance: {links}"
    steps = pytest.approx(1 / 3, abs=1e-4)
    assert {part.name: part.weight for part in fish.parts} == {"page": 0.0, "steps": steps}
    drawn = explain(replayed(archive, "random", budget=1), f"{AT}poor.html")
    assert "the next one is drawn" in drawn.verdict
    assert drawn.priority is not None and drawn.priority.value is None
    why = "random estimates no relevance: any waiting link, each as likely as another"
    assert drawn.priority.order == why


def test_without_its_archive_the_journal_is_left(archive: Path) -> None:
    folder = replayed(archive)
    (archive / "w.test").rename(archive.parent / "elsewhere")
    archive.rmdir()
    page = explain(folder, 2)
    assert page.relevance is not None and page.relevance.recomputed is None
    assert page.priority is not None and page.priority.value is not None
    unknown = explain(folder, f"{AT}alone.html")
    assert (unknown.state, unknown.searched, unknown.unread) == ("unknown", 2, 2)
    assert unknown.verdict.endswith("(2 of them cannot be read any more)")


def test_a_folder_of_replays_names_those_below(archive: Path) -> None:
    for strategy in ("vsm", "fish"):
        replayed(archive, strategy)
    with pytest.raises(FolderError) as refused:
        explain(archive.parent, 1)
    below = f"{archive.parent}/fish, {archive.parent}/vsm."
    told = "holds no crawl itself, but folders of crawls; give one of them:"
    assert str(refused.value) == f"{archive.parent} {told} {below}"


# Why a policy that does not simply take the best chose a page: in words and as JSON.


SITE = "http://w.test/"
STEP = r"ant \d+, step \d of 2 in cycle 1: chance \d\.\d\d by anchor \d\.\d\d, target \d\.\d\d and "
CHOICES: dict[str, tuple[str, dict[str, int]]] = {
    "moaco": (STEP, {"steps": 2}),
    "annealing": (r"drawn at random; chance 1\.00 at temperature 0\.\d+", {}),
    "wseo": (r"generation 1: member of the bank, (the first|far from|better|from the front)", {}),
    "best-first-ontology": (r"the best score first", {}),
}


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """A chain of five pages, and two links beside it."""
    files = {"x.html": "<p>Tea.</p>", "y.html": "<p>Tea.</p>"}
    for n in range(5):
        more = "<a href='x.html'>cake</a> <a href='y.html'>storm</a>" if not n else ""
        link = f"<a href='{n + 1}.html'>storm</a>{more}"
        files[f"{n}.html"] = f"<title>{n}</title><p>A storm.</p>{link}"
    return html_web(tmp_path, files)


def chosen(chain: Path, strategy: str) -> Path:
    topic = Topic("storm", keywords=("storm",), seeds=(f"{SITE}0.html",))
    out = chain.parent / strategy
    with recorded_warnings():
        scenthound.replay(
            chain, topic, strategy, out=out, threshold=0.2, parameters=CHOICES[strategy][1],
        )  # fmt: skip
    return out


def order(told: Explanation) -> str:
    assert told.priority is not None
    return told.priority.order  # type: ignore[no-any-return]


@pytest.mark.parametrize("strategy", list(CHOICES))
def test_why_a_page_was_chosen(chain: Path, strategy: str) -> None:
    folder = chosen(chain, strategy)
    assert order(explain(folder, 1)).startswith("a person named it")
    second = explain(folder, 2)
    assert re.match(CHOICES[strategy][0], order(second)), order(second)
    assert json.loads(json.dumps(second.to_json()))["priority"]["order"] == order(second)


def test_which_objective_put_a_link_on_the_front(chain: Path) -> None:
    folder = chosen(chain, "moaco")
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
