"""Which evidence mattered, in shares and in words."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

import scenthound
from crawler.warning_recording import recorded_warnings
from crawler.web_building import Plant, page
from scenthound import Topic, explain
from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.model import Part, Score
from scenthound.output.explain.explanation import WeightsOrigin, describe_reason
from scenthound.output.explain.journal_search import (
    JournalSearch,
    Revision,
    link_counts,
    parse_query,
    tail_of,
    weights_origin,
)
from scenthound.output.explain.score_parts import PARTS as KNOWN_PARTS
from scenthound.output.explain.score_parts import (
    REPRESENTATIONS,
    describe_evidence,
    describe_gist,
    describe_parts,
    evidence_of,
    part_meaning,
)
from scenthound.similarity.link_priority import EVIDENCE
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.scent import TEXTS_READ_AS
from strategies.scoring import link, strategy, strategy_context, visit

PARTS = (
    Part("page words", 0.1, 0.5), Part("anchor words", 0.2, 0.5), Part("context words", 0.0, 0.5),
    Part("anchor meaning", 0.4, 0.5), Part("address words", 0.1, 0.2), Part("inlinks", 0.5, 0.08),
)  # fmt: skip


def sentence(*parts: Part) -> str:
    return describe_gist(describe_parts(parts), sum(part.value * part.weight for part in parts))


def test_the_links_of_a_page_add_up() -> None:
    # A new link, one to the page itself, and two such as "#top", which the journal counts apart.
    links = {"found": 2, "new": 1, "rescored": 0, "closed": 0, "repeated": 0}
    counts = link_counts({"links": links, "dropped": {"same page": [3, []]}})
    assert (counts.found, counts.new, counts.repeated, counts.dropped) == (
        4,
        1,
        0,
        {"same page": 3},
    )
    # Three times one link, and one of another scheme.
    links = {"found": 3, "new": 1, "rescored": 0, "closed": 0, "repeated": 2}
    counts = link_counts({"links": links, "dropped": {"other scheme": [1, []]}})
    assert (counts.found, counts.new, counts.repeated) == (4, 1, 2)


def test_which_parts_mattered_in_shares_and_in_words() -> None:
    found = describe_parts(PARTS)
    assert [part.name for part in found[:3]] == ["anchor meaning", "anchor words", "page words"]
    assert found[0].contribution == pytest.approx(0.2)
    assert found[0].share == pytest.approx(0.2 / 0.41)
    assert sum(part.share or 0.0 for part in found) == pytest.approx(1.0)
    assert describe_parts([]) == ()
    (part,) = describe_parts([Part("full", 0.5, 0.5)], 0.5)
    assert part.share == 0.5, "of a score that parts do not account for"
    for parts in [[Part("full", 0.0, 0.5)], [Part("full", 0.5, -1.0)]]:
        (part,) = describe_parts(parts)
        assert part.share is None and describe_gist([part], part.contribution) == ""
    assert sentence(*PARTS) == "mostly the text of the link (0.30 of 0.41)"
    weaker = (Part("page words", 0.2, 0.5), *PARTS[1:3], Part("address words", 0.1, 0.5))
    assert sentence(*weaker) == (
        "mostly the page it stands on (0.10 of 0.25) and the text of the link (0.10)"
    )
    assert sentence(Part("full", 0.3, 0.5), Part("anchor", 0.25, 0.5)) == (
        "the page it stands on (0.15 of 0.28) and the text of the link (0.12)"
    )
    assert (
        sentence(Part("full", 0.5))
        == sentence(Part("page words", 0.5), Part("page meaning", 0.5))
        == ""
    )
    names = ("anchor", "context", "full", "title", "my own")
    words = sentence(*(Part(name, 0.5, 0.2) for name in names))
    assert words.startswith("mostly the text of the link (0.10 of 0.50), the text around it (0.10)")
    assert words.count("(") == 3
    assert sentence(Part("mood", 0.5), Part("my words", 0.1)) == "mostly mood (0.50 of 0.60)"
    assert evidence_of("my words") == ("my words", "")
    assert part_meaning("anchor meaning") == "the text of the link, by the meaning of its words"
    assert part_meaning("mood") == "a part of the strategy's own"
    assert describe_reason("status 503") == "status 503"
    assert describe_reason("nofollow").startswith("nofollow (the link")


# No part of a score is left unexplained.


SILENT = {"breadth-first", "random"}
"""These have no parts."""


def parts_of(name: str) -> set[str]:
    given = strategy_context(
        examples=["storm and rain", "storm and hail"], labels=["http://w.test/x"]
    )
    with recorded_warnings():
        answers = strategy(name, given).scorer.score(visit("storm and rain"), [link("storm")])
    return {part.name for one in answers if isinstance(one, Score) for part in one.parts}


def test_every_part_of_every_strategy_has_a_meaning_and_there_are_no_others() -> None:
    found = {name: parts_of(name) for name in CATALOGUE}
    assert {name for name in found if not found[name]} == SILENT
    parts = set().union(*found.values())
    assert {evidence_of(part)[0] for part in parts} | set(EVIDENCE) == KNOWN_PARTS.keys()
    assert (
        {evidence_of(part)[1] for part in parts} - {""}
        <= REPRESENTATIONS.keys()
        == set(TEXTS_READ_AS)
    )
    assert all(part_meaning(part) != part_meaning("mood") for part in parts)
    assert all(describe_evidence(part) != part for part in KNOWN_PARTS)


# From which revision the weights of a URL come.


SECOND, FIRST = Revision(100, 81, {"full": 0.3}), Revision(50, 40, {"full": 0.6})
ALL = [SECOND, FIRST]


def weighed(weight: float) -> list[Part]:
    return [Part("full", 0.5, weight)]


def test_from_which_revision_weights_come() -> None:
    assert weights_origin(weighed(0.3), []) is None
    assert weights_origin([], ALL) is None
    last = WeightsOrigin(2, 100, 81)
    assert weights_origin(weighed(0.300004), ALL) == last  # what waits has the last
    again = Revision(150, 120, FIRST.weights)
    for weight, revisions, before, origin in [
        (0.6, ALL, 70, WeightsOrigin(1, 50, 40)),
        (0.3, ALL, 101, last),
        (0.5, ALL, 50, WeightsOrigin(0)),
        # a page that was asked for before the last revision
        (0.6, ALL, 103, WeightsOrigin(1, 50, 40)),
        (0.5, ALL, 103, WeightsOrigin(0)),
        # weights that come back later are not taken for earlier ones
        (0.6, [again, *ALL], 90, WeightsOrigin(1, 50, 40)),
        (0.6, [again, *ALL], 160, WeightsOrigin(3, 150, 120)),
    ]:
        assert weights_origin(weighed(weight), revisions, before=before) == origin


def test_an_event_that_no_crawl_wrote() -> None:
    page = {"n": 1, "at": 1, "url": "x", "status": 200, "depth": 0, "similarity": 0.1}
    for event in (
        {"event": "revised", "weights": 3},
        {"event": "failed", "url": "x", "attempts": "many"},
        {"event": "page", **page, "relevant": True, "dropped": {"media": 3}},
    ):
        with pytest.raises(FolderError, match="is not what a crawl writes"):
            JournalSearch(["x"]).read([event])


def test_a_replay_that_learned(tmp_path: Path) -> None:
    words = ["storm" if n % 3 else f"cake {n}" for n in range(40)]
    links = [(f"/{n}", f"{words[n]} here") for n in range(40)]
    texts = [f"{words[n]} and {words[n]}, page {n}." for n in range(40)]
    pages = [page(f"/{n}", *links, text=texts[n], title=words[n]) for n in range(40)]
    with ExitStack() as stack:
        web = Plant(tmp_path, stack)(*pages)
    topic, out = Topic("storms", ("storm",), ("http://w.test/0",)), tmp_path / "out"
    run = scenthound.replay(web.archive.path, topic, "mcoa", parameters={"every": 10}, out=out)
    assert run.weights is not None
    seed, second, last = (explain(out, number).priority for number in (1, 2, 40))
    assert seed is not None and second is not None and last is not None
    assert (seed.revised, second.revised) == (None, WeightsOrigin(0))
    assert last.revised is not None and last.revised.times >= 1
    assert last.revised.links == run.weights.learned_from
    reported = {part.name: part.weight for part in last.parts}
    assert reported == pytest.approx(run.weights.values, abs=1e-5)


# What was asked for, however it was written.


def test_spellings_twins_and_what_is_neither_url_nor_page() -> None:
    assert parse_query(" HTTP://A.test:80/x#y ").spellings == ("http://a.test/x",)
    for text in ["a.test/x", "//a.test/x"]:
        assert parse_query(text).spellings == ("https://a.test/x", "http://a.test/x")
    assert (parse_query(7).number, parse_query(7).spellings) == (7, ())
    assert parse_query(" 7 ") == parse_query(7)
    for url, tail in [("http://a.test/", ""), ("http://a.test/b/c?d=/e", "b/c?d=/e"), ("x", "")]:
        assert tail_of(url) == tail
    assert set(parse_query("https://www.a.test/x").twins) == {
        f"{scheme}://{host}/{path}"
        for scheme in ("http", "https")
        for host in ("a.test", "www.a.test")
        for path in ("x", "x/")
    } - {"https://www.a.test/x"}
    for url, twin in [
        ("http://127.0.0.1/x?q=1", "https://127.0.0.1/x?q=1"),
        ("http://a.test:81/", "https://a.test:81/"),
    ]:
        assert parse_query(url).twins == (twin,)
    scheme = r"a page: it is not http or https; give one such as"
    for match, *cases in (
        (r"is not the URL of a page", "", "   ", "http://", "http://a b/", "/path"),
        (scheme, "mailto:a@b.test", "ftp://a.test/", "javascript:void(0)"),
        (r"^explain takes a URL or the number of a page, not ", None, 5.0, True, b"http://a.test/"),
        ("numbered from 1", 0, "0"),
    ):
        for bad in cases:
            with pytest.raises(SettingsError, match=match):
                parse_query(bad)  # type: ignore[arg-type]
