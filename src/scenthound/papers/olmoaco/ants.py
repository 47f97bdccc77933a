"""The ant colony of olmoaco (section 4, Algorithm 1). The paper downloads every link of a page
before an ant chooses among them and counts only those above eta; here every fetch is counted,
and links that no ant followed stay in the frontier.
"""

from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import asdict, dataclass, field

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.model import Candidate
from scenthound.core.parameters import check_at_least, check_unit_interval
from scenthound.core.protocols import Frontier, Scorer, State, generator_state, restore_generator
from scenthound.papers.olmoaco.objectives import LinkMapScorer
from scenthound.papers.olmoaco.pheromones import Trails
from scenthound.papers.olmoaco.selection import select_links
from scenthound.papers.olmoaco.walking import LinkMapPolicy


@dataclass
class Ant:
    """Where an ant is, where it wants to go, and how it came there; pages by their numbers.

    ``at`` is None until it has reached its first page. ``wants`` is a page that is not fetched yet,
    and ``why`` says why; with ``looks`` it wants to know it, not to go there. ``path`` are the
    links it followed in this cycle, each as page and target, ``waited`` how often others were asked
    for while it waits, ``turned`` how often it has turned back.
    """

    number: int
    at: int | None
    wants: int | None = None
    why: str = ""
    steps: int = 0
    path: list[list[int]] = field(default_factory=list)
    looks: bool = False
    waited: int = 0
    turned: int = 0
    done: bool = False

    @property
    def status(self) -> tuple[int | None, int | None, int, int, bool]:
        """What changes with whatever it does, other than waiting."""
        return (self.at, self.wants, self.steps, self.turned, self.done)

    def go(self, link: int, page: int, why: str) -> None:
        """Follow a link of the page it is at; it leads to ``page``."""
        assert self.at is not None
        self.path.append([self.at, link])
        self.steps += 1
        self.wants, self.why, self.looks = page, why, False

    def arrive(self) -> None:
        """Go to the page that was wanted and is there now."""
        if not self.looks:
            self.at = self.wants
        self.wants, self.looks, self.waited = None, False, 0

    def turn_back(self) -> None:
        """Stay, because what it wants cannot be had; it has that step left."""
        if self.at is not None and not self.looks:
            self.path.pop()
            self.steps -= 1
        self.turned += 1
        self.wants, self.looks, self.waited = None, False, 0


_CYCLES = 3
"""Cycles looked through for something to fetch: this one, one over pages that were looked at, and
one that begins at links that wait."""
_RANK_ERROR = 1e-3
"""What all PageRanks together may fall short by when a front is chosen."""
_PATIENCE = 20
"""Other pages that are asked for while an ant waits for a host that rests, before it turns back."""


