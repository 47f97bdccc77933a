"""Scenthound from Python: give it an archive and a topic, it gives back a run."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping
from pathlib import Path

from scenthound.archive import open_archive
from scenthound.core.model import Topic
from scenthound.experiments.jobs import Plan, Warn
from scenthound.experiments.labels import Labels, read_labels
from scenthound.experiments.result import Run
from scenthound.experiments.runner import OnPage, run
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe, Value

DEFAULT_STRATEGY = "vsm-mean"


class ScenthoundWarning(UserWarning):
    """Something was left out; the crawl goes on."""


def replay(
    archive: str | Path,
    topic: Topic,
    strategy: str | Recipe = DEFAULT_STRATEGY,
    *,
    budget: int | str | None = None,
    labels: str | Path | Labels | None = None,
    seed: int = 0,
    parameters: Mapping[str, Value] | None = None,
    count_missing: bool = False,
    threshold: float | None = None,
    out: str | Path | None = None,
    on_page: OnPage | None = None,
    warn: Warn | None = None,
) -> Run:
    """Crawl an archive as if it were the web.

    Parameters
    ----------
    archive : WARC file, WACZ file, or a folder of either or of HTML files.
    topic : what to look for; see :func:`read_topic` for topic files.
    strategy : a name from ``scenthound strategies``, or a recipe of your own.
    budget : pages to fetch, or a multiple of the labelled pages such as ``"2x"``. By default
        ``"2x"`` with labels and 1,000 pages without.
    labels : human labels, to measure against; strategies never see them.
    seed : of the random generator. Same seed, same archive, same order.
    parameters : the strategy's, by name.
    count_missing : charge the budget for links that lead out of the archive.
    threshold : similarity from which the judge calls a page relevant; calibrated by default.
    out : folder to write the crawl to; it must not hold one already.
    on_page : called with the event of every page.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.
    """
    recipe = CATALOGUE[strategy] if isinstance(strategy, str) else strategy
    if labels is not None and not isinstance(labels, Labels):
        labels = read_labels(Path(labels))
    plan = Plan(
        strategies=[(recipe, recipe.check(parameters or {}))],
        labels=labels,
        budget=None if budget is None else str(budget),
        seed=seed,
        count_missing=count_missing,
        threshold=threshold,
    )
    with open_archive(Path(archive)) as opened:
        (job,) = plan.jobs(opened, [topic], warn or _warn)
        return run(opened, job if out is None else dataclasses.replace(job, out=Path(out)), on_page)


def _warn(message: str) -> None:
    warnings.warn(message, ScenthoundWarning, stacklevel=4)
