"""``--judge``, ``--inlinks`` and ``--weights`` in every command that crawls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scenthound as package
from cli.commands import Answer, Command, refused
from cli.live_making import FakeEngine, made_run
from crawler.live_web import LiveWeb
from crawler.seed_site import add_site
from scenthound.cli.results import representation_lines, weights_lines
from scenthound.core.events import TextRepresentations
from scenthound.crawler.link_weights import IN_CRAWL, OWN, WeightsUsed
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.storage.journal import read_journal
from scenthound.strategies.spec import LinkWeights

ONTOLOGY = "# topic: storm\nstorm\n  typhoon\n  rain\n    hail\n  flood (induced-by)\n"
NETWORK = ("--allow-private", "--delay", "0", "--timeout", "5s")


@pytest.fixture
def ontology_topic(sample: Path, tmp_path: Path) -> Path:
    """The sample's topic with an ontology beside it."""
    path = tmp_path / "t.toml"
    path.write_text('ontology = "storms.txt"\n' + (sample / "topics" / "storms.toml").read_text())
    (tmp_path / "storms.txt").write_text(ONTOLOGY)
    return path


@pytest.fixture(scope="module")
def web() -> Iterator[LiveWeb]:
    with LiveWeb(hosts=4) as served:
        add_site(served)
        yield served


def judged_replay(
    scenthound: Command, sample: Path, ontology_topic: Path, *more: str | Path
) -> Answer:
    return scenthound(
        "replay", sample / "sample.warc.gz", "-t", ontology_topic, "-s", "breadth-first",
        "--budget", "20", *more,
    )  # fmt: skip


def figures(answer: Answer) -> dict[str, Any]:
    assert answer.code == 0, answer.err
    run: dict[str, Any] = json.loads(answer.out)["runs"][0]
    return run


def test_a_replay_is_judged_as_it_is_told(
    scenthound: Command, sample: Path, ontology_topic: Path
) -> None:
    own = figures(judged_replay(scenthound, sample, ontology_topic, "--json", "-"))
    option = ("--judge", "ontology", "--threshold", "0.5")
    by_option = figures(judged_replay(scenthound, sample, ontology_topic, "--json", "-", *option))
    sets = ("--set", "replay.judge=ontology", "--set", "replay.threshold=0.5")
    by_setting = figures(judged_replay(scenthound, sample, ontology_topic, "--json", "-", *sets))
    assert (own["judge"], by_option["judge"], by_setting["judge"]) == (
        "similarity",
        "ontology",
        "ontology",
    )
    assert by_option["threshold"] == {"value": 0.5, "origin": "given"}
    assert own["order"] == by_option["order"] and own["final"] != by_option["final"]
    assert by_option["final"] == by_setting["final"]
    twin = package.replay(
        sample / "sample.warc.gz", package.read_topic(ontology_topic), "breadth-first", budget=20,
        judge="ontology", threshold=0.5,
    )  # fmt: skip
    assert twin.final.rn == by_option["final"]["rn"] and twin.judge == "ontology"


def test_what_cannot_be_is_one_sentence(
    scenthound: Command, sample: Path, ontology_topic: Path
) -> None:
    unknown = judged_replay(scenthound, sample, ontology_topic, "--judge", "ontologie")
    refused(unknown, "unknown judge 'ontologie'; did you mean 'ontology'?")
    outside = judged_replay(scenthound, sample, ontology_topic, "--threshold", "1.5")
    refused(outside, "--threshold lies within 0 and 1, not at 1.5.")
    ontology_topic.with_name("storms.txt").unlink()
    refused(judged_replay(scenthound, sample, ontology_topic, "--judge", "ontology"), "storms.txt")
    assert judged_replay(scenthound, sample, ontology_topic).code == 0


