"""A topic from Python, and what is told where WordNet does not know its words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import scenthound
from crawler.warning_recording import recorded_warnings
from scenthound import CATALOGUE, InputError, ScenthoundWarning, Topic, topic_graph, understand
from scenthound.core.errors import TopicError
from scenthound.storage.archive import open_archive
from scenthound.storage.folder import CrawlFolder
from text.wordnet_building import write

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


def told(web: Path, by_meaning: bool = True, **fields: object) -> list[str]:
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


def test_what_is_told_where_wordnet_does_not_know_words(web: Path) -> None:
    assert told(web, keywords=("storm", "tropical cyclone"), language="en-GB") == []
    (message,) = told(web, keywords=("derecho", "xylofrob"))
    assert "WordNet knows none of its words (derecho, xylofrob)" in message
    assert "compared by their words alone (lexical only)" in message
    assert told(web, by_meaning=False, keywords=("derecho", "xylofrob")) == []
    most, message = told(web, keywords=("storm", "Wirbelsturm", *("qq" + c for c in "abcde")))
    assert "does not know most of it as nouns, 6 of its 7 terms (qqa, qqb, qqc, qqd, qqe, " in most
    assert "6 of 7 keywords" in message and "compared as written (lexical only)" in message
    assert "(Wirbelsturm, qqa, qqb, qqc, qqd, ...)" in message
    pages = ("A xylofrob, a derecho and a storm.",)
    (message,) = told(web, examples=pages)
    assert "not know most of it as nouns, 2 of its 3 terms (derecho, xylofrob)" in message
    assert message.endswith("these are compared as written (lexical only)")
    assert told(web, by_meaning=False, examples=pages) == []


def test_a_keyword_that_says_nothing_is_told(web: Path) -> None:
    for by_meaning, keywords in ((True, ("the", "\u2602", "x" * 41)), (False, ("1234", ""))):
        for keyword in keywords:
            (message,) = told(web, by_meaning, keywords=("storm", keyword))
            assert message.endswith(f"the keyword {keyword!r} says nothing and is left out")


def test_another_language_is_one_sentence(web: Path) -> None:
    (message,) = told(web, keywords=("Wirbelsturm",), language="de")
    assert message.endswith("WordNet is English; texts are compared by their words (lexical only)")
    assert told(web, by_meaning=False, keywords=("Wirbelsturm",), language="de") == []
    # one that nothing is known of
    (message,) = told(web, keywords=("SuS",), language="tlh")
    assert "no stop words and inflections for language 'tlh' and WordNet is English" in message
    assert message.endswith("words are compared as they are written (lexical only)")
    (message,) = told(web, by_meaning=False, keywords=("SuS",), language="tlh")
    assert "WordNet" not in message and "lexical" not in message
    (message,) = told(web, by_meaning=False, keywords=("Sturm",), language="german")
    assert "language 'german' is no code such as 'de'" in message


def test_an_example_without_text_is_told_and_does_not_count(web: Path) -> None:
    pages = ("http://w.test/index.html", "http://w.test/empty.html", "http://w.test/signs.html")
    unread, wordless = told(web, keywords=("storm",), examples=pages)
    assert "1 of 3 examples cannot be read" in unread and "empty.html" in unread
    assert "1 of 3 examples hold no word" in wordless
    few = Topic("t", ("storm",), examples=pages)
    with recorded_warnings():
        found = understand(few, web)
    alone = understand(replace(few, examples=pages[:1]), web)
    assert (found.examples, found.terms) == (1, alone.terms)


def test_an_empty_example_has_a_name(web: Path) -> None:
    (message,) = told(web, keywords=("storm",), examples=("", "A storm and hail."))
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


def test_a_graph_before_a_crawl(web: Path) -> None:
    topic = Topic("t", ("storm",), examples=("http://w.test/index.html", "A storm and wind."))
    graph = topic_graph(topic, web)
    storm, hail = (graph.nodes.names.index(name) for name in ("storm", "hail"))
    assert graph.cooccurrence[storm, hail] == 0.5  # both pages hold the one, one the other
    assert not graph.ambiguous.any() and not graph.companions.any()
    with open_archive(web) as archive:
        assert understand(topic, archive).ambiguous == ()
        assert topic_graph(topic, archive).nodes.names == graph.nodes.names
        assert "http://w.test/index.html" in archive  # it stays open


def test_a_graph_from_python(web: Path, tmp_path: Path) -> None:
    graph = topic_graph(Topic("t", examples=("A storm and wind.",)))
    scenthound.write_graph(graph, tmp_path / "g.graphml")
    scenthound.draw_graph(graph, tmp_path / "g.svg")
    assert "storm" in (tmp_path / "g.graphml").read_text("utf-8")
    assert "<svg" in (tmp_path / "g.svg").read_text("utf-8")
    with pytest.warns(ScenthoundWarning, match="no example page"):
        graph = topic_graph(Topic("t", ("storm", "hail")))
    assert graph.nodes.names == ("hail", "storm") and not graph.cooccurrence.any()


@pytest.mark.parametrize("strategy", ["sdvsm", "soft-sdvsm"])
def test_a_graph_that_a_crawl_has_learnt(web: Path, tmp_path: Path, strategy: str) -> None:
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
