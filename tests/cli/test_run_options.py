"""``--judge``, ``--inlinks`` and ``--weights`` in every command that crawls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import scenthound as package
from cli.commands import Answer, Command, Words, refused
from cli.live_making import HTML, FakeEngine, made_run
from crawler.live_web import LiveWeb
from crawler.seed_site import add_site
from scenthound.cli.results import representation_lines, weights_lines
from scenthound.core.events import TextRepresentations
from scenthound.crawler.metrics import IN_CRAWL, OWN, WeightsUsed
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.storage.journal import read_journal
from scenthound.strategies.spec import LinkWeights

ONTOLOGY = "# topic: storm\nstorm\n  typhoon\n  rain\n    hail\n  flood (induced-by)\n"
Weighed = Callable[..., tuple[str, list[dict[str, Any]]]]


@pytest.fixture
def replay(cli: Command, storms: Words) -> Command:
    return cli.begun("replay", *storms)


@pytest.fixture
def judged(cli: Command, storms: Words, tmp_path: Path) -> Command:
    """A replay of the sample's topic with an ontology beside it."""
    path = tmp_path / "t.toml"
    path.write_text('ontology = "storms.txt"\n' + Path(storms[2]).read_text())
    (tmp_path / "storms.txt").write_text(ONTOLOGY)
    return cli.begun("replay", storms[0], "-t", path, "-s", "breadth-first", "--budget", "20")


def figures(answer: Answer) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(answer.out)["runs"][0]
    return run


def test_a_replay_is_judged_as_the_option_says(
    judged: Command, storms: Words, tmp_path: Path
) -> None:
    option = ("--judge", "ontology", "--threshold", "0.5")
    sets = ("--set", "replay.judge=ontology", "--set", "replay.threshold=0.5")
    own, by_option, by_setting = (
        figures(judged.ok("--json", "-", *more)) for more in ((), option, sets)
    )
    judges = [run["judge"] for run in (own, by_option, by_setting)]
    assert judges == ["similarity", "ontology", "ontology"]
    assert by_option["threshold"] == {"value": 0.5, "origin": "given"}
    assert own["order"] == by_option["order"] and own["final"] != by_option["final"]
    assert by_option["final"] == by_setting["final"]
    twin = package.replay(
        storms[0], package.read_topic(tmp_path / "t.toml"), "breadth-first", budget=20,
        judge="ontology", threshold=0.5,
    )  # fmt: skip
    assert twin.final.rn == by_option["final"]["rn"] and twin.judge == "ontology"
    refused(judged("--judge", "ontologie"), 'takes "similarity" or "ontology", not')
    (tmp_path / "storms.txt").unlink()
    refused(judged("--judge", "ontology"), "storms.txt")
    judged.ok()


