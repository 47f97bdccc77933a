"""A look at the archives and the libraries before the first run, which finds most mistakes."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

from scenthound.archive import Archive, open_archive
from scenthound.comparison.contenders import Contender
from scenthound.comparison.every_strategy import missing_extra
from scenthound.comparison.grid import Grid
from scenthound.comparison.model import GIVEN, Cell
from scenthound.comparison.provenance import MadeWith, made_by, made_with
from scenthound.comparison.watching import Watch
from scenthound.comparison.webs import Web
from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing
from scenthound.experiments.equipping import refuse_file
from scenthound.lexicon.wordnet import load_wordnet
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.trial_web import EXAMPLES, KEYWORDS, LABELS
from scenthound.text.analyzer import Analyzer
from scenthound.text.pdf import require_pdf

_SLOW = "neural"
"""The extra whose libraries take seconds to load."""


def survey(grid: Grid, watch: Watch, indexes: Path | None = None) -> dict[Cell, MadeWith]:
    """The runs of a grid, each with what it is made with, in the grid's order.

    Every archive is opened, and indexed if it never was; ``indexes`` is the folder for that, None
    for the user's own. InputError of the fitting kind where one cannot be read, an extra is not
    installed, a parameter is out of range, or no seed of a topic is in its archive.
    """
    _check_libraries(grid, watch)
    for each in grid.contenders:
        _try(each)
    fingerprints = {web.name: _looked_at(grid, web, watch, indexes) for web in grid.webs}
    known = {
        (web.name, topic.name): made_with(grid, web, topic, fingerprints[web.name])
        for web in grid.webs
        for topic in web.topics
    }
    by_strategy = {each.label: made_by(each.name) for each in grid.contenders}
    return {
        cell: {**known[cell.web, cell.topic], **by_strategy[cell.strategy]} for cell in grid.cells()
    }


def _check_libraries(grid: Grid, watch: Watch) -> None:
    refuse_file(grid.cache.path)
    if grid.rules.pdf:
        require_pdf()
    if grid.rules.wordnet is not None:
        load_wordnet(Path(grid.rules.wordnet), watch.warned)
    for each in grid.contenders:
        if missing := missing_extra(each.recipe):
            raise SettingsError(f"strategy {each.name!r}: {missing}.")


def _try(each: Contender) -> None:
    """Build it once where values were set, unless that takes seconds: a wrong one is told here."""
    if each.parameters and each.recipe.extra != _SLOW:
        labels = LABELS if each.recipe.needs_labels else frozenset()
        briefing = Briefing("trial", KEYWORDS, EXAMPLES)
        ingredients = Ingredients(briefing, Analyzer(), random.Random(0), labels)
        each.recipe.build(ingredients, each.parameters)


def _looked_at(grid: Grid, web: Web, watch: Watch, indexes: Path | None) -> str:
    """The fingerprint of the archive."""
    telling = partial(watch.reading, web.archive.name)
    with open_archive(web.archive, cache=indexes, progress=telling) as archive:
        for reason, skipped in archive.skipped.items():
            watch.warned(
                f"{web.archive.name}: {skipped.count} records skipped ({reason}), "
                f"e.g. {skipped.examples[0]}"
            )
        if GIVEN in grid.seeds:
            _check_seeds(web, archive)
        return archive.fingerprint


def _check_seeds(web: Web, archive: Archive) -> None:
    """A topic without a seed in the archive would fail in every run."""
    for topic in web.topics:
        if not any(url in archive for url in topic.seeds):
            first = f" (the first is {topic.seeds[0]})" if topic.seeds else ""
            drawn = "" if web.labels is None else ", or have them drawn with --seeds relevant"
            raise SettingsError(
                f"{topic}: none of its {len(topic.seeds)} seeds is in {archive.path}{first}; give "
                f"seeds that are{drawn}."
            )
