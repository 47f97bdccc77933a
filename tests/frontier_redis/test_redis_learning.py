"""Every key is one that is written down, and a cluster can keep each partition in one slot."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import MonkeyPatch
from redis import Redis

from frontier.frontier_contract import fill, names, url
from scenthound.core.crawl_loop import Strategy
from scenthound.core.errors import SettingsError
from scenthound.core.model import FetchedPage, Inlink, Part, Score
from scenthound.crawler.shared.learning import POLL_SECONDS, SharedLearning
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis import scripts, sharing
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.rows import Row, RowCodec
from scenthound.frontier.redis.scripts import partition_of
from scenthound.frontier.redis.sharing import SharedTermCounts
from scenthound.similarity.link_priority import TEXTS
from scenthound.similarity.text_models import TopicModel
from scenthound.strategies.catalogue import term_counter
from scenthound.strategies.weighting import LearnedTexts
from scenthound.text.terms import DocumentFrequencies
from strategies.scoring import strategy, strategy_context, visit

texts = st.text(max_size=300)
numbers = st.floats(-1e300, 1e300)
parts = st.lists(st.builds(Part, texts, numbers, numbers), max_size=4).map(tuple)
inlinks = st.builds(Inlink, st.integers(0, 2**64 - 1), st.builds(Score, numbers, parts), texts)


def as_text(key: bytes | str) -> str:
    return key.decode() if isinstance(key, bytes) else key


def work(client: Redis, crawl: str, partitions: int) -> None:
    """A little of everything that writes."""
    politeness = PolitenessPolicy(delay=1.0, pages_per_host=2, share=0.5)
    frontier = RedisFrontier(client, crawl, politeness=politeness, partitions=partitions, most=6)
    fill(frontier, a1=0.9, a2=0.8, a3=0.7, b1=0.6, c1=0.5, d1=0.4, e1=0.3)
    assert names(frontier.lease(3, 0.0)) == ["a1", "b1", "c1"]
    frontier.record_response(url("a1"), 0.5)
    frontier.ack(url("a1"))
    frontier.fail(url("b1"), 5.0)
    frontier.redirect(url("c1"), url("f1"))
    frontier.put_back(url("c1"))
    frontier.slow_down("d.example", 3.0)
    frontier.rest("e.example", 9.0)
    assert frontier.take(url("d1"), 1.0) is not None
    assert frontier.draw(random.Random(1), 4.0) is not None
    frontier.reweight(lambda score: score)
    assert frontier.peek(2) and frontier.next_time(6.0) is not None


def test_all_keys_are_known_and_tagged(server: Redis, crawl: str, monkeypatch: MonkeyPatch) -> None:
    work(server, crawl, 3)
    monkeypatch.setattr(sharing, "FOLD_DOCUMENTS", 1)
    one, two = (
        Colleague(server, crawl, "one", "mcoa").begin(),
        Colleague(server, crawl, "two").begin(),
    )
    for worker in (one, two):
        worker.learn(*followed(60))
        worker.commit()
    assert one.revise()
    documented = set(re.findall(r"``(?:scenthound:\{NAME\})?:(\w+)", scripts.__doc__ or ""))
    found = server.keys()
    assert len(found) > 20
    for key in map(as_text, found):
        match = re.fullmatch(r"scenthound:\{([^}]+)\}:(\w+)(:.*)?", key)
        assert match is not None and match[2] in documented, key
        assert match[1] in {crawl, *(f"{crawl}/{n}" for n in range(3))}
        if match[2] == "ready":
            assert match[1] == f"{crawl}/{partition_of(match[3][1:], 3)}"
    learned = {"lock", "terms", "learning", "updates", "shared_pages"}
    assert learned <= {as_text(key).split(":")[2] for key in found}


@settings(max_examples=15)
@given(st.lists(inlinks, max_size=3), parts, numbers, st.integers(0, 2**48 - 1))
def test_rows_come_back_as_they_were(
    session_server: Redis, links: list[Inlink], own: tuple[Part, ...], score: float, number: int
) -> None:
    rows = RowCodec(session_server, "scenthound:{rows}:shapes")
    row = Row(
        url="http://example.org/ä", number=number, depth=70_000, score=score, parts=own,
        link_count=3, inlinks=links, redirects=("http://a/", "http://b/"), version=65_535,
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


# Workers of one crawl learn together through a server.


EXAMPLES = ("storm rain wind", "storm sea flood")


@dataclass
class Colleague:
    """A worker: a strategy, what it shares, and its pages."""

    server: Redis
    crawl: str
    name: str
    kind: str = "vsm"
    strategy: Strategy = field(init=False)
    elected: list[bool] = field(default_factory=list)
    pages: int = 0
    now: float = 100.0

    def __post_init__(self) -> None:
        self.strategy = strategy(self.kind, strategy_context(["storm"], EXAMPLES))
        self.learning = SharedLearning(
            self.server, self.crawl, self.name, self.strategy, self.elected.append
        )

    def begin(self) -> Colleague:
        self.learning.begin(self.pages)
        return self

    def learn(self, *texts: str | FetchedPage) -> None:
        for each in texts:
            page = visit(each) if isinstance(each, str) else each
            self.strategy.observe(page)
            self.strategy.score(page, ())
            self.pages += 1

    def commit(self) -> None:
        """All so far is committed, and it is time to tell and to ask."""
        self.now += POLL_SECONDS
        self.learning.on_tick(self.now)
        self.learning.committed(self.pages)

    @property
    def frequencies(self) -> DocumentFrequencies:
        model = term_counter(self.strategy.scorer)
        assert isinstance(model, TopicModel)
        return model._frequencies

    @property
    def weights(self) -> dict[str, float]:
        assert isinstance(self.strategy.scorer, LearnedTexts)
        return self.strategy.scorer.weights

    def revise(self) -> bool:
        """What a crawl does after a page."""
        assert isinstance(self.strategy.scorer, LearnedTexts)
        return self.learning.is_learner and self.strategy.scorer.revise() is not None


def followed(pages: int, seed: int = 4) -> list[FetchedPage]:
    """Pages whose links show by the anchor what they are."""
    rng = random.Random(seed)
    found = []
    for _ in range(pages):
        relevant = rng.random() < 0.5
        values = {name: rng.random() for name in TEXTS}
        values["anchor"] = 0.9 if relevant else 0.1
        parts = tuple(Part(name, value, 0.25) for name, value in values.items())
        found.append(visit("storm rain wind" if relevant else "cake tea", parts=parts))
    return found


def reported(server: Redis, crawl: str) -> dict[str, int]:
    """What a new worker would get."""
    return dict(SharedTermCounts(server, crawl, "newcomer").everything().counts)


def known(colleague: Colleague, *terms: str) -> list[int]:
    frequencies = colleague.frequencies
    return [frequencies.documents, *(frequencies[term] for term in terms)]


def test_all_know_what_each_has_counted(server: Redis, crawl: str) -> None:
    one, two = (Colleague(server, crawl, name).begin() for name in ("one", "two"))
    one.learn("storm and tea", "tea")
    one.commit()
    two.learn("cake and tea")
    two.commit()
    assert known(two, "storm", "tea", "cake") == [2 + 3, 2 + 1, 3, 1]
    assert known(one, "tea") == [2 + 2, 2]
    one.commit()
    assert known(one, "storm", "tea", "cake") == [2 + 3, 2 + 1, 3, 1]
    three = Colleague(server, crawl, "three").begin()
    assert known(three, "storm", "tea", "cake") == [2 + 3, 2 + 1, 3, 1]


def test_nothing_is_reported_before_it_is_committed_and_little_often(
    server: Redis, crawl: str
) -> None:
    one = Colleague(server, crawl, "one").begin()
    one.learn("tea")
    for now in (100.0, 103.0, 109.0):
        one.learning.on_tick(now)
    assert reported(server, crawl) == {}
    one.now = 110.0
    one.commit()
    one.learn("tea")
    one.learning.committed(one.pages)  # too soon
    assert reported(server, crawl)["tea"] == 1
    one.learning.flush(one.pages)
    assert reported(server, crawl)["tea"] == 2
    one.learn(*["tea"] * 248)
    one.commit()
    for count in (250, 250, 250, 250, 250, 256):  # one page in fifty is worth telling
        one.learn("tea")
        one.commit()
        assert reported(server, crawl)["tea"] == count


def test_a_worker_that_goes_on_does_not_count_its_pages_twice(server: Redis, crawl: str) -> None:
    one, two = (Colleague(server, crawl, name).begin() for name in ("one", "two"))
    two.learn("cake")
    two.commit()
    one.learn("tea", "tea")
    one.commit()
    one.learn("tea")  # committed in its folder, and then it was killed
    again = Colleague(server, crawl, "one")
    for page in (1, 2, 3):
        again.learn("tea")
        again.learning.relearned(page)
    again.begin()
    assert known(again, "tea", "cake") == [2 + 4, 3, 1]
    again.commit()
    assert reported(server, crawl) == {"tea": 3, "cake": 1}
    two.commit()
    assert known(two, "tea", "cake") == [2 + 4, 3, 1]


def test_who_falls_behind_catches_up(server: Redis, crawl: str, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "FOLD_DOCUMENTS", 1)
    monkeypatch.setattr(sharing, "MAX_OLD_UPDATES", 0)
    one, two = (Colleague(server, crawl, name).begin() for name in ("one", "two"))
    two.learn("cake")  # and does not tell yet
    for _ in range(3):
        one.learn("tea")
        one.commit()
    two.learning.on_tick(two.now)  # and commits nothing
    assert known(two, "tea", "cake") == [2 + 4, 3, 1]
    two.commit()
    one.commit()
    assert known(one, "tea", "cake") == known(two, "tea", "cake") == [2 + 4, 3, 1]


def test_one_learns_weights_from_links_of_all_and_all_use_them(server: Redis, crawl: str) -> None:
    one, two = (Colleague(server, crawl, name, "mcoa").begin() for name in ("one", "two"))
    assert (one.elected, two.elected) == ([True], [])
    visits = followed(60)
    one.learn(*visits[:30])
    two.learn(*visits[30:])
    two.commit()
    assert not one.revise() and not two.revise()  # it is not time by its own pages alone
    one.commit()
    assert one.revise()
    two.commit()
    alone = strategy("mcoa", strategy_context(["storm"], EXAMPLES))
    for each in visits:
        alone.observe(each)
    assert isinstance(alone.scorer, LearnedTexts) and alone.scorer.revise() is not None
    assert one.weights == pytest.approx(alone.scorer.weights)
    assert two.weights == one.weights
    three = Colleague(server, crawl, "three", "mcoa").begin()
    assert three.weights == one.weights
    with pytest.raises(SettingsError, match="install the same extras on all machines"):
        Colleague(server, crawl, "two", "soft-svsm-mcoa").begin()  # it reads in another way


def test_another_takes_over_where_the_learner_died(server: Redis, crawl: str) -> None:
    one, two = (Colleague(server, crawl, name, "mcoa").begin() for name in ("one", "two"))
    one.learn(*followed(60))
    one.commit()
    assert one.revise()  # and it dies while it weighs what waits
    first = dict(one.weights)
    server.delete(f"scenthound:{{{crawl}}}:lock:learner")
    two.commit()
    assert two.elected == [True] and two.weights == first
    assert two.revise()  # rescores what waits, by the same weights
    assert two.weights == first and not two.revise()
    two.learn(*followed(60, seed=5))
    two.commit()
    assert two.revise() and two.weights != first


def test_a_learner_that_was_thought_dead_follows(server: Redis, crawl: str) -> None:
    one, two = (Colleague(server, crawl, name, "mcoa").begin() for name in ("one", "two"))
    start = dict(one.weights)
    one.learn(*followed(60))
    one.commit()
    server.delete(f"scenthound:{{{crawl}}}:lock:learner")  # it was silent too long
    two.commit()
    assert two.learning.is_learner
    assert not one.revise()  # it finds that it is not the learner any more
    assert one.elected == [True, False] and one.weights == start
    assert two.revise()
    one.commit()
    assert one.weights == two.weights != start


def test_a_restarted_learner_goes_on_from_what_is_published(server: Redis, crawl: str) -> None:
    one = Colleague(server, crawl, "one", "mcoa").begin()
    one.learn(*followed(60))
    one.commit()
    assert one.revise()
    one.commit()
    one.learning.close()
    again = Colleague(server, crawl, "one", "mcoa")
    for page, each in enumerate(followed(60), start=1):
        again.learn(each)
        again.learning.relearned(page)
    again.begin()
    assert again.weights == one.weights and again.elected == [True]
    assert not again.revise()
    again.learn(*followed(10))
    again.commit()
    assert isinstance(again.strategy.scorer, LearnedTexts)
    again.strategy.scorer.request_rescore()
    revision = again.strategy.scorer.revise()
    assert revision is not None and revision.links == 70


def test_what_learns_nothing_never_asks_the_server(crawl: str) -> None:
    nobody = Redis(unix_socket_path="/nowhere")
    one = Colleague(nobody, crawl, "one", "breadth-first").begin()
    one.learn("tea")
    one.commit()
    one.learning.flush(1)
    one.learning.close()
    assert not one.learning.is_learner
