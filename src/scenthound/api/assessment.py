"""Proof from Python: draw pages for a person to judge, and see what the judgements prove."""

from __future__ import annotations

from pathlib import Path

from scenthound.api.arguments import check_given_path, check_labels, check_number
from scenthound.api.merging import Folders, given_folders
from scenthound.api.shared import warn_caller
from scenthound.assessment.frame import Frame, FramePage, read_frame
from scenthound.assessment.judged_file import read_judged_lines, write_judged
from scenthound.assessment.judgements import NO, YES
from scenthound.assessment.sampling import (
    DEFAULT_N,
    Fill,
    Sample,
    Wanted,
    continued_sample,
    new_sample,
)
from scenthound.assessment.score import Question, Score, score_judgements
from scenthound.core.errors import JudgedFileError
from scenthound.corpus.as_one import open_as_one
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.experiments.labels import Labels, read_labels
from scenthound.experiments.topic_reading import Warn


def draw_sample(
    folder: Folders,
    out: str | Path,
    n: int = DEFAULT_N,
    *,
    bands: int | None = None,
    random_seed: int | None = None,
    labels: str | Path | Labels | None = None,
    warn: Warn | None = None,
) -> Sample:
    """Draw documents of a crawl at random within relevance bands, into a CSV file to judge.

    Parameters
    ----------
    folder : of the crawl, which may be running, or that of its workers, or a list of theirs.
    out : the file. If it holds a sample of this crawl already, that one is made larger where
        ``n`` asks for more pages; what is judged stays.
    n : pages to draw; all documents where there are fewer.
    bands : relevance bands; 5 by default.
    random_seed : the same seed draws the same pages; 0 by default.
    labels : fill the judgements in from labels of the crawl's topic, instead of by a person.
    warn : called with a sentence for what is odd; by default a ScenthoundWarning.
    """
    folders = given_folders("folder", folder)
    check_given_path("out", out)
    check_labels(labels)
    for name, value in (("n", n), ("bands", bands), ("random_seed", random_seed)):
        check_number(name, value, whole=True)
    path, wanted = Path(out), Wanted(n, bands, random_seed)
    with open_as_one(folders) as crawl:
        frame, fill = read_frame(crawl.pages()), _filling(labels, crawl)
    if path.exists():
        sample = continued_sample(path, frame, wanted, fill)
    else:
        sample = new_sample(frame, wanted, fill)
    write_judged(path, sample.file)
    _tell_growth(frame, sample.of.pages, warn or warn_caller)
    return sample


def score(
    folder: Folders,
    judged: str | Path,
    *,
    confidence: float = 0.95,
    precision: float = 0.9,
    warn: Warn | None = None,
) -> Score:
    """Precision of a crawl by a file of judgements, and the threshold for a wanted precision.

    Parameters
    ----------
    folder : of the crawl, or that of its workers, or a list of theirs.
    judged : CSV file that :func:`draw_sample` made, or any with columns ``url, judgement``.
    confidence : of the intervals.
    precision : that a threshold is looked for.
    warn : called with a sentence for what is odd; by default a ScenthoundWarning. Lines that were
        left out are in ``Score.judgements.complaints``.

    Raises
    ------
    JudgedFileError
        The file cannot be read, or no line can be used.
    """
    folders = given_folders("folder", folder)
    check_given_path("judged", judged)
    check_number("confidence", confidence)
    check_number("precision", precision)
    question, path = Question(confidence, precision), Path(judged)
    with open_as_one(folders) as crawl:
        frame = read_frame(crawl.pages())
    lines = read_judged_lines(path)
    try:
        found = score_judgements(lines, frame, question)
    except JudgedFileError as error:
        raise JudgedFileError(f"{path}: {error}") from None
    if not found.drawn_at_random:
        (warn or warn_caller)(
            f"{path} was not drawn from this crawl by 'scenthound sample': these pages are no "
            "random sample of it, and the intervals do not hold."
        )
    _tell_growth(frame, found.pages, warn or warn_caller)
    return found


def _filling(labels: str | Path | Labels | None, crawl: StoredCrawl) -> Fill:
    """What new lines begin with: nothing, or what the labels say."""
    if labels is None:
        return _empty
    read = labels if isinstance(labels, Labels) else read_labels(labels)
    about = read.of(crawl.topic.name)
    return lambda page: (YES if page.url in about else NO, "from labels")


def _empty(page: FramePage) -> tuple[str, str]:
    del page
    return "", ""


def _tell_growth(frame: Frame, pages: int, warn: Warn) -> None:
    if frame.pages > pages:
        warn(
            f"the crawl has grown since the sample was drawn: it is a sample of the first "
            f"{pages:,} pages of {frame.pages:,}; draw a new one to speak of all."
        )