def crawled(scenthound: Command, web: LiveWeb, folder: Path, *more: str) -> Answer:
    ontology = folder / "o.txt"
    ontology.write_text("# topic: typhoon\ntyphoon\n  storm surge\n")
    ontology_topic = folder / "live.toml"
    seed = web.url(1, "/storm-surge.html")
    ontology_topic.write_text(
        f'name = "s"\nkeywords = ["typhoon"]\nseeds = ["{seed}"]\nontology = "o.txt"\n'
    )
    return scenthound("crawl", "-t", ontology_topic, "--out", folder / "c", *NETWORK, *more)


def test_a_crawl_is_judged_as_it_is_told(scenthound: Command, web: LiveWeb, tmp_path: Path) -> None:
    options = ("--max-pages", "1", "--json", "-", "--judge", "ontology", "--threshold", "0.9")
    run = figures(crawled(scenthound, web, tmp_path, *options))
    assert (run["judge"], run["threshold"]["value"], run["final"]["rn"]) == ("ontology", 0.9, 1)
    (told,) = json.loads(scenthound("explain", tmp_path / "c", "1", "--json").out)["explanations"]
    assert {term["term"] for term in told["relevance"]["terms"]} == {"typhoon", "storm surge"}
    assert told["relevance"]["judge"] == "ontology"


AT = "http://storms.test/"
HTML = (("Content-Type", "text/html"),)
LINKS = {
    "0": (("1", "cake"), ("2", "tea"), ("twice", "storm"), ("once", "storm wind")),
    "1": (("twice", "cake"),),
    "2": (("twice", "cake"),),
    "once": (), "twice": (),
}  # fmt: skip
"""The last link to "twice" is poor, the best one is good."""


def linked_pages() -> dict[str, str]:
    def body(name: str, links: tuple[tuple[str, str], ...]) -> str:
        anchors = "".join(f'<p><a href="{AT}{to}">{text}</a></p>' for to, text in links)
        return f"<title>storm {name}</title><p>A storm {name * 9}.</p>{anchors}"

    return {f"{AT}{name}": body(name, links) for name, links in LINKS.items()}


@pytest.fixture(scope="module")
def linked_proxy() -> Iterator[str]:
    web = {url: Response(url, 200, HTML, html.encode()) for url, html in linked_pages().items()}
    with WebServer(web) as server:
        yield server.proxy


@pytest.fixture
def linked_topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(f'name = "storms"\nkeywords = ["storm", "wind"]\nseeds = ["{AT}0"]\n')
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "web" / "storms.test"
    folder.mkdir(parents=True)
    for url, html in linked_pages().items():
        (folder / url.removeprefix(AT)).write_text(f"<!doctype html><html>{html}</html>")
    return tmp_path / "web"


def combined(scenthound: Command, sample: Path, *more: str | Path) -> dict[str, Any]:
    file = sample / "inlinks-figures.json"
    answer = scenthound(
        "replay", sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml",
        "-s", "vsm", "--budget", "40", "--json", file, *more,
    )  # fmt: skip
    assert answer.code == 0, answer.err
    run: dict[str, Any] = json.loads(file.read_text())["runs"][0]
    return run


def test_a_replay_combines_as_it_is_told(scenthound: Command, sample: Path, tmp_path: Path) -> None:
    own = combined(scenthound, sample)
    mean = combined(scenthound, sample, "--inlinks", "mean", "--out", tmp_path / "out")
    as_mean = combined(scenthound, sample, "-s", "vsm-mean")
    last = combined(scenthound, sample, "--set", "replay.inlinks=last")
    assert [run["inlinks"] for run in (own, mean, as_mean, last)] == ["max", "mean", "max", "last"]
    assert own["order"] != mean["order"] != last["order"]
    twin = package.replay(
        sample / "sample.warc.gz", package.read_topic(sample / "topics" / "storms.toml"),
        "vsm-mean", budget=40,
    )  # fmt: skip
    assert list(twin.order) == mean["order"] and twin.inlinks == "mean"
    settings = json.loads((tmp_path / "out" / "storms" / "vsm" / "crawl.json").read_text())
    assert settings["settings"]["inlinks"] == "mean"