def test_a_crawl_is_judged_as_the_option_says(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("# topic: typhoon\ntyphoon\n  storm surge\n")
    topic, out = tmp_path / "live.toml", tmp_path / "c"
    with LiveWeb(hosts=4) as web:
        add_site(web)
        seed = web.url(1, "/storm-surge.html")
        topic.write_text(
            f'name = "s"\nkeywords = ["typhoon"]\nseeds = ["{seed}"]\nontology = "o.txt"\n'
        )
        answer = cli.ok(
            "crawl", "-t", topic, "--out", out, "--allow-private", "--delay", "0", "--timeout",
            "5s", "--max-pages", "1", "--json", "-", "--judge", "ontology", "--threshold", "0.9",
        )  # fmt: skip
    run = figures(answer)
    assert (run["judge"], run["threshold"]["value"], run["final"]["rn"]) == ("ontology", 0.9, 1)
    (reported,) = json.loads(cli("explain", out, "1", "--json").out)["explanations"]
    assert {term["term"] for term in reported["relevance"]["terms"]} == {"typhoon", "storm surge"}
    assert reported["relevance"]["judge"] == "ontology"


AT = "http://storms.test/"
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


def test_a_replay_combines_as_the_option_says(
    replay: Command, storms: Words, tmp_path: Path
) -> None:
    own, mean, as_mean, last = (
        figures(replay.ok("-s", "vsm", "--budget", "40", "--json", "-", *more))
        for more in (
            (),
            ("--inlinks", "mean", "--out", tmp_path / "out"),
            ("-s", "vsm-mean"),
            ("--set", "replay.inlinks=last"),
        )
    )
    assert [run["inlinks"] for run in (own, mean, as_mean, last)] == ["max", "mean", "max", "last"]
    assert own["order"] != mean["order"] != last["order"]
    topic = package.read_topic(storms[2])
    twin = package.replay(storms[0], topic, "vsm-mean", budget=40)
    assert list(twin.order) == mean["order"] and twin.inlinks == "mean"
    settings = json.loads((tmp_path / "out" / "storms" / "vsm" / "crawl.json").read_text())
    assert settings["settings"]["inlinks"] == "mean"


def combination(cli: Command, folder: Path, url: str) -> str:
    """How the links to a page counted, as ``explain`` tells it."""
    answer = cli.ok("explain", folder, url, "--json")
    reported = json.loads(answer.out)["explanations"][0]["priority"]["combination"]
    assert isinstance(reported, str)
    return reported


def test_a_live_crawl(cli: Command, linked_proxy: str, linked_topic: Path, tmp_path: Path) -> None:
    out = tmp_path / "c"
    cli.ok(
        "crawl", "-t", linked_topic, "--out", out, "-s", "vsm", "--proxy", linked_proxy,
        "--delay", "0", "--max-pages", "2", "--concurrency", "1", "--set", "crawl.min_disk=0",
        "--inlinks", "last", "-q",
    )  # fmt: skip
    assert json.loads((out / "crawl.json").read_text())["settings"]["inlinks"] == "last"
    cli.ok("resume", out, "--max-pages", "5", "-q")
    assert json.loads((out / "crawl.json").read_text())["settings"]["inlinks"] == "last"
    assert json.loads((out / "results.json").read_text())["inlinks"] == "last"
    assert combination(cli, out, f"{AT}twice") == "last"
    scores = {e["url"]: float(str(e["priority"])) for e in read_journal(out / "journal.jsonl")
              if e["event"] == "page" and e["priority"] is not None}  # fmt: skip
    assert len(scores) == 4 and scores[f"{AT}twice"] < scores[f"{AT}once"]


def test_explain_tells_it(cli: Command, archive: Path, linked_topic: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    more = ("-s", "vsm", "--out", out, "--inlinks", "mean")
    cli.ok("replay", archive, "-t", linked_topic, "--budget", "5", *more)
    folder = out / "storms" / "vsm"
    assert combination(cli, folder, f"{AT}twice") == "mean"
    crawl_spec = json.loads((folder / "crawl.json").read_text())
    for stored, reported in (("gone", "max"), (None, "max"), ("last", "last")):
        settings = {**crawl_spec["settings"], "inlinks": stored}
        (folder / "crawl.json").write_text(json.dumps({**crawl_spec, "settings": settings}))
        assert combination(cli, folder, f"{AT}twice") == reported
    for words in (("replay", "none"), ("crawl", "--out", str(tmp_path / "c"))):
        base = (*words, "-t", linked_topic)
        refused(cli(*base, "--inlinks", "sum"), 'takes "max", "mean" or "last", not')
        answer = cli(*base, "-s", "breadth-first", "--inlinks", "mean")
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


def weighted_page(number: int) -> Response:
    words = ["storm" if n % 3 else "cake" for n in range(PAGES)]
    links = "".join(f'<p><a href="/{n}">{words[n]} {n}</a></p>' for n in range(PAGES))
    text = f"{words[number]} {chr(97 + number % 26) * (3 + number)}"
    body = f"<title>{text}</title><p>{text}.</p>{links}"
    return Response(f"http://storms.test/{number}", 200, HTML, body.encode())


@pytest.fixture(scope="module")
def weighted_proxy() -> Iterator[str]:
    with WebServer({each.url: each for each in map(weighted_page, range(PAGES))}) as server:
        yield server.proxy


@pytest.fixture
def weighed(replay: Command, tmp_path: Path) -> Weighed:
    """What a replay of 80 pages says, and the weights of its runs."""

    def run(*more: str | Path) -> tuple[str, list[dict[str, Any]]]:
        file = tmp_path / "f.json"
        answer = replay.ok("--budget", "80", "--json", file, *more)
        return answer.out, [run["weights"] for run in json.loads(file.read_text())["runs"]]

    return run


def test_a_replay_with_weights_and_one_that_learns(weighed: Weighed, weights: Path) -> None:
    out, found = weighed("-s", "vsm", "-s", "vsm-mean", "--weights", weights)
    assert f"\nstorms vsm weights: {TOLD} (from {weights})\n" in out
    values = {"full": 0.25, "anchor": 0.75}
    reported = {
        "values": values, "model": "vsm", "origin": str(weights),
        "learnt_from": None, "reason": None,
    }  # fmt: skip
    assert found == [reported, reported]
    more = ["-s", "vsm", "-s", "mcoa", "--set", "mcoa.every=30"]
    out, (own, learned) = weighed(*more)
    assert (own["origin"], own["learnt_from"]) == ("the strategy's own", None)
    assert learned["origin"] == "learnt in the crawl" and learned["learnt_from"] > 30
    assert f"(learned from {learned['learnt_from']} links)" in out
    assert "storms mcoa weights: full" in out and "storms vsm weights" not in out
    out, (_, learned) = weighed(*more, "--weights", weights)
    assert f"(from {weights}, then learned from {learned['learnt_from']} links)" in out
    assert f"storms vsm weights: {TOLD} (from {weights})" in out


def test_a_settings_file_names_weights(weighed: Weighed, weights: Path, tmp_path: Path) -> None:
    config, other = tmp_path / "c.toml", tmp_path / "other.toml"
    config.write_text('[replay]\nweights = "w.toml"\n')
    other.write_text("[weights]\ntitle = 1\n")
    given = ("-s", "vsm", "--config", config)
    _, (by_file,) = weighed(*given)
    _, (by_set,) = weighed(*given, "--set", f"replay.weights={other}")
    _, (by_option,) = weighed(*given, "--set", f"replay.weights={other}", "--weights", weights)
    assert by_file["origin"] == by_option["origin"] == str(weights)
    assert by_set["values"] == {"title": 1.0}


def test_weights_of_a_crawl(
    cli: Command, engine: FakeEngine, weights: Path, topic: Path, tmp_path: Path
) -> None:
    for strategy, text, message in [
        ("fish", WEIGHTS, "strategy 'fish' takes no weights"),
        ("vsm", "", f"{weights}: there are no weights"),
        ("vsm", "[weights]\nfull = 7\n", "the weight of 'full' must be within 0 and 1, not 7"),
        ("vsm", "weights", f"{weights} is not valid TOML"),
    ]:
        weights.write_text(text)
        more = ("-t", topic, "-s", strategy, "--weights", weights)
        refused(cli("replay", "no such archive", *more), message)
        refused(cli("crawl", "--out", tmp_path / "c", *more), message)
        assert engine.jobs == [] and not (tmp_path / "c").exists()
    weights.write_text(WEIGHTS)
    config = tmp_path / "c.toml"
    config.write_text('[crawl]\nweights = "w.toml"\n')
    words = ("crawl", "-t", topic, "-s", "vsm", "--out")
    cli.ok(*words, tmp_path / "a", "--weights", weights)
    cli.ok(*words, tmp_path / "b", "--config", config)
    cli.ok(*words, tmp_path / "c", "--set", f"crawl.weights={weights}")
    expected = LinkWeights({"full": 0.25, "anchor": 0.75}, "vsm", str(weights))
    assert [job.weights for job in engine.jobs] == [expected] * 3


def test_a_crawl_goes_on_without_the_file(
    cli: Command, weighted_proxy: str, live_topic: Path, weights: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    answer = cli.ok(
        "crawl", "-t", live_topic, "--out", out, "-s", "mcoa", "--set", "mcoa.every=8",
        "--proxy", weighted_proxy, "--delay", "0", "--max-pages", "20",
        "--set", "crawl.min_disk=0", "--weights", weights, "--concurrency", "1",
    )  # fmt: skip
    reported = f"weights: {TOLD} (from {weights}, then nothing learned in the crawl: there are "
    assert reported in answer.out and "at least 20 are needed" in answer.out
    weights.unlink()
    answer = cli.ok("resume", out, "--max-pages", str(PAGES))
    events = [e for e in read_journal(out / "journal.jsonl") if e["event"] == "revised"]
    assert events
    used = json.loads((out / "results.json").read_text())["weights"]
    assert (used["origin"], used["learnt_from"]) == (str(weights), events[-1]["links"])
    assert used["values"] == pytest.approx(events[-1]["weights"], abs=1e-5)
    assert f"(from {weights}, then learned from {used['learnt_from']} links)" in answer.out
    answer = cli("explain", out, str(PAGES))
    assert "  weights: learned from " in answer.out and ", last after page " in answer.out
    first = cli("explain", out, "2", "--json")
    (two,) = json.loads(first.out)["explanations"]
    assert two["priority"]["revised"] == {"times": 0, "after": 0, "links": 0}
    assert [part["weight"] for part in two["priority"]["parts"]] == [0.75, 0.25]


def test_lines_of_weights_and_of_ways_of_reading() -> None:
    learned = made_run(weights=WeightsUsed({"full": 0.3125}, "vsm", IN_CRAWL, 1_812))
    own = made_run(weights=WeightsUsed({"full": 0.5}, "vsm", OWN))
    idle = made_run(weights=WeightsUsed({"full": 0.25}, "vsm", OWN, 0))
    many = {f"text {n}": n / 100 for n in range(12)}
    largest = "text 11 0.11, text 10 0.10, text 9 0.09, text 8 0.08, 8 others"
    for runs, lines in [
        ([made_run(), own], []),
        ([learned], ["storms vsm weights: full 0.31 (learned from 1,812 links)"]),
        ([idle], ["storms vsm weights: full 0.25 (nothing learned in the crawl)"]),
        ([learned, own], ["storms vsm weights: full 0.31 (learned from 1,812 links)"]),
        ([made_run(weights=WeightsUsed(many, None, IN_CRAWL, 1_812))],
         [f"storms vsm weights: {largest} (learned from 1,812 links)"]),
        ([made_run(weights=WeightsUsed(many, None, OWN, 0, "it was not time."))],
         ["storms vsm weights: those of the start (nothing learned in the crawl: it was not "
          "time)"]),
    ]:  # fmt: skip
        assert weights_lines(runs) == lines
    assert len(weights_lines([learned, idle])) == 2
    words = made_run(representations=TextRepresentations(("words",)))
    both = made_run(representations=TextRepresentations(("words", "meaning"), "it is so"))
    assert representation_lines([words, words]) == ["vsm: texts were read by words"]
    reported = ["vsm: texts were read by words and meaning: it is so"]
    assert representation_lines([made_run(), both, both]) == reported
    assert representation_lines([made_run()]) == representation_lines([]) == []
