"""Explanations from Python: why a page was fetched, and why another one was not."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime

from scenthound.api.arguments import check_number
from scenthound.api.merging import Folders, given_folders
from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.corpus.as_one import open_as_one
from scenthound.explanation.asking import Asked, asked
from scenthound.explanation.explaining import Explainer
from scenthound.explanation.link_search import OnPage
from scenthound.explanation.model import Explanation

TERMS = 10
OnBad = Callable[[InputError], None]
"""Told of what cannot be explained."""


def explain(
    folder: Folders, url: str | int, *, terms: int = TERMS, on_page: OnPage | None = None
) -> Explanation:
    """Why a page of a crawl was fetched and is relevant or not; why a URL was not fetched.

    Parameters
    ----------
    folder : of a crawl or a replay; the crawl may be running. Of a crawl of several workers one
        folder of them, the one that holds them, or a list of them.
    url : a URL, with or without its scheme, or the number of a page.
    terms : how many of the terms that made a page similar are told one by one.
    on_page : told how many stored pages were looked through, and of how many, for links to a URL
        that the crawl does not know.

    Raises
    ------
    FolderError
        There is no crawl in the folder, or it cannot be read.
    SettingsError
        It is no URL, or there is no page of that number.
    """
    (only,) = explain_all(folder, [url], terms=terms, on_page=on_page)
    return only


def explain_all(
    folder: Folders,
    what: Sequence[str | int],
    *,
    terms: int = TERMS,
    on_page: OnPage | None = None,
    on_bad: OnBad | None = None,
) -> list[Explanation]:
    """Several explanations, for one reading of the journal; see :func:`explain`.

    ``on_bad`` gets the error for what is no URL and no page, which is then left out; without it
    the first one is raised.
    """
    folders = given_folders("folder", folder)
    _check_terms(terms)
    refuse = on_bad or _raise
    wanted = list(_asked(what, refuse))
    now = time.time()
    try:
        with open_as_one(folders) as stored:
            explainer = Explainer(
                stored,
                terms=terms,
                now=now,
                year=datetime.fromtimestamp(now, UTC).year,
                running=stored.is_live and stored.is_running,
                on_page=on_page,
            )
            return explainer.explain(wanted, refuse)
    except sqlite3.Error as error:
        raise FolderError(
            f"the database in {folders[0]} cannot be read ({error}); if the crawl has just begun, "
            "try again when it has fetched a page."
        ) from None


def _asked(what: object, refuse: OnBad) -> Iterator[Asked]:
    if isinstance(what, str | bytes) or not isinstance(what, Iterable):
        raise SettingsError("explain_all takes a list of URLs and numbers; put one in brackets.")
    for each in what:
        try:
            yield asked(each)
        except SettingsError as error:
            refuse(error)


def _check_terms(terms: object) -> None:
    check_number("terms", terms, whole=True)
    if not isinstance(terms, int) or terms < 0:
        raise SettingsError(f"{terms} terms cannot be told; give 0 or more.")


def _raise(error: InputError) -> None:
    raise error
