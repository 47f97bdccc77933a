"""What the dashboard answers: what is asked of a crawl in, JSON out.

Everything here reads files and may take a while, so it is called in threads.
"""

from __future__ import annotations

from scenthound.dashboard.answers import Answers
from scenthound.dashboard.asked import Refused
from scenthound.dashboard.crawl_answers import CrawlAnswers
from scenthound.dashboard.crawl_reader import Clock, CrawlReader
from scenthound.dashboard.curve import as_lists
from scenthound.dashboard.page_answers import PageAnswers
from scenthound.dashboard.plain_values import Json
from scenthound.dashboard.reasons import Reasons
from scenthound.dashboard.roster import Roster
from scenthound.dashboard.searching import Wanted
from scenthound.dashboard.standing import PAUSED, RUNNING, STOPPING
from scenthound.dashboard.team import Shown, Team
from scenthound.dashboard.team_answers import TeamAnswers

ACTIONS = ("pause", "resume", "stop")


class Views:
    """Answers by the id of a crawl; Refused (404) for an id that there is not.

    Parameters
    ----------
    roster : the crawls.
    now : the time in seconds since 1970.
    """

    def __init__(self, roster: Roster, now: Clock) -> None:
        self._roster = roster
        self._now = now
        self._reasons = Reasons(now)

    def crawls(self) -> Json:
        """All crawls, in a few figures each."""
        return {"crawls": self._roster.crawls()}

    def crawl(self, name: str) -> Json:
        """One crawl, with its settings, hosts, frontier and last pages."""
        return self._answers(name).detail(self.told(self.shown(name)))

    def curve(self, name: str, points: int) -> Json:
        """The curve; no points for a crawl without a page."""
        return {"points": as_lists(self._answers(name).curve(points))}

    def pages(self, name: str, wanted: Wanted, before: str | None, most: int) -> Json:
        """Pages that are wanted, the newest first; ``before`` is what was given as next."""
        return self._answers(name).pages(wanted, before or "", most)

    def page(self, name: str, page: int) -> Json:
        """One page, the way to it, and why it was fetched; Refused (404) where there is none."""
        return self._answers(name).page(page)

    def order(self, name: str, action: str) -> Json:
        """Pause, resume or stop a crawl; Refused (409) for one that is not running."""
        crawl = self.shown(name)
        if self.told(crawl)["state"] not in (RUNNING, PAUSED, STOPPING):
            raise Refused(409, "this crawl is not running, so there is nothing to steer.")
        self._answers(name).order(action)
        return self.told(crawl)

    def shown(self, name: str) -> Shown:
        """The crawl with this id."""
        found = self._roster.shown(name)
        if found is None:
            raise Refused(404, "there is no such crawl.")
        return found

    def reader(self, name: str) -> CrawlReader:
        """The folder with this id."""
        found = self.shown(name)
        if isinstance(found, Team):
            raise Refused(404, "these are the folders of several workers.")
        return found

    def told(self, crawl: Shown) -> Json:
        """How a crawl stands."""
        return self._roster.told(crawl)

    def _answers(self, name: str) -> Answers:
        crawl = self.shown(name)
        if isinstance(crawl, Team):
            return TeamAnswers(crawl, PageAnswers(self._reasons, crawl.reader))
        team = self._roster.team_of(crawl)
        pages = PageAnswers(self._reasons, _nobody if team is None else team.reader)
        return CrawlAnswers(crawl, self._now, pages)


def _nobody(number: int) -> CrawlReader | None:
    """The crawl has no other workers that are shown."""
    return None
