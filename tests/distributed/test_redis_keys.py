"""Every key is one that is written down, and a cluster can keep each partition in one slot."""

from __future__ import annotations

import random
import re

from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from frontier.polite_contract import fill, names, url
from scenthound.core.model import Inlink, Part, Score
from scenthound.distributed import keys
from scenthound.distributed.frontier import RedisFrontier
from scenthound.distributed.keys import digest_of, partition_of
from scenthound.distributed.rows import Row, Rows
from scenthound.distributed.shapes import Shapes
from scenthound.frontier.manners import Manners

texts = st.text(max_size=300)
numbers = st.floats(-1e300, 1e300)
parts = st.lists(st.builds(Part, texts, numbers, numbers), max_size=4).map(tuple)
inlinks = st.builds(Inlink, st.integers(0, 2**64 - 1), st.builds(Score, numbers, parts), texts)


def as_text(key: bytes | str) -> str:
    return key.decode() if isinstance(key, bytes) else key


def work(client: Redis, crawl: str, partitions: int) -> None:
    """A little of everything that writes."""
    manners = Manners(delay=1.0, pages_per_host=2, share=0.5)
    frontier = RedisFrontier(client, crawl, manners=manners, partitions=partitions, most=6)
    fill(frontier, a1=0.9, a2=0.8, a3=0.7, b1=0.6, c1=0.5, d1=0.4, e1=0.3)
    assert names(frontier.lease(3, 0.0)) == ["a1", "b1", "c1"]
    frontier.answered(url("a1"), 0.5)
    frontier.ack(url("a1"))
    frontier.fail(url("b1"), 5.0)
    frontier.redirect(url("c1"), url("f1"))
    frontier.put_back(url("c1"))
    frontier.slow_down("d.example", 3.0)
    frontier.rest("e.example", 9.0)
    assert frontier.take(url("d1"), 1.0) is not None
    assert frontier.draw(random.Random(1), 4.0) is not None
    frontier.rescore(lambda candidate: candidate.score)
    assert frontier.peek(2) and frontier.next_time(6.0) is not None


def test_all_keys_are_documented_and_carry_the_tag_of_their_partition(
    server: Redis, crawl: str
) -> None:
    work(server, crawl, 3)
    documented = set(re.findall(r"``(?:scenthound:\{NAME\})?:(\w+)", keys.__doc__ or ""))
    found = server.keys()
    assert len(found) > 20
    for key in map(as_text, found):
        match = re.fullmatch(r"scenthound:\{([^}]+)\}:(\w+)(:.*)?", key)
        assert match is not None and match[2] in documented, key
        assert match[1] in {crawl, *(f"{crawl}/{n}" for n in range(3))}
        if match[2] == "ready":
            assert match[1] == f"{crawl}/{partition_of(match[3][1:], 3)}"


@given(st.lists(inlinks, max_size=3), parts, numbers, st.integers(0, 2**48 - 1))
def test_rows_come_back_as_they_were(
    session_server: Redis, links: list[Inlink], own: tuple[Part, ...], score: float, number: int
) -> None:
    rows = Rows(Shapes(session_server, "scenthound:{rows}:shapes"))
    row = Row(
        url="http://example.org/ä", number=number, depth=70_000, score=score, parts=own,
        sightings=3, inlinks=links, redirects=("http://a/", "http://b/"), version=65_535,
    )  # fmt: skip
    again = rows.row(rows.packed(row))
    assert again.depth == 65_535
    assert [i.anchor for i in again.inlinks] == [
        i.anchor[:200].encode("utf-8", "replace").decode() for i in links
    ]
    for each in (row, again):
        each.depth, each.inlinks = 0, [Inlink(i.source, i.score) for i in each.inlinks]
        each.parts = tuple(each.parts)
    assert again == row


def test_urls_are_told_apart_by_eighty_bits() -> None:
    assert len(digest_of("http://a/1")) == 10
    assert digest_of("http://a/1") != digest_of("http://a/2")
    assert {partition_of(f"h{n}", 3) for n in range(20)} == {0, 1, 2}
