"""Replays explained: without a frontier, with policies that choose, judged by an ontology."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

import scenthound
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, page
from crawler.warning_recording import recorded_warnings
from output.corpus_making import html_web
from scenthound import Explanation, Topic, explain
from scenthound.cli.explain import print_explanation
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


def test_pages_that_were_fetched_or_not_and_what_is_left_without_files(archive: Path) -> None:
    folder = replayed(archive)
    reported = {name: explain(folder, AT + name) for name in (*PAGES, "out.html", "skip/1.html")}
    page = reported["good.html"]
    assert page.state == "fetched" and page.priority is not None and page.relevance is not None
    assert [(i.page, i.url, i.parts) for i in page.priority.inlinks] == [(1, f"{AT}index.html", ())]
    assert page.relevance.nearest == "example 1: 'Hail and wind.'"
    added = sum(term.contribution for term in page.relevance.terms)
    assert added == pytest.approx(page.relevance.similarity, abs=1e-5)
    assert page.relevance.note == ""
    seed = reported["index.html"].relevance  # examples are named as the topic writes them
    assert seed is not None
    assert seed.nearest == f"example 2: 'An example' ({AT}example.html)"
    states = {
        "poor.html": ("waiting", "it is the best of 2 that wait"),
        "out.html": ("missing", "not in the archive"),
        "skip/1.html": ("forbidden", "excluded (exclude '*/skip/*')"),
        "nofollow.html": ("linked, not queued", "nofollow"),
        "alone.html": ("unknown", "no page fetched so far links to it"),
    }
    for name, (state, words) in states.items():
        assert reported[name].state == state and words in reported[name].verdict, name
    waiting = reported["poor.html"]
    assert waiting.priority is not None and waiting.place is not None
    assert [(i.page, bool(i.parts)) for i in waiting.priority.inlinks] == [(1, True)]
    assert {part.name for part in waiting.priority.parts} == {"full", "anchor"}
    assert (waiting.place.host, waiting.place.host_had) == ("w.test", 2)
    (folder / "waiting.sqlite").unlink()  # which older versions did not write
    waiting = explain(folder, f"{AT}poor.html")
    assert waiting.state == "linked, not fetched" and "has not kept what waited" in waiting.verdict
    assert [found.page for found in waiting.found_on] == [1]
    (archive / "w.test").rename(archive.parent / "elsewhere")
    archive.rmdir()
    page = explain(folder, 2)
    assert page.relevance is not None and page.relevance.recomputed is None
    assert page.priority is not None and page.priority.value is not None
    unknown = explain(folder, f"{AT}alone.html")
    assert (unknown.state, unknown.searched, unknown.unread) == ("unknown", 2, 2)
    assert unknown.verdict.endswith("(2 of them cannot be read any more)")


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


def test_a_folder_of_replays_names_those_below(archive: Path) -> None:
    for strategy in ("vsm", "fish"):
        replayed(archive, strategy)
    with pytest.raises(FolderError) as refused:
        explain(archive.parent, 1)
    below = f"{archive.parent}/fish, {archive.parent}/vsm."
    reported = "holds no crawl itself, but folders of crawls; give one of them:"
    assert str(refused.value) == f"{archive.parent} {reported} {below}"


# Why a policy that does not simply take the best chose a page: in words and as JSON.


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
    topic = Topic("storm", keywords=("storm",), seeds=(f"{AT}0.html",))
    out = chain.parent / strategy
    with recorded_warnings():
        scenthound.replay(
            chain, topic, strategy, out=out, threshold=0.2, parameters=CHOICES[strategy][1],
        )  # fmt: skip
    return out


def order(reported: Explanation) -> str:
    assert reported.priority is not None
    return reported.priority.order  # type: ignore[no-any-return]


@pytest.mark.parametrize("strategy", list(CHOICES))
def test_why_a_page_was_chosen(chain: Path, strategy: str) -> None:
    folder = chosen(chain, strategy)
    assert order(explain(folder, 1)).startswith("a person named it")
    second = explain(folder, 2)
    assert re.match(CHOICES[strategy][0], order(second)), order(second)
    assert json.loads(json.dumps(second.to_json()))["priority"]["order"] == order(second)


def test_moaco_in_a_replay_and_in_a_live_crawl(chain: Path, tmp_path: Path) -> None:
    folder = chosen(chain, "moaco")
    reported = [order(explain(folder, n)) for n in range(1, 8)]
    starts = [each for each in reported if each.startswith("start of ant 1 in cycle 2: ")]
    assert len(starts) == 1
    assert re.search(r": best (anchor|page|target|rank|priority)", starts[0])
    with LiveWeb(hosts=1) as web:
        seed = web.add(1, "/", page("Storm", "A storm.", [("/1", "storm"), ("/2", "cake")]))
        first = web.add(1, "/1", page("Hurricane", "The hurricane came with the storm."))
        crawl(tmp_path / "d", [seed], strategy="moaco", max_pages=2, concurrency=1)
    assert order(explain(tmp_path / "d", first)).startswith("ant 1, step 1 of 9 in cycle 1: ")
    waiting = explain(tmp_path / "d", web.url(1, "/2"))
    assert waiting.state == "waiting"
    assert order(waiting) == "moaco: ants, four objectives, the keywords alone"


# Pages that an ontology judged, explained by the concepts they name.


JUDGED = {
    "index.html": "<title>Storms</title><p>Typhoon and flood.</p>"
    "<a href='same.html'>one</a> <a href='cake.html'>cake</a>",
    "same.html": "<p>A storm.</p>",
    "cake.html": "<p>Cake.</p>",
}


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """R of the second page is exactly sigma, which does not make it relevant."""
    web = html_web(tmp_path, JUDGED)
    ontology = tmp_path / "storms.txt"
    ontology.write_text("# topic: storm\nstorm\n  typhoon\n  flood (induced-by)\n")
    topic = Topic("t", ("storm",), (f"{AT}index.html",), ontology=str(ontology))
    measured = tmp_path / "measured"
    given = {"strategy": "breadth-first", "judge": "ontology"}
    scenthound.replay(web, topic, out=measured, threshold=0.0, **given)  # type: ignore[arg-type]
    relevance = explain(measured, 2).relevance
    assert relevance is not None and relevance.recomputed is not None
    out, sigma = tmp_path / "out", relevance.recomputed
    scenthound.replay(web, topic, out=out, threshold=sigma, **given)  # type: ignore[arg-type]
    ontology.unlink()
    return out


def shown(reported: Explanation) -> list[str]:
    console = Console(file=io.StringIO(), width=100, highlight=False)
    print_explanation(reported, console)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_the_concepts_of_a_page_add_up(judged: Path) -> None:
    """The ontology is gone by now: the folder has what the crawl was judged by."""
    found = explain(judged, 1, terms=2).relevance
    assert found is not None and found.recomputed is not None
    assert (found.judge, found.nearest, found.note, found.relevant) == ("ontology", "", "", True)
    assert (found.terms[0].term, found.terms[0].count, found.rest_terms) == ("storm", 1, 1)
    added = sum(term.contribution for term in found.terms) + found.rest
    assert added == pytest.approx(found.recomputed, abs=1e-9)
    assert found.recomputed == pytest.approx(found.similarity, abs=1e-5)
    lines = shown(explain(judged, 1, terms=2))
    assert "  judge:     the concepts of the ontology" in lines
    assert any(line.split() == ["concept", "on", "the", "page", "adds"] for line in lines)
    assert any(line.startswith("  1 other concepts") for line in lines)
    assert not any(line.startswith("  nearest") for line in lines)
    at_sigma = explain(judged, 2).relevance  # which is not called a copy for it
    assert at_sigma is not None and at_sigma.similarity == at_sigma.threshold
    assert (at_sigma.relevant, at_sigma.note) == (False, "")


def test_without_its_concepts_the_journal_is_left_and_without_a_judge_similarity(
    judged: Path,
) -> None:
    (judged / "concepts.json").unlink()
    found = explain(judged, 1).relevance
    assert found is not None and found.recomputed is None and found.similarity > 0.0
    assert found.note.startswith("the stored page or the topic cannot be read any more")
    spec_path = judged / "crawl.json"
    spec_path.write_text(spec_path.read_text().replace('"judge": "ontology",', ""))
    found = explain(judged, 1).relevance
    assert found is not None and (found.judge, found.nearest) == ("similarity", "the keywords")
