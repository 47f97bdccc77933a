"""From what was found to proposals: score, read the best, choose; the rest is counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scenthound.core.model import Page
from scenthound.live.clearance import BY_ROBOTS
from scenthound.live.errands import Unfetched
from scenthound.seeding import archive_search
from scenthound.seeding.admission import Admission
from scenthound.seeding.found import Found
from scenthound.seeding.means import Means
from scenthound.seeding.proposal import Kind, Proposal, chosen, spread
from scenthound.seeding.report import BEYOND, KNOWN, NO_WORD, NOT_ABOUT, UNFETCHED
from scenthound.seeding.scoring import Scorer

Group = Sequence[Found]
"""All that was found of one address."""


class Assessment:
    """Makes proposals.

    What an archive was searched for is scored by its text, which lies there. Of the rest the best
    are fetched and scored by theirs, as many as the order says.

    Parameters
    ----------
    scorer : scores.
    means : read pages.
    admission : has decided which addresses may be proposed, and counts the others.
    """

    def __init__(self, scorer: Scorer, means: Means, admission: Admission) -> None:
        self._scorer = scorer
        self._means = means
        self._admission = admission
        self._judged: dict[str, Proposal] = {}
        self._tried: set[str] = set()
        self._unfetched: list[Unfetched] = []
        self._poor = 0

    def proposals(self, groups: Iterable[Group]) -> list[Proposal]:
        """The best of all, best first."""
        order, left_out = self._means.order, self._admission.left_out
        self._means.teller.doing("scoring")
        archived, others = self._parted(groups)
        # Nobody asked to have these read: they are proposed as those are that are not read.
        self._read(self._scorer.titled(archived), None if order.fetch else Kind.SEED)
        titled = self._titled(others)
        self._read(chosen(titled, order.fetch), None)
        self._tell()
        rest = [each for each in titled if each.url not in {*self._tried, *self._judged}]
        candidates = [*self._judged.values(), *rest]
        best = (chosen if order.fetch else spread)(candidates, order.count)
        left_out[BEYOND] += len(candidates) - len(best)
        return best

    def _parted(self, groups: Iterable[Group]) -> tuple[list[Group], list[Group]]:
        """Those that the search in the archive brought, and the others."""
        archived: list[Group] = []
        others: list[Group] = []
        for group in groups:
            is_archived = any(each.source == archive_search.NAME for each in group)
            lies_there = self._means.archive is not None and group[0].url in self._means.archive
            (archived if is_archived and lies_there else others).append(group)
        return archived, others

    def _titled(self, groups: Sequence[Group]) -> list[Proposal]:
        """Scored by what is said of them; what a robots.txt forbids that was read is left out."""
        scored = self._scorer.by_title(groups)
        allowed = [each for each in scored if not self._means.forbids(each.url)]
        self._admission.left_out[NO_WORD] += len(groups) - len(scored)
        self._admission.left_out[BY_ROBOTS] += len(scored) - len(allowed)
        return allowed

    def _read(self, proposals: Sequence[Proposal], otherwise: Kind | None) -> None:
        """Each is read and judged; ``otherwise`` is what a page is that is good for nothing."""
        for number, proposal in enumerate(proposals, start=1):
            self._means.teller.doing(f"reading {number} of {len(proposals)}: {proposal.url}")
            self._tried.add(proposal.url)
            page = self._means.page(proposal.url)
            if isinstance(page, Unfetched):
                self._unfetched.append(page)
            else:
                self._judge(proposal, page, otherwise)

    def _judge(self, proposal: Proposal, page: Page, otherwise: Kind | None) -> None:
        if page.url != proposal.url and not self._admission.admits(page.url):
            return  # it has moved to where nothing is proposed, and is counted there
        found = self._scorer.by_text(proposal, page, otherwise)
        if found is None:
            self._poor += 1
        elif found.url in self._judged:
            self._admission.left_out[KNOWN] += 1
        else:
            self._judged[found.url] = found

    def _tell(self) -> None:
        tried = len(self._tried)
        self._admission.left_out[UNFETCHED] += len(self._unfetched)
        self._admission.left_out[NOT_ABOUT] += self._poor
        if self._unfetched:
            first, count = self._unfetched[0], len(self._unfetched)
            self._means.teller.warn(
                f"{_share(count, tried)} cannot be fetched and {_is(count)} left out, "
                f"e.g. {first.url} ({first.reason})"
            )
        if self._poor:
            self._means.teller.warn(
                f"{_share(self._poor, tried)} {_is(self._poor)} not about the topic and left out"
            )


def _share(count: int, total: int) -> str:
    return f"{count} of {total} page{'' if total == 1 else 's'}"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
