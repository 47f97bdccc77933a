"""What workers have counted adds up, once each, and each reads what is new and not its own."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis

from scenthound.core.protocols import FittedWeights, LinkSums, TermCounts
from scenthound.frontier.redis import sharing
from scenthound.frontier.redis.scripts import Scripts, Step
from scenthound.frontier.redis.sharing import SharedTermCounts, SharedWeights

NONE = np.empty(0)


class Talk:
    """One worker's pool, with a word for each step."""

    def __init__(self, server: Redis, crawl: str, worker: str) -> None:
        self.pool = SharedTermCounts(server, crawl, worker)
        self.weights = SharedWeights(server, crawl, worker)
        self._scripts = Scripts(server)

    def tell(self, after: int, upto: int, tally: TermCounts, sums: LinkSums = NONE) -> int:
        return int(self._run(self.pool.share_step(after, upto, tally, sums)))

    def hear(self) -> list[TermCounts] | None:
        return self.updates()[0]

    def updates(self) -> tuple[list[TermCounts] | None, bool]:
        return self.pool.receive(self._run(self.pool.request_step()))

    def is_to_fold(self) -> bool:
        return self.updates()[1]

    def published(self) -> tuple[FittedWeights | None, LinkSums]:
        return self.weights.receive(self._run(self.weights.request_step()))

    def _run(self, step: Step) -> Any:
        name, key, arguments = step
        return self._scripts.run(name, key, *arguments)


@pytest.fixture
def one(server: Redis, crawl: str) -> Talk:
    return Talk(server, crawl, "one")


@pytest.fixture
def two(server: Redis, crawl: str) -> Talk:
    return Talk(server, crawl, "two")


def test_what_is_sent_twice_counts_once(one: Talk) -> None:
    """An answer was lost on the way, and the client asked again."""
    for _ in range(2):
        assert one.tell(0, 2, TermCounts(2, {"storm": 2}), np.array([2.0, 0.5])) == 2
    assert one.tell(2, 3, TermCounts(1, {"tea": 1}), np.array([1.0, 0.25])) == 3
    assert one.pool.everything() == TermCounts(3, {"storm": 2, "tea": 1})
    assert one.published()[1].tolist() == [3.0, 0.75]
    assert one.pool.last_page() == 3


def folding(monkeypatch: pytest.MonkeyPatch, documents: int, kept: int = 0) -> None:
    monkeypatch.setattr(sharing, "FOLD_DOCUMENTS", documents)
    monkeypatch.setattr(sharing, "MAX_OLD_UPDATES", kept)


def test_one_who_has_read_all_folds_it_when_there_is_enough(
    one: Talk, two: Talk, server: Redis, crawl: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folding(monkeypatch, documents=4)
    one.tell(0, 3, TermCounts(3, {"storm": 3}))
    assert not two.is_to_fold()
    one.tell(3, 4, TermCounts(1, {"storm": 1}))
    assert two.is_to_fold() and not one.is_to_fold()
    assert two.is_to_fold()  # until it has
    two.pool.fold(TermCounts(4, {"storm": 4}))
    assert not two.is_to_fold()
    assert server.xlen(f"scenthound:{{{crawl}}}:updates") == 0
    two.tell(0, 1, TermCounts(1, {"tea": 1}))
    assert Talk(server, crawl, "three").pool.everything() == TermCounts(5, {"storm": 4, "tea": 1})
    monkeypatch.setattr(sharing, "MAX_TERMS", 1)  # of too many terms the sum has the most frequent
    two.hear()
    two.pool.fold(TermCounts(5, {"storm": 4, "tea": 1}))
    assert one.pool.everything() == TermCounts(5, {"storm": 4})


def test_who_read_more_than_the_server_still_knows_reads_the_sum(
    one: Talk, two: Talk, server: Redis, crawl: str
) -> None:
    """It was restarted, and its file ended before the last increments."""
    one.tell(0, 1, TermCounts(1, {"storm": 1}))
    assert two.hear() == [TermCounts(1, {"storm": 1})]
    server.delete(f"scenthound:{{{crawl}}}:learning", f"scenthound:{{{crawl}}}:updates")
    assert two.hear() is None


def test_a_learner_that_lost_its_lock_overwrites_nothing(
    one: Talk, two: Talk, server: Redis
) -> None:
    old: FittedWeights = {"weights": [0.5, 0.5], "tried_at": 50}
    new: FittedWeights = {"weights": [0.1, 0.9], "tried_at": 100}
    assert one.weights.lock.acquire() and one.weights.publish(old)
    server.delete(one.weights.lock.key)  # it expired
    assert two.published()[0] == old and two.published()[0] is None  # once
    assert not two.weights.has_all_rescored
    assert two.weights.lock.acquire() and two.weights.publish(new)
    assert not one.weights.publish(old)
    server.delete(two.weights.lock.key)
    assert one.weights.lock.acquire()  # once more, but what it knows is old
    assert not one.weights.publish(old)
    assert one.published()[0] == new
    assert one.weights.publish(old) and one.weights.version == 3
    one.weights.has_rescored()
    one.published()
    two.published()
    assert two.weights.has_all_rescored


LETTERS = st.characters(exclude_characters="\0", exclude_categories=())
increments = st.lists(
    st.tuples(
        st.sampled_from(["one", "two", "three"]),
        st.dictionaries(st.text(LETTERS, max_size=5), st.integers(1, 9), max_size=5),
        st.booleans(),
    ),
    max_size=15,
)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(increments)
def test_all_workers_know_the_same_in_the_end(
    server: Redis, told: list[tuple[str, dict[str, int], bool]]
) -> None:
    server.flushall()
    talks = {name: Talk(server, "c", name) for name in ("one", "two", "three")}
    known = {name: Counter[str]() for name in talks}
    documents = dict.fromkeys(talks, 0)
    pages = dict.fromkeys(talks, 0)

    def hear(name: str) -> None:
        for tally in talks[name].hear() or []:
            known[name].update(tally.counts)
            documents[name] += tally.documents

    for name, counts, folds in told:
        talks[name].tell(pages[name], pages[name] + 1, TermCounts(1, counts))
        pages[name] += 1
        documents[name] += 1
        known[name].update(counts)
        if folds:
            hear(name)
            talks[name].pool.fold(TermCounts(documents[name], known[name]))
    for name in talks:
        hear(name)
    whole = talks["one"].pool.everything()
    assert all(known[name] == whole.counts for name in talks)
    assert set(documents.values()) == {len(told)} == {whole.documents}
