""""""

from __future__ import annotations

import pytest

from scenthound.core.model import Document, Link, Page, TopicProfile
from scenthound.core.urls import url_words
from scenthound.crawler.seed_proposals import Basis, Kind, Proposal
from scenthound.crawler.seed_scoring import HUB_LINKS, LEAST_WORDS, Scorer, TopicSimilarity
from scenthound.crawler.seed_search import SearchResult
from scenthound.crawler.seed_sources import LONGEST_QUERY, MAX_QUERIES, queries_of
from scenthound.similarity.judge import SimilarityJudge
from scenthound.text.analyzer import Analyzer

KEYWORDS = ("typhoon", "storm surge")
URL = "http://a.test/"


def scorer(keywords: tuple[str, ...] = KEYWORDS, examples: tuple[str, ...] = ()) -> Scorer:
    documents = tuple(Document(text=text) for text in examples)
    briefing, analyzer = TopicProfile("storms", keywords, documents), Analyzer("en", None, keywords)
    return Scorer(briefing, analyzer, lambda: SimilarityJudge(briefing, analyzer))


def by_title(found: SearchResult, *others: SearchResult) -> Proposal:
    (proposal,) = scorer().by_title([(found, *others)])
    return proposal


def page(text: str, anchors: int = 0) -> Page:
    links = tuple(Link(f"{URL}{n}", f"The typhoon of year {n}") for n in range(anchors))
    return Page(URL, 200, Document("Title", text), links)


def test_more_of_the_topic_in_a_title_is_more() -> None:
    titles = ("The typhoon season", "Typhoon brings storm surge", "Typhoon, storm surge")
    one, two, every = (by_title(SearchResult(URL, "feeds", title)).score for title in titles)
    assert 0.0 < one < two < every
    # the last and the topic are the terms typhoon, storm, surge, storm surge, once each
    assert every == pytest.approx(1.0)


def test_title_and_snippet_of_all_sources_count() -> None:
    found = by_title(
        SearchResult(URL, "sitemaps", modified="2024"),
        SearchResult(URL, "searxng", "Season", "A typhoon", 3),
    )
    assert (found.title, found.sources) == ("Season", ("sitemaps", "searxng"))
    assert (found.basis, found.modified, found.kind) == (Basis.TITLE, "2024", Kind.SEED)
    assert found.score > 0


def test_without_a_title_the_address_speaks() -> None:
    found = by_title(SearchResult("http://a.test/x/storm-surge_2024.html", "sitemaps"))
    assert found.basis is Basis.ADDRESS
    assert found.score > 0.5


def test_nothing_in_common_is_left_out_unless_a_search_engine_ranked_it() -> None:
    groups = [
        (SearchResult(URL, "sitemaps", "Contact"),),
        (SearchResult(URL + "1", "searxng", "Home", rank=1),),
    ]
    assert [(each.url, each.score) for each in scorer().by_title(groups)] == [(URL + "1", 0.0)]


def test_without_keywords_titles_are_compared_with_the_examples() -> None:
    by_example = scorer((), ("The typhoon and its storm surge flooded the coast.",))
    (found,) = by_example.by_title([(SearchResult(URL, "feeds", "Typhoon on the coast"),)])
    assert found.score > 0.3


def test_what_a_page_is_good_for() -> None:
    pages = [
        ("typhoon storm surge " * LEAST_WORDS, 0, Kind.EXAMPLE),
        ("typhoon storm surge " * LEAST_WORDS, HUB_LINKS, Kind.BOTH),
        ("garden kitchen " * LEAST_WORDS, HUB_LINKS, Kind.SEED),
        ("garden kitchen " * LEAST_WORDS, HUB_LINKS - 1, None),
        ("typhoon storm surge", 0, None),
    ]
    for text, anchors, kind in pages:
        found = scorer().by_text(Proposal(URL, sources=("feeds",)), page(text, anchors))
        assert (None if found is None else found.kind) == kind
        if found is not None:
            assert (found.basis, found.topical_links, found.title) == (Basis.TEXT, anchors, "Title")


def test_the_words_of_an_address() -> None:
    assert url_words("http://a.test/") == ""
    assert url_words("http://a.test/2024/05/31") == ""
    assert url_words("http://a.test/a/b/Storm%20Surge/the-typhoon_2.html?x=1") == (
        "Storm Surge the typhoon"
    )


def test_queries_are_all_keywords_together_and_each() -> None:
    analyzer = Analyzer("en", None, KEYWORDS)
    assert queries_of(TopicProfile("s", (*KEYWORDS, "the"), ()), analyzer) == (
        "typhoon storm surge", "typhoon", "storm surge"
    )  # fmt: skip
    assert queries_of(TopicProfile("s", ("typhoon",), ()), analyzer) == ("typhoon",)
    assert queries_of(TopicProfile("s", (), ()), analyzer) == ()
    examples = (Document(text="typhoon typhoon surge"),)  # the terms of a topic without keywords
    (query,) = queries_of(TopicProfile("s", (), examples), Analyzer())
    assert "typhoon" in query


def test_queries_are_few_and_short() -> None:
    many = tuple(f"typhoon{n} {'wind ' * 60}" for n in range(50))
    found = queries_of(TopicProfile("s", many, ()), Analyzer())
    assert len(found) == MAX_QUERIES
    assert all(len(query) <= LONGEST_QUERY for query in found)


def test_many_texts_at_once_score_as_the_judge_scores_one() -> None:
    texts = ["typhoon", "Storm surge of a typhoon", "garden", "", "the", "typhoon " * 300]
    for patterns in (("typhoon storm",), ("a typhoon", "the storm surge", "")):
        examples = tuple(Document(text=text) for text in patterns)
        judge = SimilarityJudge(TopicProfile("s", (), examples), Analyzer())
        one_by_one = [judge.similarity(Document(title=text)) for text in texts]
        assert TopicSimilarity(patterns, Analyzer()).of(texts) == pytest.approx(one_by_one)
    assert TopicSimilarity((), Analyzer()).of(["typhoon"]) == [0.0]
    assert TopicSimilarity(("typhoon",), Analyzer()).of([]) == []
