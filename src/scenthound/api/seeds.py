"""Seeds from Python: where a crawl could start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from scenthound.api.arguments import check_number, check_options, check_path, check_topic
from scenthound.api.shared import load_lexicon, warn_caller
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.experiments.topic_reading import Warn
from scenthound.live.options import CrawlOptions
from scenthound.live.scoping import scope_advice

if TYPE_CHECKING:  # the search for seeds is loaded by those who need it
    from scenthound.seeding.found import SearchProvider
    from scenthound.seeding.proposal import Proposal
    from scenthound.seeding.report import Report


def find_seeds(
    topic: Topic,
    sources: Sequence[str] | None = None,
    *,
    providers: Sequence[SearchProvider] = (),
    searxng: str | None = None,
    archive: str | Path | None = None,
    count: int = 20,
    fetch: int = 0,
    options: CrawlOptions | None = None,
    wordnet: str | Path | None = None,
    doing: Callable[[str], None] | None = None,
    warn: Warn | None = None,
    report: Callable[[Report], None] | None = None,
) -> list[Proposal]:
    """Proposals for seeds and example pages, best first, for a person to choose from.

    Parameters
    ----------
    topic : what pages should be about; the sites of its seeds are looked at.
    sources : any of ``sitemaps``, ``feeds``, ``searxng``, ``archive``, and the names that
        installed packages add. By default sitemaps and feeds, and what else an address is given
        for.
    providers : search providers of your own to ask besides.
    searxng : address of a SearXNG server.
    archive : a WARC file, WACZ file, or a folder of either or of HTML files, to search in.
    count : proposals wanted.
    fetch : how many of the best are fetched and judged by their text. Only those can be proposed
        as example pages.
    options : how requests are made (delay, contact, proxy, ...), and the scope of the crawl:
        what that would not follow is not proposed; see :class:`CrawlOptions`.
    wordnet : a WordNet folder to use instead of the one that is shipped.
    doing : called with what is being done, in words.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.
    report : called at the end with what each source found, and why the rest is no proposal.

    A place that cannot be asked is told through ``warn`` and passed over; where nothing is found
    the list is empty, and ``report`` says whether every source went wrong.
    """
    from scenthound.seeding.discovery import discover
    from scenthound.seeding.order import Order
    from scenthound.seeding.sources import default_sources
    from scenthound.seeding.telling import Teller

    _check(topic, sources, archive, count, fetch, options, wordnet)
    tell = warn or warn_caller
    order = Order(
        topic=topic,
        sources=tuple(default_sources(topic, searxng, archive) if sources is None else sources),
        count=count,
        fetch=fetch,
        searxng=searxng,
        archive=None if archive is None else Path(archive),
        options=options or CrawlOptions(),
    )
    for advice in scope_advice(topic, order.options):
        tell(advice)
    teller = Teller(tell) if doing is None else Teller(tell, doing)
    lexicon = load_lexicon(wordnet, tell)
    found = discover(order, teller, providers, lexicon, year=datetime.now(UTC).year)
    if report is not None:
        report(found.report)
    return found.proposals


def _check(
    topic: object,
    sources: object,
    archive: object,
    count: object,
    fetch: object,
    options: object,
    wordnet: object,
) -> None:
    check_topic(topic)
    if isinstance(sources, str):
        raise SettingsError(f"sources takes a list of names, not the text {sources!r}.")
    check_path("archive", archive)
    check_number("count", count, whole=True)
    check_number("fetch", fetch, whole=True)
    check_options(options)
    check_path("wordnet", wordnet)
