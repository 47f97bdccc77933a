"""A look at the archives and the libraries before the first run, which finds most mistakes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from scenthound.archive import Archive, open_archive
from scenthound.comparison.every_strategy import missing_extra
from scenthound.comparison.grid import Grid
from scenthound.comparison.model import GIVEN, Cell
from scenthound.comparison.provenance import MadeWith, made_with
from scenthound.comparison.watching import Watch
from scenthound.comparison.webs import Web
from scenthound.core.errors import SettingsError
from scenthound.experiments.equipping import refuse_file
from scenthound.lexicon.wordnet import load_wordnet
from scenthound.text.pdf import require_pdf


def survey(grid: Grid, watch: Watch) -> dict[Cell, MadeWith]:
    """The runs of a grid, each with what it is made with, in the grid's order.

    Every archive is opened, and indexed if it never was. InputError of the fitting kind where one
    cannot be read, an extra is not installed, or no seed of a topic is in its archive.
    """
    _check_libraries(grid, watch)
    fingerprints = {web.name: _looked_at(grid, web, watch) for web in grid.webs}
    known = {
        (web.name, topic.name): made_with(grid, web, topic, fingerprints[web.name])
        for web in grid.webs
        for topic in web.topics
    }
    return {cell: known[cell.web, cell.topic] for cell in grid.cells()}


def _check_libraries(grid: Grid, watch: Watch) -> None:
    refuse_file(grid.cache.path)
    if grid.rules.pdf:
        require_pdf()
    if grid.rules.wordnet is not None:
        load_wordnet(Path(grid.rules.wordnet), watch.warned)
    for each in grid.contenders:
        if missing := missing_extra(each.recipe):
            raise SettingsError(f"strategy {each.name!r}: {missing}.")


def _looked_at(grid: Grid, web: Web, watch: Watch) -> str:
    """The fingerprint of the archive."""
    telling = partial(watch.reading, web.archive.name)
    with open_archive(web.archive, progress=telling) as archive:
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
            raise SettingsError(
                f"{topic}: none of its {len(topic.seeds)} seeds is in {archive.path}{first}; give "
                "seeds that are, or have them drawn with --seeds relevant."
            )
