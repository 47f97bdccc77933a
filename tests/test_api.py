"""The package from Python: live crawls, the vector cache, topics and what is reported of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scenthound
from crawler.warning_recording import recorded_warnings
from scenthound import (
    CATALOGUE,
    CrawlOptions,
    InputError,
    Recipe,
    ScenthoundWarning,
    Status,
    Topic,
    topic_graph,
    understand,
)
from scenthound.core.errors import FolderError, SettingsError, TopicError
from scenthound.core.events import Event, PageEvent
from scenthound.core.protocols import Scorer
from scenthound.crawler.argument_checks import command
from scenthound.evaluation import tune
from scenthound.evaluation.link_collection import collect_links
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.storage.archive import open_archive
from scenthound.storage.folder import CrawlFolder
from scenthound.strategies.spec import StrategyContext
from text.wordnet_building import write

SEED = "http://storms.test/"
TOPIC = Topic("storms", ("storm",), (SEED,))
HTML = b'<title>Storms</title><p>A storm.</p><a href="/a">hail</a> <a href="/b">gale</a>'


@dataclass
class Notes:
    """A watcher that writes everything down."""

    pages: list[str] = field(default_factory=list)
    looks: list[Status] = field(default_factory=list)

    def saw(self, event: Event) -> None:
        if isinstance(event, PageEvent):
            self.pages.append(event.url)

    def look(self, status: Status) -> None:
        self.looks.append(status)


@pytest.fixture(scope="module")
def options() -> Iterator[CrawlOptions]:
    html = (("Content-Type", "text/html"),)
    pages = [Response(SEED, 200, html, HTML)] + [
        Response(f"{SEED}{name}", 200, html, f"<p>All of {name * 9} and its storm.</p>".encode())
        for name in "ab"
    ]
    with WebServer({page.url: page for page in pages}) as server:
        yield CrawlOptions(max_pages=2, delay=0.0, proxy=server.proxy, min_disk=0)


def test_crawl_and_resume(options: CrawlOptions, tmp_path: Path) -> None:
    notes, spec = Notes(), replace(CATALOGUE["vsm"], name="mine")
    run = scenthound.crawl(TOPIC, tmp_path / "c", spec, options=options, watcher=notes)
    assert (run.strategy, run.fetched, run.stopped) == ("mine", 2, "budget spent")
    assert notes.pages[0] == SEED and len(notes.pages) == 2
    assert notes.looks[-1].summary.fetched == 2
    opened = scenthound.open_crawl(tmp_path / "c")
    run = opened.resume(max_pages=9, strategy=spec, watcher=notes)
    assert (run.fetched, run.stopped) == (3, "frontier empty")
    assert set(notes.pages) == {SEED, f"{SEED}a", f"{SEED}b"}


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    crawl: dict[str, Any] = {"topic": TOPIC, "out": tmp_path / "c", "strategy": "vsm"}
    replay: dict[str, Any] = {"archive": tmp_path, "topic": TOPIC}
    cases: list[tuple[Callable[..., object], dict[str, Any], str]] = [
        (scenthound.crawl, {**crawl, "strategy": "shark", "parameters": {"decay": 7.0}}, "decay"),
        (scenthound.crawl, {**crawl, "strategy": "oracle"}, "only replays archives"),
        (scenthound.crawl, {**crawl, "topic": "storms.toml"},
         r"topic takes a Topic, not 'storms.toml'; .* read_topic"),
        (scenthound.crawl, {**crawl, "out": 7}, "out takes a path, not a value of type int."),
        (scenthound.crawl, {**crawl, "out": ""}, "out is an empty path"),
        (scenthound.crawl, {**crawl, "strategy": 7}, "strategy takes a name or a StrategySpec"),
        (scenthound.crawl, {**crawl, "options": {"max_pages": 5}},
         r"options takes CrawlOptions\(...\)"),
        (scenthound.crawl, {**crawl, "parameters": [1]}, "parameters takes a dict"),
        (scenthound.crawl, {**crawl, "wordnet": 7}, "wordnet takes the path"),
        (scenthound.resume, {"folder": 7}, "folder takes a path"),
        (scenthound.resume, {"folder": tmp_path, "max_pages": "9"},
         "max_pages takes a whole number, not '9'."),
        (scenthound.resume, {"folder": tmp_path, "max_time": "soon"}, "max_time takes a time"),
        (scenthound.replay, {**replay, "topic": "storms"}, "topic takes a Topic"),
        (scenthound.replay, {**replay, "archive": None}, "archive takes a path, not None"),
        (scenthound.understand, {"topic": "storms"}, "topic takes a Topic"),
        (scenthound.topic_graph, {"topic": "storms"}, "topic takes a Topic"),
    ]  # fmt: skip
    for function, given, message in cases:
        with pytest.raises(SettingsError, match=message):
            function(**given)
        assert not (tmp_path / "c").exists()
    for ask in [scenthound.pause, scenthound.unpause, scenthound.stop]:
        assert callable(ask)
        with pytest.raises(FolderError, match="holds no crawl"):
            ask(tmp_path)


def test_commands_can_be_pasted_into_a_shell() -> None:
    for folder, typed in [
        ("storms", "scenthound resume storms --max-pages 9"),
        ("x1 \u00fc\u2602", "scenthound resume 'x1 \u00fc\u2602' --max-pages 9"),
        ("it's; rm", "scenthound resume 'it'\"'\"'s; rm' --max-pages 9"),
        ("-q", "scenthound resume ./-q --max-pages 9"),
    ]:
        assert command("resume", folder, "--max-pages", "9") == typed


def test_the_crawl_object(options: CrawlOptions, tmp_path: Path) -> None:
    topic = replace(TOPIC, examples=(f"{SEED}gone",))
    with pytest.warns(ScenthoundWarning, match="gone") as heard:
        crawl = scenthound.crawl(topic, tmp_path / "c", "vsm", options=options)
    assert heard[0].filename == __file__
    assert crawl.result is not None and crawl.fetched == crawl.result.fetched == 2
    opened = scenthound.open_crawl(tmp_path / "c")
    assert (opened.result, opened.folder) == (None, tmp_path / "c")
    assert (opened.status().state, opened.status().pages) == ("finished", 2)
    assert next(page["url"] for page in opened.pages(text=False)) == SEED
    assert opened.export(tmp_path / "c.jsonl", text=False).rows == 2
    assert opened.explain(1).url == SEED
    with pytest.raises(AttributeError, match="no attribute 'fetched'"):
        opened.fetched  # noqa: B018
    with pytest.raises(FolderError, match="no crawl is running"):
        opened.stop()
    with pytest.raises(FolderError):
        scenthound.open_crawl(tmp_path / "nowhere")


KEY = b"k" * 16


@dataclass
class Encoding:
    """A strategy that keeps a vector when it is made, and says if it was there."""

    found: list[bool | None] = field(default_factory=list)

    def scorer(self, strategy_context: StrategyContext) -> Scorer:
        cache = strategy_context.equipment.cache
        self.found.append(None if cache is None else KEY in cache.find("m", [KEY]))
        if cache is not None:
            cache.keep("m", {KEY: np.ones(3, dtype=np.float16)})
        return CATALOGUE["vsm"].scorer(strategy_context)  # type: ignore[no-any-return]

    @property
    def spec(self) -> Recipe:
        return replace(CATALOGUE["vsm"], name="encoding", scorer=self.scorer)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "web" / "storms.test"
    folder.mkdir(parents=True)
    (folder / "index.html").write_bytes(HTML)
    return tmp_path / "web"


def test_replays_share_it(archive: Path, tmp_path: Path) -> None:
    empty = scenthound.CacheReport(tmp_path / "c", 0, {})
    assert scenthound.cache_report(tmp_path / "c") == empty
    scenthound.clear_cache(tmp_path / "c")
    assert not (tmp_path / "c").exists()
    (tmp_path / "file").touch()
    for ask in (scenthound.cache_report, scenthound.clear_cache):
        with pytest.raises(scenthound.InputError, match="is no folder"):
            ask(tmp_path / "file")
    encoding, topic = Encoding(), replace(TOPIC, seeds=(f"{SEED}index.html",))
    for cache in (tmp_path / "c", tmp_path / "c", "none", str(tmp_path / "d")):
        scenthound.replay(archive, topic, encoding.spec, cache=cache, cache_limit="5MB")
    assert encoding.found == [False, True, None, False]
    held = scenthound.cache_report(tmp_path / "c")
    assert held.entries == {"m": 1} and held.folder == tmp_path / "c"
    scenthound.clear_cache(tmp_path / "c")
    assert scenthound.cache_report(str(tmp_path / "c")).entries == {}


def test_a_live_crawl_uses_it_again(options: CrawlOptions, tmp_path: Path) -> None:
    encoding, out, cache = Encoding(), tmp_path / "out", tmp_path / "c"
    first = options.changed(max_pages=1)
    scenthound.crawl(TOPIC, out, encoding.spec, options=first, cache=cache)
    assert encoding.found == [False] and cache.is_dir()
    scenthound.resume(out, max_pages=2, strategy=encoding.spec)
    assert encoding.found == [False, True]


def test_tuning_gets_it(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders: list[Path] = []

    def noted(source: Any, topic: Any, plan: Any, *more: Any) -> Any:
        folders.append(plan.equipment.cache.folder)
        return collect_links(source, topic, plan, *more)

    monkeypatch.setattr(tune, "collect_links", noted)
    topic = replace(TOPIC, seeds=(f"{SEED}index.html",))
    with pytest.warns(ScenthoundWarning, match="links of the 1,000 wanted"):
        scenthound.tune(archive, topic, model="vsm", cache=tmp_path / "c", cache_limit=5_000_000)
    assert folders == [tmp_path / "c"] and not (tmp_path / "c").exists()


BY_MEANING = replace(CATALOGUE["ssrm"], uses_wordnet=True)
BY_WORDS = replace(CATALOGUE["vsm"], uses_wordnet=False)
PAGE = "<title>Storms</title><p>A storm and hail.</p>"


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """An archive of one page with text, and one without."""
    folder = tmp_path / "web" / "w.test"
    folder.mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "empty.html").write_text("<body></body>")
    (folder / "signs.html").write_text("<p>the ... and !!!</p>")
    return tmp_path / "web"


def reported(web: Path, by_meaning: bool = True, **fields: object) -> list[str]:
    """What a replay says of a topic, and the same of a look at it."""
    topic = Topic("t", seeds=("http://w.test/index.html",), **fields)  # type: ignore[arg-type]
    strategy = BY_MEANING if by_meaning else BY_WORDS
    with recorded_warnings() as heard:
        scenthound.replay(web, topic, strategy, budget=1)
    if by_meaning:
        with recorded_warnings() as again:
            understand(topic, web)
        assert again == heard
    return heard


def test_what_is_reported_where_wordnet_does_not_know_words(web: Path) -> None:
    assert reported(web, keywords=("storm", "tropical cyclone"), language="en-GB") == []
    (message,) = reported(web, keywords=("derecho", "xylofrob"))
    assert message.endswith("as written (lexical only): derecho, xylofrob")
    assert reported(web, by_meaning=False, keywords=("derecho", "xylofrob")) == []
    (message,) = reported(web, keywords=("storm", "Wirbelsturm", *("qq" + c for c in "abcde")))
    assert message.endswith("(lexical only): Wirbelsturm, qqa, qqb, qqc, qqd, ...")
    pages = ("A xylofrob, a derecho and a storm.",)
    (message,) = reported(web, examples=pages)
    assert message.endswith("as written (lexical only): derecho, xylofrob")
    assert reported(web, by_meaning=False, examples=pages) == []


def test_keywords_that_say_nothing_and_another_language(web: Path) -> None:
    for by_meaning, keywords in ((True, ("the", "\u2602", "x" * 41)), (False, ("1234", ""))):
        for keyword in keywords:
            (message,) = reported(web, by_meaning, keywords=("storm", keyword))
            assert message.endswith(f"keywords that say nothing are left out: {keyword}")
    (message,) = reported(web, keywords=("Wirbelsturm",), language="de")
    assert message.endswith("WordNet is English; texts are compared by their words (lexical only)")
    assert reported(web, by_meaning=False, keywords=("Wirbelsturm",), language="de") == []
    # one that nothing is known of
    (message,) = reported(web, keywords=("SuS",), language="tlh")
    assert "nothing is known of the language 'tlh'" in message
    (message,) = reported(web, by_meaning=False, keywords=("SuS",), language="tlh")
    assert "WordNet" not in message and "lexical" not in message
    (message,) = reported(web, by_meaning=False, keywords=("Sturm",), language="german")
    assert "language 'german', so words" in message and "codes such as 'de'" in message


def test_examples_without_text(web: Path) -> None:
    pages = ("http://w.test/index.html", "http://w.test/empty.html", "http://w.test/signs.html")
    unread, wordless = reported(web, keywords=("storm",), examples=pages)
    assert "1 of 3 examples cannot be read" in unread and "empty.html" in unread
    assert "1 of 3 examples hold no word" in wordless
    few = Topic("t", ("storm",), examples=pages)
    with recorded_warnings():
        found = understand(few, web)
    alone = understand(replace(few, examples=pages[:1]), web)
    assert (found.examples, found.terms) == (1, alone.terms)
    (message,) = reported(web, keywords=("storm",), examples=("", "A storm and hail."))
    assert message.endswith("left out, e.g. an empty text")
    with pytest.raises(TopicError, match="the first is an empty text"):
        understand(Topic("t", ("storm",), examples=(" ",)))
    with pytest.raises(TopicError, match="is empty"):
        understand(Topic("t", examples=("!!!", "the and of")), web)


def test_warnings_point_to_the_line_of_the_caller(web: Path) -> None:
    topic = Topic("t", ("storm", "the"), ("http://w.test/index.html",))
    with pytest.warns(ScenthoundWarning) as heard:
        understand(topic)
        topic_graph(topic)
        scenthound.replay(web, topic, "vsm", budget=1)
    assert len(heard) == 4 and {each.filename for each in heard} == {__file__}
    assert len({each.lineno for each in heard}) == 3


def test_a_graph_before_a_crawl(web: Path, tmp_path: Path) -> None:
    topic = Topic("t", ("storm",), examples=("http://w.test/index.html", "A storm and wind."))
    graph = topic_graph(topic, web)
    storm, hail = (graph.nodes.names.index(name) for name in ("storm", "hail"))
    assert graph.cooccurrence[storm, hail] == 0.5  # both pages hold the one, one the other
    assert not graph.ambiguous.any() and not graph.companions.any()
    with open_archive(web) as archive:
        assert understand(topic, archive).ambiguous == ()
        assert topic_graph(topic, archive).nodes.names == graph.nodes.names
        assert "http://w.test/index.html" in archive  # it stays open
    graph = topic_graph(Topic("t", examples=("A storm and wind.",)))
    scenthound.write_graph(graph, tmp_path / "g.graphml")
    scenthound.draw_graph(graph, tmp_path / "g.svg")
    assert "storm" in (tmp_path / "g.graphml").read_text("utf-8")
    assert "<svg" in (tmp_path / "g.svg").read_text("utf-8")
    with pytest.warns(ScenthoundWarning, match="no example page"):
        graph = topic_graph(Topic("t", ("storm", "hail")))
    assert graph.nodes.names == ("hail", "storm") and not graph.cooccurrence.any()


@pytest.mark.parametrize("strategy", ["sdvsm", "soft-sdvsm"])
def test_a_graph_that_a_crawl_has_learned(web: Path, tmp_path: Path, strategy: str) -> None:
    topic = Topic("t", ("storm",), ("http://w.test/index.html",), ("A storm and wind.",))
    scenthound.replay(web, topic, strategy, budget=2, out=tmp_path / "crawl")
    assert "storm" in topic_graph(topic, crawl=tmp_path / "crawl").nodes.names
    with pytest.raises(InputError, match="archive would not be read"):
        topic_graph(topic, web, tmp_path / "crawl")
    with pytest.raises(InputError, match="archive and wordnet would not"):
        topic_graph(topic, web, tmp_path / "crawl", tmp_path)
    with pytest.raises(InputError, match="is about 't', not 'other'"):
        topic_graph(replace(topic, name="other"), crawl=tmp_path / "crawl")


def test_a_replay_with_a_wordnet_of_ones_own(web: Path, tmp_path: Path) -> None:
    topic = Topic("t", ("storm",), ("http://w.test/index.html",))
    folder = write(tmp_path / "dict")
    scenthound.replay(web, topic, budget=1, wordnet=folder, out=tmp_path / "crawl")
    settings = CrawlFolder.open(tmp_path / "crawl").crawl_spec()["settings"]
    assert isinstance(settings, dict)
    assert settings["wordnet"] == {"version": "3.0", "origin": str(folder.resolve())}
    with recorded_warnings():
        scenthound.replay(web, replace(topic, language="de"), budget=1, out=tmp_path / "de")
    settings = CrawlFolder.open(tmp_path / "de").crawl_spec()["settings"]
    assert isinstance(settings, dict) and settings["wordnet"] is None
