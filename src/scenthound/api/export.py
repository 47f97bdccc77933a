"""What a crawl brought home, from Python: written to a file, or row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from scenthound.api.arguments import check_given_path, check_number, check_path
from scenthound.core.errors import SettingsError
from scenthound.corpus.choosing import Choice, Counts
from scenthound.corpus.exporting import Exported, export_crawl
from scenthound.corpus.fields import Field, Row, chosen_fields
from scenthound.corpus.rows import rows
from scenthound.corpus.stored_crawl import open_crawl
from scenthound.corpus.target import default_target
from scenthound.corpus.text_readers import check_jobs, default_jobs
from scenthound.corpus.wish import Format, OnProgress, Wish, format_for


def export(
    folder: str | Path,
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
    folder : of the crawl, live or replayed; nothing in it is changed.
    out : the file, by default beside the folder and named after it; ``-`` is standard output.
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
    check_given_path("folder", folder)
    check_path("out", out)
    check_number("min_relevance", min_relevance)
    chosen = format_for(format, None if out is None else Path(out))
    if chosen is Format.WACZ and fields is not None:
        raise SettingsError("a WACZ has no columns to choose; leave out --fields.")
    target = default_target(Path(folder), chosen.value) if out is None else Path(out)
    wish = Wish(
        format=chosen,
        out=target,
        fields=chosen_fields(fields, text),
        choice=Choice(relevant, min_relevance, everything),
        text=text,
        jobs=default_jobs() if jobs is None else check_jobs(jobs),
        force=force,
    )
    with open_crawl(Path(folder)) as crawl:
        return export_crawl(crawl, wish, datetime.now(UTC), on_progress or _silent)


def corpus_rows(
    folder: str | Path,
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
    check_given_path("folder", folder)
    check_number("min_relevance", min_relevance)
    columns = chosen_fields(fields, text)
    choice = Choice(relevant, min_relevance, everything)
    return _rows(
        Path(folder), columns, choice, default_jobs() if jobs is None else check_jobs(jobs)
    )


def _rows(folder: Path, columns: tuple[Field, ...], choice: Choice, jobs: int) -> Iterator[Row]:
    with open_crawl(folder) as crawl:
        yield from rows(crawl, columns, choice, Counts(), jobs)


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""
