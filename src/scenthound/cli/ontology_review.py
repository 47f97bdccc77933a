"""``scenthound ontology learn --review``: proposals shown one after the other, and answered."""

from __future__ import annotations

from rich.console import Console

from scenthound.cli.asking import Ask, chosen_answer
from scenthound.cli.screen import plain
from scenthound.ontology_learning.proposals import Proposal
from scenthound.ontology_learning.steps import Enough

_YES, _NO, _ALL, _SKIP, _QUIT = "yes", "no", "all", "skip", "quit"
_ANSWERS = {word[0]: word for word in (_YES, _NO, _ALL, _SKIP, _QUIT)}
_ANSWERS |= {word: word for word in (_YES, _NO, _ALL, _SKIP, _QUIT)}
_PROMPT = "  y(es), n(o), a(ll of this step), s(kip this step), q(uit), then Enter: "
_KNOWN = "  The answers are: y, n, a, s and q, or the words yes, no, all, skip and quit."


class Reviewing:
    """Asks a person about every proposal.

    Parameters
    ----------
    screen : where proposals are shown.
    ask : how an answer is got.
    """

    def __init__(self, screen: Console, ask: Ask) -> None:
        self._screen = screen
        self._ask = ask
        self._step, self._done, self._total = "", 0, 0
        self._for_all: bool | None = None

    def begin(self, step: str, done: int, total: int) -> None:
        """Learning tells where it is: what was said of a whole step ends with it."""
        self._done, self._total = done, total
        if step != self._step:
            self._step, self._for_all = step, None

    def __call__(self, proposal: Proposal) -> bool:
        """Is the proposal accepted? Enough is raised where somebody wants to end."""
        if self._for_all is not None:
            return self._for_all
        self._show(proposal)
        said = chosen_answer(self._typed, _PROMPT, _ANSWERS, at_end=_QUIT)
        if said == _QUIT:
            raise Enough
        if said in (_ALL, _SKIP):
            self._for_all = said == _ALL
        return said in (_YES, _ALL)

    def _typed(self, prompt: str) -> str:
        """What was typed; where that is no answer, the answers are told."""
        typed = self._ask(prompt)
        if typed.strip().lower() not in _ANSWERS:
            self._screen.print(plain(_KNOWN), soft_wrap=True)
        return typed

    @property
    def _place(self) -> str:
        """How far the step is. What is dropped may bring further proposals: the end can move."""
        if self._done < self._total:
            return f"{self._done + 1} of {self._total} in this step"
        return f"beyond the {self._total} expected in this step"

    def _show(self, proposal: Proposal) -> None:
        relation = "" if proposal.parent is None else f" {proposal.kind.value} {proposal.parent}"
        self._screen.print()
        title = f"[{self._step}, {self._place}] {proposal.label}"
        self._screen.print(plain(title), style="bold", soft_wrap=True)
        self._screen.print(plain(f"  {proposal.label}{relation}"), soft_wrap=True)
        self._screen.print(plain(f"  {proposal.origin}"), style="dim", soft_wrap=True)
