"""What a crawl brought home, from Python: written to a file, or row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from scenthound.api.arguments import check_number, check_path
from scenthound.api.merging import Folders, given_folders
from scenthound.core.errors import SettingsError
from scenthound.corpus.as_one import open_as_one
from scenthound.corpus.choosing import Choice, Counts
from scenthound.corpus.exporting import Exported, export_crawl
from scenthound.corpus.fields import Field, Row, chosen_fields
from scenthound.corpus.rows import rows
from scenthound.corpus.target import default_target
from scenthound.corpus.text_readers import check_jobs, default_jobs
from scenthound.corpus.wish import Format, OnProgress, Wish, format_for


def export(
    folder: Folders,
    out: str | Path | None = None,
    format: str | None = None,
    *,
    relevant: bool = False,
    min_relevance: float | None = None,
    everything: bool = False,
    fields: Sequence[str] | None = None,
    text: bool = True,
    jobs: int | None = None,
    force: bool = False,
    on_progress: OnProgress | None = None,
) -> Exported:
    """Write the pages of a crawl to a file: finished, interrupted or still running.

    Parameters
    ----------
    folder : of the crawl, live or replayed, or the one that holds the folders of its workers, or
        a list of those; nothing in it is changed.
    out : the file, by default beside the folder and named after it; ``-`` is standard output.
        It has to be given for a list of folders.
    format : ``jsonl``, ``csv``, ``parquet`` or ``wacz``; by default what ``out`` ends in, or
        else ``jsonl``.
    relevant : only pages that the crawl found relevant.
    min_relevance : only pages of at least this relevance, 0 to 1.
    everything : also copies, errors and pages that asked not to be kept, without a text.
    fields : the columns, in this order; all by default. Not for ``wacz``.
    text : find the main text of each page, its language, date and author, which takes most of
        the time.
    jobs : processes to do that; by default one a core, eight at most.
    force : overwrite a file that is there.
    on_progress : called now and then with what is done, how far that is, and how far it goes.

    Raises
    ------
    InputError
        The folder holds no crawl, or something given cannot be used.

    A page whose record in the WARC files is damaged or gone stops nothing: see ``lost`` and
    ``damage`` of what is returned.
    """
    folders = given_folders("folder", folder)
    check_path("out", out)
    check_number("min_relevance", min_relevance)
    chosen = format_for(format, None if out is None else Path(out))
    if chosen is Format.WACZ and fields is not None:
        raise SettingsError("a WACZ has no columns to choose; leave out --fields.")
    target = _beside(folders, chosen) if out is None else Path(out)
    wish = Wish(
        format=chosen,
        out=target,
        fields=chosen_fields(fields, text),
        choice=Choice(relevant, min_relevance, everything),
        text=text,
        jobs=default_jobs() if jobs is None else check_jobs(jobs),
        force=force,
    )
    tell, is_wacz = on_progress or _silent, chosen is Format.WACZ
    with open_as_one(folders, copied=is_wacz, on_progress=tell) as crawl:
        return export_crawl(crawl, wish, datetime.now(UTC), tell)


def corpus_rows(
    folder: Folders,
    *,
    relevant: bool = False,
    min_relevance: float | None = None,
    everything: bool = False,
    fields: Sequence[str] | None = None,
    text: bool = True,
    jobs: int | None = None,
) -> Iterator[Row]:
    """The pages of a crawl, one dict each; see :func:`export` for the parameters.

    Close the iterator, or take all of it: until then processes may be waiting to read pages.
    """
    folders = given_folders("folder", folder)
    check_number("min_relevance", min_relevance)
    columns = chosen_fields(fields, text)
    choice = Choice(relevant, min_relevance, everything)
    return _rows(folders, columns, choice, default_jobs() if jobs is None else check_jobs(jobs))


def _rows(
    folders: Sequence[Path], columns: tuple[Field, ...], choice: Choice, jobs: int
) -> Iterator[Row]:
    with open_as_one(folders) as crawl:
        yield from rows(crawl, columns, choice, Counts(), jobs)


def _beside(folders: Sequence[Path], chosen: Format) -> Path:
    if len(folders) != 1:
        raise SettingsError("several folders have no place beside them; give out, the file.")
    return default_target(folders[0], chosen.value)


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""
