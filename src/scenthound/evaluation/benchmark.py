"""bench-web from Python: run strategies on it, or score the fetch order of any crawler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from scenthound.core.errors import SettingsError, warn_caller
from scenthound.crawler.arguments import check_number, check_path, check_required_path
from scenthound.crawler.caches import cache_choice
from scenthound.crawler.topic_reading import Warn
from scenthound.evaluation.bench_web import (
    QUICK_WEBS,
    REFERENCES,
    BenchRun,
    BenchWeb,
    build_bench_web,
    one_topic,
    run_bench,
    score_fetch_order,
    web_name,
)
from scenthound.evaluation.contenders import contender
from scenthound.evaluation.score_card import ScoreCard, read_external_order, score_card
from scenthound.evaluation.worker_pool import ComparisonProgress
from scenthound.sample.web import SampleWeb

OUTSIDE = "outside"


FIRST_WEB = QUICK_WEBS[0]


def bench_web(
    strategies: Sequence[str] = (),
    *,
    quick: bool = False,
    out: str | Path | None = None,
    workers: int | None = None,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    watch: ComparisonProgress | None = None,
    warn: Warn | None = None,
) -> ScoreCard:
    """Run strategies over bench-web, a small open benchmark of generated webs.

    Breadth-first, ``soft-sdvsm`` and the oracle are run beside them. It shows whether a
    strategy works; it proves nothing for the web that people write.

    Parameters
    ----------
    strategies : names, ours or of installed packages, with parameters behind them if wanted:
        ``"shark decay=0.3"``; none for the references alone.
    quick : one web and three topics only.
    out : folder to keep webs and runs in; runs that are finished there are not done again.
    workers : processes at once; by default one for each core.
    cache, cache_limit : where pages, terms and vectors are kept between runs, and how many.
    watch : hears how the runs get on.
    warn : gets what is amiss, in words; by default a :class:`ScenthoundWarning`.
    """
    if isinstance(strategies, str):
        raise SettingsError("strategies takes a list of names, not one text; write [...].")
    check_number("workers", workers, whole=True)
    choice = cache_choice(cache, cache_limit)
    contenders = [contender(text) for text in strategies]
    bench = build_bench_web(quick)
    warn_unknown_webs(bench, warn or warn_caller)
    with _folder(out) as folder:
        runs = run_bench(
            bench, contenders, folder, workers=workers, cache=choice, watch=watch,
            passing=out is None,
        )  # fmt: skip
    return score_card(bench, runs, list(dict.fromkeys(each.label for each in contenders)))


def score_urls(
    file: str | Path,
    topic: str,
    *,
    web: int = FIRST_WEB,
    name: str = OUTSIDE,
    workers: int | None = None,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    watch: ComparisonProgress | None = None,
    warn: Warn | None = None,
) -> ScoreCard:
    """The score card of another crawler, by the addresses that it fetched on bench-web.

    Parameters
    ----------
    file : one URL a line in the order of fetching, or JSON lines with a ``url``. Redirects cost
        nothing, what was fetched before neither; an address where there is nothing costs a fetch.
    topic : the topic that it looked for.
    web : the web that it crawled, by its number.
    name : what the card calls it.
    workers : processes at once, for the references; by default one for each core.
    cache, cache_limit : as for :func:`bench_web`.
    watch : hears how the references get on.
    warn : gets what is amiss, in words; by default a :class:`ScenthoundWarning`.
    """
    check_required_path("file", file)
    check_number("web", web, whole=True)
    if name in REFERENCES:
        raise SettingsError(f"{name!r} is a reference of the card; give another name.")
    tell, choice = warn or warn_caller, cache_choice(cache, cache_limit)
    bench, order = one_topic(web, topic), read_external_order(Path(file))
    warn_unknown_webs(bench, tell)
    (crawled,) = bench.webs
    warn_foreign_urls(crawled, order.urls, str(file), tell)
    fetched = score_fetch_order(crawled, topic, order.urls)
    if order.unreadable:
        tell(f"{file}: {order.unreadable:,} lines hold no URL and are left out")
    if fetched.beyond:
        tell(f"{file}: {fetched.beyond:,} fetches beyond the budget of {fetched.budget} are cut")
    own = BenchRun(web_name(crawled), topic, name, fetched)
    with _folder(None) as folder:
        references = run_bench(
            bench, (), folder, workers=workers, cache=choice, watch=watch, passing=True
        )  # fmt: skip
    return score_card(bench, [*references, own], [name])


def warn_unknown_webs(bench: BenchWeb, warn: Warn) -> None:
    """Warn where the webs are not those of the version, so that no figures get mixed."""
    if not bench.is_known:
        warn(
            "the webs made here are not those of this version of bench-web (another Python, or a "
            "changed generator); its figures compare with no others"
        )


def warn_foreign_urls(web: SampleWeb, urls: Sequence[str], file: str, warn: Warn) -> None:
    """Warn where half of the addresses or more are not in the web; SettingsError where all are."""
    asked = set(urls)
    found = len(asked & web.responses.keys())
    if not found:
        raise SettingsError(
            f"{file}: none of its {len(asked):,} addresses is in web {web.seed} of bench-web; give "
            "the URLs that were fetched through the proxy of --serve, and the --web that it served."
        )
    if 2 * found <= len(asked):
        warn(
            f"{file}: only {found:,} of its {len(asked):,} addresses are in web {web.seed} of "
            "bench-web; was it another --web that was crawled?"
        )


@contextmanager
def _folder(out: str | Path | None) -> Iterator[Path]:
    check_path("out", out)
    if out is not None:
        yield Path(out)
        return
    with TemporaryDirectory(prefix="bench-web-") as name:
        yield Path(name)
