"""Workers of one crawl learn together through a server."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

import pytest
from redis import Redis

from scenthound.core.errors import SettingsError
from scenthound.core.model import Part, Visit
from scenthound.core.strategy import Strategy
from scenthound.distributed import keys, pool
from scenthound.distributed.pool import Pool
from scenthound.live.shared_learning import ASK_SECONDS, SharedLearning
from scenthound.relevance.model import TopicModel
from scenthound.strategies.learned import LearnedTexts
from scenthound.strategies.sharing import counting_of
from scenthound.strategies.weighted import TEXTS, WeightedTexts
from scenthound.text.weights import DocumentFrequencies
from strategies.scoring import ingredients, strategy, visit

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
        self.strategy = strategy(self.kind, ingredients(["storm"], EXAMPLES))
        self.learning = SharedLearning(
            self.server, self.crawl, self.name, self.strategy, self.elected.append
        )

    def begin(self) -> Colleague:
        self.learning.begin(self.pages)
        return self

    def learn(self, *texts: str | Visit) -> None:
        for each in texts:
            page = visit(each) if isinstance(each, str) else each
            self.strategy.observe(page)
            self.strategy.score(page, ())
            self.pages += 1

    def commit(self) -> None:
        """All so far is committed, and it is time to tell and to ask."""
        self.now += ASK_SECONDS
        self.learning.on_tick(self.now)
        self.learning.committed(self.pages)

    @property
    def frequencies(self) -> DocumentFrequencies:
        model = counting_of(self.strategy.scorer)
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


def followed(pages: int, seed: int = 4) -> list[Visit]:
    """Pages whose links told by the anchor what they are."""
    rng = random.Random(seed)
    found = []
    for _ in range(pages):
        relevant = rng.random() < 0.5
        values = {name: rng.random() for name in TEXTS}
        values["anchor"] = 0.9 if relevant else 0.1
        parts = tuple(Part(name, value, 0.25) for name, value in values.items())
        found.append(visit("storm rain wind" if relevant else "cake tea", parts=parts))
    return found


def told(server: Redis, crawl: str) -> dict[str, int]:
    """What a newcomer would be told."""
    return dict(Pool(server, crawl, "newcomer").everything().counts)


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


def test_nothing_is_told_before_it_is_committed_and_little_often(server: Redis, crawl: str) -> None:
    one = Colleague(server, crawl, "one").begin()
    one.learn("tea")
    for now in (100.0, 103.0, 109.0):
        one.learning.on_tick(now)
    assert told(server, crawl) == {}
    one.now = 110.0
    one.commit()
    one.learn("tea")
    one.learning.committed(one.pages)  # too soon
    assert told(server, crawl)["tea"] == 1
    one.learning.flush(one.pages)
    assert told(server, crawl)["tea"] == 2


def test_one_page_in_fifty_is_worth_telling(server: Redis, crawl: str) -> None:
    one = Colleague(server, crawl, "one").begin()
    one.learn(*["tea"] * 250)
    one.commit()
    for count in (250, 250, 250, 250, 250, 256):
        one.learn("tea")
        one.commit()
        assert told(server, crawl)["tea"] == count


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
        again.learning.relearnt(page)
    again.begin()
    assert known(again, "tea", "cake") == [2 + 4, 3, 1]
    again.commit()
    assert told(server, crawl) == {"tea": 3, "cake": 1}
    two.commit()
    assert known(two, "tea", "cake") == [2 + 4, 3, 1]


def test_what_was_told_before_the_state_was_saved_is_in_the_sums(server: Redis, crawl: str) -> None:
    one = Colleague(server, crawl, "one").begin()
    one.learn("tea", "cake")
    one.learning.flush(one.pages)
    state = one.strategy.state()
    again = Colleague(server, crawl, "one")
    again.strategy.restore(state)
    again.pages = 2
    again.begin()
    again.learn("cake")
    again.commit()
    assert known(again, "tea", "cake") == [2 + 3, 1, 2]
    assert told(server, crawl) == {"tea": 1, "cake": 2}


def test_a_folder_that_lost_pages_tells_of_those_it_fetches_again(
    server: Redis, crawl: str
) -> None:
    one = Colleague(server, crawl, "one").begin()
    one.learn("tea", "tea")
    one.commit()
    again = Colleague(server, crawl, "one").begin()
    again.learn("cake")
    again.commit()
    assert told(server, crawl)["cake"] == 1


def test_who_falls_behind_knows_as_much_as_the_others(
    server: Redis, crawl: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "FOLD_DOCUMENTS", 1)
    monkeypatch.setattr(pool, "KEPT_NEWS", 0)
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


def test_one_learns_weights_from_the_links_of_all_and_all_use_them(
    server: Redis, crawl: str
) -> None:
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
    alone = strategy("mcoa", ingredients(["storm"], EXAMPLES))
    for each in visits:
        alone.observe(each)
    assert isinstance(alone.scorer, LearnedTexts) and alone.scorer.revise() is not None
    assert one.weights == pytest.approx(alone.scorer.weights)
    assert two.weights == one.weights
    three = Colleague(server, crawl, "three", "mcoa").begin()
    assert three.weights == one.weights


def test_another_takes_over_where_the_learner_died(server: Redis, crawl: str) -> None:
    one, two = (Colleague(server, crawl, name, "mcoa").begin() for name in ("one", "two"))
    one.learn(*followed(60))
    one.commit()
    assert one.revise()  # and it dies while it weighs what waits
    first = dict(one.weights)
    server.delete(f"scenthound:{{{crawl}}}:elected:learner")
    two.commit()
    assert two.elected == [True] and two.weights == first
    assert two.revise()  # weighs what waits anew, by the same weights
    assert two.weights == first and not two.revise()
    two.learn(*followed(60, seed=5))
    two.commit()
    assert two.revise() and two.weights != first


def test_a_learner_that_was_thought_dead_follows(server: Redis, crawl: str) -> None:
    one, two = (Colleague(server, crawl, name, "mcoa").begin() for name in ("one", "two"))
    start = dict(one.weights)
    one.learn(*followed(60))
    one.commit()
    server.delete(f"scenthound:{{{crawl}}}:elected:learner")  # it was silent too long
    two.commit()
    assert two.learning.is_learner
    assert not one.revise()  # it finds that it is not the learner any more
    assert one.elected == [True, False] and one.weights == start
    assert two.revise()
    one.commit()
    assert one.weights == two.weights != start


def test_a_learner_that_ends_makes_room(server: Redis, crawl: str) -> None:
    one, two = (Colleague(server, crawl, name, "mcoa").begin() for name in ("one", "two"))
    one.learning.close()
    two.learning.close()  # it has nothing to leave
    two.commit()
    assert (one.elected, two.elected) == ([True, False], [True])


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
        again.learning.relearnt(page)
    again.begin()
    assert again.weights == one.weights and again.elected == [True]
    assert not again.revise()
    again.learn(*followed(10))
    again.commit()
    assert isinstance(again.strategy.scorer, LearnedTexts)
    again.strategy.scorer.weigh_again()
    revision = again.strategy.scorer.revise()
    assert revision is not None and revision.links == 70


def test_workers_that_read_in_other_ways_are_refused(server: Redis, crawl: str) -> None:
    Colleague(server, crawl, "one", "mcoa").begin()
    with pytest.raises(SettingsError, match="install the same extras on all machines"):
        Colleague(server, crawl, "two", "soft-svsm-mcoa").begin()


def test_what_learns_nothing_never_asks_the_server(crawl: str) -> None:
    nobody = Redis(unix_socket_path="/nowhere")
    one = Colleague(nobody, crawl, "one", "breadth-first").begin()
    one.learn("tea")
    one.commit()
    one.learning.flush(1)
    one.learning.close()
    assert not one.learning.is_learner


def test_scent_shares_words_and_weights(server: Redis, crawl: str) -> None:
    one, two = (Colleague(server, crawl, name, "scent").begin() for name in ("one", "two"))
    assert not isinstance(one.strategy.scorer, WeightedTexts)
    one.learn("storm and tea", "tea")
    one.commit()
    two.commit()
    assert known(two, "tea") == [2 + 2, 2]
    assert one.learning.is_learner and not two.learning.is_learner


def test_every_key_is_written_down(
    server: Redis, crawl: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "FOLD_DOCUMENTS", 1)
    one = Colleague(server, crawl, "one", "mcoa").begin()
    one.learn(*followed(60))
    one.commit()
    assert one.revise()
    documented = re.findall(r"``scenthound:\{NAME\}:(\w+)", keys.__doc__ or "")
    prefix = f"scenthound:{{{crawl}}}:"
    used = [str(key, "utf-8") for key in server.scan_iter() if isinstance(key, bytes)]
    found = {key.removeprefix(prefix).partition(":")[0] for key in used}
    assert found == {"elected", "terms", "learning", "news", "taught"} <= set(documented)