class AntColony(LinkMapPolicy):
    """Ants that walk from page to page and fetch what they come to.

    A cycle: up to ``ants`` ants stand on as many pages, the seeds at first. In turn each chooses a
    link of its page by chance, the more pheromone and the more relevance the likelier (Eq. 16), and
    goes there, ``steps`` times. A page that was fetched before costs nothing to walk over; any
    other is fetched. No page is visited twice in a cycle. Then pheromone evaporates and is left on
    the ways gone (Eq. 17), and the next ants begin at the non-dominated waiting links by the four
    objectives (Eq. 11-14), at those that are far apart (NFCS, Eq. 18).

    Where all that ants want may not be asked for now and has not been for some seconds, the best
    waiting link is taken meanwhile.

    Parameters
    ----------
    ants : most of them in a cycle (w).
    steps : of each ant in a cycle (T).
    psi, xi : powers of pheromone and of relevance in Eq. 16; the paper prints none.
    evaporation : share of the pheromone that is gone after a cycle (rho); not printed either.
    pheromone : on a link that is new (C_0); not printed either.
    lookahead : fetch all links of a page before the ant chooses, as the paper does; those fetches
        count like any other, eta is held against Eq. 10 as it is printed, and a cycle then begins
        at pages that were looked at.
    """

    best_available = "no ant could go on: the best link that may be asked for now"

    def __init__(
        self, rng: random.Random, scorer: Scorer, *, ants: int = 30, steps: int = 9,
        psi: float = 1.0, xi: float = 5.0, evaporation: float = 0.1, pheromone: float = 1.0,
        lookahead: bool = False,
    ) -> None:  # fmt: skip
        assert isinstance(scorer, LinkMapScorer), "ants need a map"
        check_unit_interval(evaporation=evaporation)
        for name, value in (("psi", psi), ("xi", xi), ("pheromone", pheromone)):
            if not 0.0 <= value <= 100.0:
                raise SettingsError(f"{name} must lie within 0 and 100, not at {value}.")
        check_at_least(1, ants=ants, steps=steps)
        super().__init__(scorer.map)
        self._rng = rng
        self._most, self._steps = ants, steps
        self._lookahead = lookahead
        eta = scorer.eta if lookahead else 0.0
        self._trails = Trails(self._map, psi, xi, pheromone, evaporation, eta)
        scorer.refuses = not lookahead  # eta is for links whose targets were looked at
        self._cycle = 0
        self._turn = 0
        self._ants: list[Ant] = []
        self._looked: list[int] = []
        self._asked: list[int] = []
        """What was asked for in the first cycle: any other page is a seed."""

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease what the next ant wants; None while all wait for responses."""
        if self._cycle <= 1:
            self._begin_at_seeds()
        for _ in range(_CYCLES):
            if candidate := self._walk(frontier, now):
                return candidate
            if not all(ant.done for ant in self._ants):
                break
            self._next_cycle()
        return self._stray(frontier, now)

    def redirected(self, url: str, target: str) -> None:
        """Send the ants that want ``url`` to ``target``, which waits in its place."""
        old, new = self._map.moved(url, target)
        for ant in self._ants:
            if ant.wants == old:
                ant.wants = new

    def state(self) -> State:
        """Return the ants, what they may not visit, the pheromone, and the random generator."""
        return {
            "cycle": self._cycle,
            "turn": self._turn,
            "ants": [asdict(ant) for ant in self._ants],
            "looked": np.array(self._looked, np.int32),
            "asked": np.array(self._asked, np.int32),
            "trails": self._trails.state(),
            "rng": generator_state(self._rng),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned; no request is pending any more."""
        self._cycle, self._turn = state["cycle"], state["turn"]
        self._ants = [Ant(**deepcopy(ant)) for ant in state["ants"]]
        self._looked, self._asked = state["looked"].tolist(), state["asked"].tolist()
        self._under_way = set()
        self._trails.restore(state["trails"])
        restore_generator(self._rng, state["rng"])

    def _walk(self, frontier: Frontier, now: float) -> Candidate | None:
        """Let the ants move in turn until one has something to fetch, or none can move."""
        still = 0
        while still < len(self._ants):
            ant = self._ants[self._turn % len(self._ants)]
            self._turn += 1
            before = ant.status
            if not ant.done and not self._waits(ant):
                if ant.wants is not None:
                    self._arrive(ant)
                if ant.wants is None:
                    self._decide(ant)
                candidate = None if ant.wants is None else self._lease(ant, frontier, now)
                if candidate is not None:
                    return candidate
            still = 0 if ant.status != before else still + 1
        return None

    def _decide(self, ant: Ant) -> None:
        """Choose where to go next: nowhere, after the last step or with nothing left to follow."""
        if ant.at is None or ant.steps >= self._steps:
            ant.done = True
            return
        open_ = self._trails.open(ant.at)
        unseen = open_.ends[self._map.are_waiting(open_.ends)]
        if self._lookahead and len(unseen):
            self._looked.append(int(unseen[0]))
            ant.why = f"ant {ant.number} looks at all links of its page before it chooses"
            ant.wants, ant.looks = int(unseen[0]), True
        elif len(open_.links):
            link, end, why = self._trails.draw(open_, self._rng)
            step = f"ant {ant.number}, step {ant.steps + 1} of {self._steps}"
            ant.go(link, end, f"{step} in cycle {self._cycle}: {why}")
            self._arrive(ant)
        else:
            ant.done = True

    def _arrive(self, ant: Ant) -> None:
        """Go on if what the ant wants is there, or turn back if there is nothing."""
        assert ant.wants is not None
        ant.wants = self._map.graph.where(ant.wants)
        if not ant.looks:
            self._trails.tabu.add(ant.wants)
        if self._map.graph.is_page(ant.wants):
            ant.arrive()
        elif self._map.is_gone(ant.wants):
            ant.turn_back()

    def _lease(self, ant: Ant, frontier: Frontier, now: float) -> Candidate | None:
        """Lease what the ant wants; what never can be had is given up."""
        assert ant.wants is not None
        if candidate := self._take(ant.wants, lambda: ant.why, frontier, now):
            return candidate
        if self._map.is_gone(ant.wants):
            self._trails.tabu.discard(ant.wants)  # a seed under way is there later
            ant.turn_back()
        elif ant.waited > _PATIENCE:
            self._trails.tabu.add(ant.wants)
            ant.turn_back()
        return None

    def _stray(self, frontier: Frontier, now: float) -> Candidate | None:
        """The best link that may be asked for, unless all ants on their way wait for responses."""
        out = [ant for ant in self._ants if not ant.done]
        resting = [ant for ant in out if not self._waits(ant)]
        if out and (not resting or not self._has_waited(now)):
            return None
        candidate = self._take_best(frontier, now)
        for ant in resting if candidate else ():
            ant.waited += 1
        return candidate

    def _begin_at_seeds(self) -> None:
        """Place ants on the pages that none of them asked for: seeds, and some answer late."""
        asked = {self._map.graph.where(number) for number in self._asked} | self._trails.tabu
        pages = [page for page in self._map.pages() if page not in asked]
        pages.sort(key=lambda page: -(self._map.relevance(page) or 0.0))
        for page in sorted(pages[: max(0, self._most - len(self._ants))]):
            self._cycle = 1
            self._ants.append(Ant(len(self._ants) + 1, page))
            self._trails.tabu.add(page)

    def _next_cycle(self) -> None:
        """Leave pheromone; place ants on the front of what was looked at, or of what waits."""
        if self._ants:
            self._trails.end_cycle([ant.path for ant in self._ants])
            self._map.rank.settle(_RANK_ERROR)
        graph = self._map.graph
        pages = [page for page in map(graph.where, self._looked) if graph.is_page(page)]
        looked = np.array(list(dict.fromkeys(pages)), np.int32)
        looked = looked[self._trails.pass_threshold(looked)]
        among = looked if len(looked) else self._map.waiting()
        chosen = select_links(self._map, among, self._most)
        self._cycle += bool(chosen or self._ants)
        self._ants = []
        for n, (number, why) in enumerate(chosen.items(), start=1):
            objectives = self._map.describe(number)
            start = f"start of ant {n} in cycle {self._cycle}: {why} ({objectives})"
            self._ants.append(Ant(n, None, number, start))
            self._trails.tabu.add(number)
        self._looked = []

    def _waits(self, ant: Ant) -> bool:
        """Has it asked for a page that is under way?"""
        return ant.wants is not None and self._map.graph.url(ant.wants) in self._under_way

    def _leased(self, candidate: Candidate, why: str) -> Candidate:
        if self._cycle <= 1:
            self._asked.append(self._map.graph.number(candidate.url))
        return super()._leased(candidate, why)
