from __future__ import annotations

import pytest

from scenthound.core.model import Briefing, Document, Link, Page
from scenthound.relevance.judge import SimilarityJudge
from scenthound.seeding.found import Found
from scenthound.seeding.likeness import Likeness
from scenthound.seeding.proposal import Basis, Kind, Proposal
from scenthound.seeding.scoring import HUB_LINKS, LEAST_WORDS, Scorer
from scenthound.seeding.searching import LONGEST_QUERY, MOST_QUERIES, queries_of
from scenthound.text.analyzer import Analyzer
from scenthound.text.url_words import url_words

KEYWORDS = ("typhoon", "storm surge")
URL = "http://a.test/"


def scorer(keywords: tuple[str, ...] = KEYWORDS, examples: tuple[str, ...] = ()) -> Scorer:
    documents = tuple(Document(text=text) for text in examples)
    briefing, analyzer = Briefing("storms", keywords, documents), Analyzer("en", None, keywords)
    return Scorer(briefing, analyzer, lambda: SimilarityJudge(briefing, analyzer))


def by_title(found: Found, *others: Found) -> Proposal:
    (proposal,) = scorer().by_title([(found, *others)])
    return proposal


def page(text: str, anchors: int = 0) -> Page:
    links = tuple(Link(f"{URL}{n}", f"The typhoon of year {n}") for n in range(anchors))
    return Page(URL, 200, Document("Title", text), links)


def test_a_title_of_the_keywords_alone_is_the_topic() -> None:
    # both texts are the terms typhoon, storm, surge, storm surge, once each: the cosine is 1
    assert by_title(Found(URL, "feeds", "Typhoon, storm surge")).score == pytest.approx(1.0)


def test_more_of_the_topic_in_a_title_is_more() -> None:
    one = by_title(Found(URL, "feeds", "The typhoon season")).score
    two = by_title(Found(URL, "feeds", "Typhoon brings storm surge")).score
    assert 0.0 < one < two < 1.0


def test_title_and_snippet_of_all_sources_count() -> None:
    found = by_title(
        Found(URL, "sitemaps", modified="2024"), Found(URL, "searxng", "Season", "A typhoon", 3)
    )
    assert (found.title, found.sources) == ("Season", ("sitemaps", "searxng"))
    assert (found.basis, found.modified, found.kind) == (Basis.TITLE, "2024", Kind.SEED)
    assert found.score > 0


def test_without_a_title_the_address_speaks() -> None:
    found = by_title(Found("http://a.test/x/storm-surge_2024.html", "sitemaps"))
    assert found.basis is Basis.ADDRESS
    assert found.score > 0.5


def test_nothing_in_common_is_left_out_unless_a_search_engine_ranked_it() -> None:
    groups = [(Found(URL, "sitemaps", "Contact"),), (Found(URL + "1", "searxng", "Home", rank=1),)]
    assert [(each.url, each.score) for each in scorer().by_title(groups)] == [(URL + "1", 0.0)]


def test_without_keywords_titles_are_compared_with_the_examples() -> None:
    by_example = scorer((), ("The typhoon and its storm surge flooded the coast.",))
    (found,) = by_example.by_title([(Found(URL, "feeds", "Typhoon on the coast"),)])
    assert found.score > 0.3


@pytest.mark.parametrize(
    ("text", "anchors", "kind"),
    [
        ("typhoon storm surge " * LEAST_WORDS, 0, Kind.EXAMPLE),
        ("typhoon storm surge " * LEAST_WORDS, HUB_LINKS, Kind.BOTH),
        ("garden kitchen " * LEAST_WORDS, HUB_LINKS, Kind.SEED),
        ("garden kitchen " * LEAST_WORDS, HUB_LINKS - 1, None),
        ("typhoon storm surge", 0, None),
    ],
)
def test_what_a_page_is_good_for(text: str, anchors: int, kind: Kind | None) -> None:
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
    assert queries_of(Briefing("s", (*KEYWORDS, "the"), ()), analyzer) == (
        "typhoon storm surge", "typhoon", "storm surge",
    )  # fmt: skip
    assert queries_of(Briefing("s", ("typhoon",), ()), analyzer) == ("typhoon",)
    assert queries_of(Briefing("s", (), ()), analyzer) == ()


def test_a_topic_without_keywords_is_asked_for_by_its_terms() -> None:
    examples = (Document(text="typhoon typhoon surge"),)
    (query,) = queries_of(Briefing("s", (), examples), Analyzer())
    assert "typhoon" in query


def test_queries_are_few_and_short() -> None:
    many = tuple(f"typhoon{n} {'wind ' * 60}" for n in range(50))
    found = queries_of(Briefing("s", many, ()), Analyzer())
    assert len(found) == MOST_QUERIES
    assert all(len(query) <= LONGEST_QUERY for query in found)


@pytest.mark.parametrize("patterns", [("typhoon storm",), ("a typhoon", "the storm surge", "")])
def test_many_texts_at_once_score_as_the_judge_scores_one(patterns: tuple[str, ...]) -> None:
    texts = ["typhoon", "Storm surge of a typhoon", "garden", "", "the", "typhoon " * 300]
    analyzer = Analyzer()
    examples = tuple(Document(text=text) for text in patterns)
    judge = SimilarityJudge(Briefing("s", (), examples), analyzer)
    one_by_one = [judge.similarity(Document(title=text)) for text in texts]
    assert Likeness(patterns, Analyzer()).of(texts) == pytest.approx(one_by_one)


def test_nothing_to_compare_with_is_0() -> None:
    assert Likeness((), Analyzer()).of(["typhoon"]) == [0.0]
    assert Likeness(("typhoon",), Analyzer()).of([]) == []