def combination(scenthound: Command, folder: Path, url: str) -> str:
    """How the links to a page counted, as ``explain`` tells it."""
    answer = scenthound("explain", folder, url, "--json")
    assert answer.code == 0, answer.err
    told = json.loads(answer.out)["explanations"][0]["priority"]["combination"]
    assert isinstance(told, str)
    return told


def test_a_live_crawl_goes_on_as_it_began(
    scenthound: Command, linked_proxy: str, linked_topic: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    answer = scenthound(
        "crawl", "-t", linked_topic, "--out", out, "-s", "vsm", "--proxy", linked_proxy,
        "--delay", "0", "--max-pages", "2", "--concurrency", "1", "--set", "crawl.min_disk=0",
        "--inlinks", "last", "-q",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert json.loads((out / "crawl.json").read_text())["settings"]["inlinks"] == "last"
    assert scenthound("resume", out, "--max-pages", "5", "-q").code == 0
    assert json.loads((out / "crawl.json").read_text())["settings"]["inlinks"] == "last"
    assert json.loads((out / "results.json").read_text())["inlinks"] == "last"
    assert combination(scenthound, out, f"{AT}twice") == "last"
    scores = {e["url"]: float(str(e["priority"])) for e in read_journal(out / "journal.jsonl")
              if e["event"] == "page" and e["priority"] is not None}  # fmt: skip
    assert len(scores) == 4 and scores[f"{AT}twice"] < scores[f"{AT}once"]


def test_explain_tells_the_one_in_force(
    scenthound: Command, archive: Path, linked_topic: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    more = ("-s", "vsm", "--out", out, "--inlinks", "mean")
    assert scenthound("replay", archive, "-t", linked_topic, "--budget", "5", *more).code == 0
    folder = out / "storms" / "vsm"
    assert combination(scenthound, folder, f"{AT}twice") == "mean"
    crawl_spec = json.loads((folder / "crawl.json").read_text())
    for stored, told in (("gone", "max"), (None, "max"), ("last", "last")):
        settings = {**crawl_spec["settings"], "inlinks": stored}
        (folder / "crawl.json").write_text(json.dumps({**crawl_spec, "settings": settings}))
        assert combination(scenthound, folder, f"{AT}twice") == told


def test_bad_inlinks(scenthound: Command, linked_topic: Path, tmp_path: Path) -> None:
    for words in (("replay", "none"), ("crawl", "--out", str(tmp_path / "c"))):
        base = (*words, "-t", linked_topic)
        refused(scenthound(*base, "--inlinks", "sum"), "give max, mean or last as inlinks")
        answer = scenthound(*base, "-s", "breadth-first", "--inlinks", "mean")
        refused(answer, "'breadth-first' scores all links to a page alike")
    assert not (tmp_path / "c").exists()


PAGES = 40
WEIGHTS = 'model = "vsm"\n[weights]\nfull = 0.25\nanchor = 0.75\n'
TOLD = "full 0.25, anchor 0.75"


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "w.toml"
    path.write_text(WEIGHTS)
    return path


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://storms.test/0"]\n')
    return path


def weighted_page(number: int) -> Response:
    words = ["storm" if n % 3 else "cake" for n in range(PAGES)]
    links = "".join(f'<p><a href="/{n}">{words[n]} {n}</a></p>' for n in range(PAGES))
    text = f"{words[number]} {chr(97 + number % 26) * (3 + number)}"
    body = f"<title>{text}</title><p>{text}.</p>{links}"
    return Response(f"http://storms.test/{number}", 200, HTML, body.encode())


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    with WebServer({each.url: each for each in map(weighted_page, range(PAGES))}) as server:
        yield server.proxy


def replayed(
    scenthound: Command, sample: Path, *more: str | Path
) -> tuple[Answer, list[dict[str, Any]]]:
    """What the command says, and the weights of its runs."""
    file = sample / "weights-figures.json"
    answer = scenthound(
        "replay", sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml",
        "--budget", "80", "--json", file, *more,
    )  # fmt: skip
    assert answer.code == 0, answer.err
    return answer, [run["weights"] for run in json.loads(file.read_text())["runs"]]


def test_a_replay_with_weights_says_so(scenthound: Command, sample: Path, weights: Path) -> None:
    answer, found = replayed(
        scenthound, sample, "-s", "vsm", "-s", "vsm-mean", "--weights", weights
    )
    assert f"\nweights: {TOLD} (from {weights})\n" in answer.out
    values = {"full": 0.25, "anchor": 0.75}
    told = {
        "values": values, "model": "vsm", "origin": str(weights),
        "learnt_from": None, "reason": None,
    }  # fmt: skip
    assert found == [told, told]


def test_a_replay_that_learns_says_what(scenthound: Command, sample: Path, weights: Path) -> None:
    more = ["-s", "vsm", "-s", "mcoa", "--set", "mcoa.every=30"]
    answer, (own, learnt) = replayed(scenthound, sample, *more)
    assert (own["origin"], own["learnt_from"]) == ("the strategy's own", None)
    assert learnt["origin"] == "learnt in the crawl" and learnt["learnt_from"] > 30
    assert f"(learned from {learnt['learnt_from']} links)" in answer.out
    assert "storms mcoa weights: full" in answer.out and "storms vsm weights" not in answer.out
    answer, (_, learnt) = replayed(scenthound, sample, *more, "--weights", weights)
    assert f"(from {weights}, then learned from {learnt['learnt_from']} links)" in answer.out
    assert f"storms vsm weights: {TOLD} (from {weights})" in answer.out


def test_a_settings_file_may_name_the_weights(
    scenthound: Command, sample: Path, weights: Path, tmp_path: Path
) -> None:
    config, other = tmp_path / "c.toml", tmp_path / "other.toml"
    config.write_text('[replay]\nweights = "w.toml"\n')
    other.write_text("[weights]\ntitle = 1\n")
    _, (by_file,) = replayed(scenthound, sample, "-s", "vsm", "--config", config)
    assert by_file["origin"] == str(weights)
    given = ["-s", "vsm", "--config", str(config), "--set", f"replay.weights={other}"]
    _, (by_set,) = replayed(scenthound, sample, *given)
    assert by_set["values"] == {"title": 1.0}
    _, (by_option,) = replayed(scenthound, sample, *given, "--weights", weights)
    assert by_option["origin"] == str(weights)


def test_weights_that_a_strategy_cannot_use(
    scenthound: Command,
    engine: FakeEngine,
    sample: Path,
    weights: Path,
    topic: Path,
    tmp_path: Path,
) -> None:
    for strategy, message in [
        ("fish", "strategy 'fish' takes no weights"),
        ("breadth-first", "choose a strategy that can use them (vsm, "),
        ("soft-svsm", "has the text model 'soft-svsm'"),
    ]:
        more = ("-s", strategy, "--weights", weights)
        refused(scenthound("replay", "no such archive", "-t", topic, *more), message)
        refused(scenthound("crawl", "-t", topic, "--out", tmp_path / "c", *more), message)
        assert engine.jobs == [] and not (tmp_path / "c").exists()


def test_files_that_hold_no_weights(scenthound: Command, topic: Path, weights: Path) -> None:
    for text, message in [
        ("", "there are no weights"),
        ("[weights]\nfull = 7\n", "the weight of 'full' must be within 0 and 1, not 7"),
        ("[weights]\nfull = 0\n", "all weights are 0"),
        ("[weights]\nanchr = 1\n", "did you mean 'anchor'"),
        ("weights", "is not valid TOML"),
    ]:
        weights.write_text(text)
        answer = scenthound("replay", "x", "-t", topic, "-s", "vsm", "--weights", weights)
        refused(answer, f"{weights}", message)


def test_a_crawl_with_weights(
    scenthound: Command, engine: FakeEngine, topic: Path, weights: Path, tmp_path: Path
) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[crawl]\nweights = "w.toml"\n')
    words = ("crawl", "-t", topic, "-s", "vsm", "--out")
    assert scenthound(*words, tmp_path / "a", "--weights", weights).code == 0
    assert scenthound(*words, tmp_path / "b", "--config", config).code == 0
    assert scenthound(*words, tmp_path / "c", "--set", f"crawl.weights={weights}").code == 0
    expected = LinkWeights({"full": 0.25, "anchor": 0.75}, "vsm", str(weights))
    assert [job.weights for job in engine.jobs] == [expected] * 3


def test_a_crawl_goes_on_without_the_file(
    scenthound: Command, proxy: str, topic: Path, weights: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    answer = scenthound(
        "crawl", "-t", topic, "--out", out, "-s", "mcoa", "--set", "mcoa.every=8", "--proxy", proxy,
        "--delay", "0", "--max-pages", "20", "--set", "crawl.min_disk=0", "--weights", weights,
        "--concurrency", "1",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    told = f"weights: {TOLD} (from {weights}, then nothing learned in the crawl: there are "
    assert told in answer.out and "at least 20 are needed" in answer.out
    weights.unlink()
    answer = scenthound("resume", out, "--max-pages", str(PAGES))
    assert answer.code == 0, answer.err
    events = [e for e in read_journal(out / "journal.jsonl") if e["event"] == "revised"]
    assert events
    used = json.loads((out / "results.json").read_text())["weights"]
    assert (used["origin"], used["learnt_from"]) == (str(weights), events[-1]["links"])
    assert used["values"] == pytest.approx(events[-1]["weights"], abs=1e-5)
    assert f"(from {weights}, then learned from {used['learnt_from']} links)" in answer.out
    answer = scenthound("explain", out, str(PAGES))
    assert "  weights: learned from " in answer.out and ", last after page " in answer.out
    first = scenthound("explain", out, "2", "--json")
    (two,) = json.loads(first.out)["explanations"]
    assert two["priority"]["revised"] == {"times": 0, "after": 0, "links": 0}
    assert [part["weight"] for part in two["priority"]["parts"]] == [0.75, 0.25]


def test_lines() -> None:
    learnt = made_run(weights=WeightsUsed({"full": 0.3125}, "vsm", IN_CRAWL, 1_812))
    own = made_run(weights=WeightsUsed({"full": 0.5}, "vsm", OWN))
    idle = made_run(weights=WeightsUsed({"full": 0.25}, "vsm", OWN, 0))
    assert weights_lines([made_run(), own]) == []
    assert weights_lines([learnt]) == ["weights: full 0.31 (learned from 1,812 links)"]
    assert weights_lines([idle]) == ["weights: full 0.25 (nothing learned in the crawl)"]
    (line,) = weights_lines([learnt, own])
    assert line == "storms vsm weights: full 0.31 (learned from 1,812 links)"
    assert len(weights_lines([learnt, idle])) == 2


def test_of_many_weights_the_largest_are_told() -> None:
    many = {f"text {n}": n / 100 for n in range(12)}
    learnt = made_run(weights=WeightsUsed(many, None, IN_CRAWL, 1_812))
    idle = made_run(weights=WeightsUsed(many, None, OWN, 0, "it was not time."))
    largest = "text 11 0.11, text 10 0.10, text 9 0.09, text 8 0.08, 8 others"
    assert weights_lines([learnt]) == [f"weights: {largest} (learned from 1,812 links)"]
    told = "those of the start (nothing learned in the crawl: it was not time)"
    assert weights_lines([idle]) == [f"weights: {told}"]


def test_the_ways_of_reading_are_told_once() -> None:
    words = made_run(representations=TextRepresentations(("words",)))
    both = made_run(representations=TextRepresentations(("words", "meaning"), "it is so"))
    assert representation_lines([words, words]) == ["texts were read by words"]
    assert representation_lines([made_run(), both, both]) == [
        "vsm: texts were read by words and meaning: it is so"
    ]
    assert representation_lines([made_run()]) == representation_lines([]) == []
