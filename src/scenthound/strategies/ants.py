"""The policy of the ant colony (olmoaco section 4, Algorithm 1).

The paper downloads every link of a page before an ant chooses among them, and counts only those
above eta. Here every fetch is counted: an ant chooses by what is known, and fetches what it chose.
Links that no ant followed stay in the frontier, and the next cycle begins at the best of them.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.model import Candidate
from scenthound.core.protocols import Frontier, Scorer, State
from scenthound.strategies.ant import Ant
from scenthound.strategies.fronts import selected
from scenthound.strategies.mapped import MappedTexts
from scenthound.strategies.pheromones import Pheromones, chances, heuristic
from scenthound.strategies.policies import generator_state, restore_generator
from scenthound.strategies.text_forms import within_0_and_1

HEURISTIC_ANCHOR = 0.6 / 0.85
"""Weight of the anchor beside that of the target, in the proportion of Eq. 10 (0.6 : 0.25)."""
_PATIENCE = 20
"""How often in vain an ant asks for a page whose host rests while others could be asked."""
_STRAY = "no ant could go on: the best link that may be asked for now"


class Ants:
    """Ants that walk from page to page and fetch what they come to.

    A cycle: up to ``ants`` ants stand on as many pages, the seeds at first. In turn each chooses a
    link of its page by chance, the more pheromone and the more relevance the likelier (Eq. 16), and
    goes there, ``steps`` times. A page that was fetched before costs nothing to walk over; any
    other is fetched. No page is visited twice in a cycle. Then pheromone evaporates and is left on
    the ways gone (Eq. 17), and the next ants begin at the non-dominated waiting links by the four
    objectives (Eq. 11-14), at those that are far apart (NFCS, Eq. 18).

    Where nothing that an ant wants may be asked for now, the best waiting link is taken.

    Parameters
    ----------
    ants : most of them in a cycle (w).
    steps : of each ant in a cycle (T).
    psi, xi : powers of pheromone and of relevance in Eq. 16; the paper prints none.
    evaporation : share of the pheromone that is gone after a cycle (rho); not printed either.
    pheromone : on a link that is new (C_0); not printed either.
    lookahead : fetch all links of a page before the ant chooses, as the paper does; those fetches
        count like any other, and a cycle then begins at pages that were looked at.
    """

    walks = True

    def __init__(
        self, rng: random.Random, scorer: Scorer, *, ants: int = 30, steps: int = 9,
        psi: float = 1.0, xi: float = 5.0, evaporation: float = 0.1, pheromone: float = 1.0,
        lookahead: bool = False,
    ) -> None:  # fmt: skip
        assert isinstance(scorer, MappedTexts), "ants need a map"
        within_0_and_1(evaporation=evaporation)
        for name, value in (("psi", psi), ("xi", xi), ("pheromone", pheromone)):
            if not 0.0 <= value <= 100.0:
                raise SettingsError(f"{name} must lie within 0 and 100, not at {value}.")
        for name, count in (("ants", ants), ("steps", steps)):
            if count < 1:
                raise SettingsError(f"{name} must be 1 or more, not {count}.")
        self._rng = rng
        self._map = scorer.map
        self._most, self._steps = ants, steps
        self._psi, self._xi = psi, xi
        self._lookahead = lookahead
        self._pheromones = Pheromones(self._map.graph, pheromone, evaporation)
        self._cycle = 0
        self._turn = 0
        self._ants: list[Ant] = []
        self._tabu: set[int] = set()
        self._looked: list[int] = []
        self._under_way: set[str] = set()

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease what the next ant wants; None while all wait for answers."""
        for _ in range(2):  # the ants of this cycle, or else those of the next
            candidate = self._walk(frontier, now)
            if candidate is not None:
                return candidate
            if any(map(self._waits, self._ants)):
                return None
            if not all(ant.done for ant in self._ants):
                break  # their hosts rest
            self._end_cycle()
            self._begin_cycle()
        best = frontier.lease(1, now)
        return self._leased(best[0], _STRAY) if best else None

    def answered(self, url: str) -> None:
        """An answer came for what an ant wanted."""
        self._under_way.discard(url)

    def redirected(self, url: str, target: str) -> None:
        """What was asked for under ``url`` waits as ``target`` now: whoever wants it goes there."""
        old, new = self._map.moved(url, target)
        for ant in self._ants:
            if ant.wants == old:
                ant.wants = new

    def state(self) -> State:
        """The ants, what they may not visit, the pheromone, and the random generator."""
        return {
            "cycle": self._cycle,
            "turn": self._turn,
            "ants": [ant.to_json() for ant in self._ants],
            "tabu": np.array(sorted(self._tabu), np.int32),
            "looked": np.array(self._looked, np.int32),
            "pheromones": self._pheromones.state(),
            "rng": generator_state(self._rng),
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave; nothing is under way any more."""
        cycle, turn, ants = state["cycle"], state["turn"], state["ants"]
        tabu, looked = state["tabu"], state["looked"]
        pheromones, rng = state["pheromones"], state["rng"]
        assert isinstance(cycle, int) and isinstance(turn, int) and isinstance(ants, list)
        assert isinstance(tabu, np.ndarray) and isinstance(looked, np.ndarray)
        assert isinstance(pheromones, dict) and isinstance(rng, dict)
        self._cycle, self._turn = cycle, turn
        self._ants = [Ant.from_json(ant) for ant in ants]
        self._tabu, self._looked = set(tabu.tolist()), looked.tolist()
        self._under_way = set()
        self._pheromones.restore(pheromones)
        restore_generator(self._rng, rng)

    def _walk(self, frontier: Frontier, now: float) -> Candidate | None:
        """Let the ants move in turn until one has something to fetch, or none can move."""
        still = 0
        while still < len(self._ants):
            ant = self._ants[self._turn % len(self._ants)]
            self._turn += 1
            before = (ant.at, ant.steps, ant.done, ant.wants)
            candidate = self._move(ant, frontier, now)
            if candidate is not None:
                return candidate
            still = 0 if (ant.at, ant.steps, ant.done, ant.wants) != before else still + 1
        return None

    def _move(self, ant: Ant, frontier: Frontier, now: float) -> Candidate | None:
        """One step of an ant: over a page that is here, or to one that is to be fetched."""
        if ant.done or self._waits(ant):
            return None
        if ant.wants is not None:
            self._arrive(ant)
        if ant.wants is None:
            self._decide(ant)
        return None if ant.wants is None else self._ask(ant, frontier, now)

    def _decide(self, ant: Ant) -> None:
        """Where next? Nowhere, after the last step or with nothing left to follow."""
        open_ = [] if ant.at is None or ant.steps >= self._steps else self._open(ant.at)
        if not open_ or ant.at is None:
            ant.done = True
            return
        ends = self._map.ends(self._map.graph.links(ant.at).targets)
        unseen = (int(ends[place]) for place in open_ if self._map.is_waiting(int(ends[place])))
        look = next(unseen, None) if self._lookahead else None
        if look is not None:
            ant.look(look, f"ant {ant.number} looks at all links of its page before it chooses")
            self._looked.append(look)
            return
        place, why = self._drawn(ant.at, open_, f"ant {ant.number}, step {ant.steps + 1}")
        self._tabu.add(int(ends[place]))
        ant.go(int(self._map.graph.links(ant.at).targets[place]), int(ends[place]), why)
        self._arrive(ant)

    def _open(self, page: int) -> list[int]:
        """Places of the links of a page that may be followed."""
        ends = self._map.ends(self._map.graph.links(page).targets).tolist()
        return [
            place
            for place, end in enumerate(ends)
            if end not in self._tabu and not self._map.is_gone(end)
        ]

    def _drawn(self, page: int, open_: list[int], who: str) -> tuple[int, str]:
        """One of the links of a page, by Eq. 16, and why."""
        links = self._map.graph.links(page)
        anchors = links.anchors[open_]
        targets = self._map.relevances(self._map.ends(links.targets[open_]))
        trail = self._pheromones.on(page)[open_]
        worth = heuristic(anchors, targets, HEURISTIC_ANCHOR)
        shares = chances(trail, worth, self._psi, self._xi)
        drawn = int(np.searchsorted(np.cumsum(shares), self._rng.random(), side="right"))
        drawn = min(drawn, len(open_) - 1)
        why = (
            f"{who} of {self._steps} in cycle {self._cycle}: chance {shares[drawn]:.2f} by anchor "
            f"{anchors[drawn]:.2f}, target {targets[drawn]:.2f} and pheromone {trail[drawn]:.2f}"
        )
        return open_[drawn], why

    def _ask(self, ant: Ant, frontier: Frontier, now: float) -> Candidate | None:
        """Lease what the ant wants; what never can be had is given up."""
        assert ant.wants is not None
        url = self._map.graph.url(ant.wants)
        candidate = frontier.take(url, now)
        if candidate is not None:
            return self._leased(candidate, ant.why)
        ant.waited += 1
        if frontier.is_closed(url):
            self._map.close(ant.wants)
            ant.turn_back()
        elif ant.waited > _PATIENCE:
            self._tabu.add(ant.wants)
            ant.turn_back()
        return None

    def _arrive(self, ant: Ant) -> None:
        """Is what the ant wants there? Or is it known by now that there is nothing?"""
        assert ant.wants is not None
        ant.wants = self._map.graph.where(ant.wants)
        if self._map.graph.is_page(ant.wants):
            ant.arrive()
        elif self._map.is_gone(ant.wants):
            ant.turn_back()

    def _begin_cycle(self) -> None:
        """Place the ants: on the pages fetched so far at first, then on the front."""
        self._cycle += 1
        self._tabu = set()
        if self._cycle == 1:
            self._ants = [Ant(n, page) for n, page in enumerate(self._first_pages(), start=1)]
        else:
            looked = [self._map.graph.where(each) for each in dict.fromkeys(self._looked)]
            pages = [page for page in looked if self._map.graph.is_page(page)]
            among = np.array(pages, np.int32) if pages else self._map.waiting()
            chosen = selected(self._map, among, self._most)
            self._ants = [
                Ant(n, None, each.number, f"start of ant {n} in cycle {self._cycle}: {each.why}")
                for n, each in enumerate(chosen, start=1)
            ]
        self._tabu.update(ant.at if ant.wants is None else ant.wants for ant in self._ants)  # type: ignore[misc]
        self._looked = []

    def _end_cycle(self) -> None:
        """Let pheromone evaporate, and leave some on the ways that were gone."""
        if self._ants:
            self._pheromones.end_cycle([self._left_on(ant) for ant in self._ants])

    def _left_on(self, ant: Ant) -> list[tuple[int, int, float]]:
        ends = self._map.ends(np.array([link for _, link in ant.path], np.int32)).tolist()
        found = [self._map.relevance(end) or 0.0 for end in ends]
        return [(*edge, relevance) for edge, relevance in zip(ant.path, found, strict=True)]

    def _first_pages(self) -> list[int]:
        """The pages fetched so far, the most relevant where they are too many."""
        pages = self._map.pages()
        order = sorted(pages, key=lambda page: -(self._map.relevance(page) or 0.0))
        return sorted(order[: self._most])

    def _waits(self, ant: Ant) -> bool:
        """Has it asked for a page that is under way?"""
        return ant.wants is not None and self._map.graph.url(ant.wants) in self._under_way

    def _leased(self, candidate: Candidate, why: str) -> Candidate:
        self._under_way.add(candidate.url)
        return replace(candidate, chosen=why)
