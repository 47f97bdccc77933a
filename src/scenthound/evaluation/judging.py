"""``draw_sample`` and ``score``; for judging on the terminal the passages of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from scenthound.core.errors import JudgedFileError, warn_caller
from scenthound.crawler.argument_checks import check_labels
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.evaluation import sampling
from scenthound.evaluation.judged_file import (
    BAND,
    JUDGEMENT,
    SAMPLE,
    URL,
    read_judged,
    write_judged,
)
from scenthound.evaluation.scoring import NO, YES, Score, ScoreOptions, score_judgements
from scenthound.storage.folder import Folders, check_required_path, folder_paths
from scenthound.storage.stored_crawl import StoredCrawl, open_whole_crawl
from scenthound.text.terms import has_unspaced, segment_words

_MOST_PASSAGES = 3
CONTEXT_LENGTH = 110
_CUT_WITHIN = 20
_LONGEST_TEXT = 200_000
_SHORT = 3
"""Letters; fewer are mostly a word like *of*, unless somebody gave them as a keyword: *AI*."""


def passages(text: str, phrases: Iterable[str]) -> list[str]:
    """Return up to three passages around words of the phrases, or the beginning of the text.

    Words may be in any script, also in those that put no blanks between them. Only the first
    200,000 characters are searched. An empty text gives no passage.
    """
    text = " ".join(text[:_LONGEST_TEXT].split())
    words = topic_words(phrases)
    # Of a word without blanks any pair of characters will do where it does not occur itself.
    pairs = {each for each in segment_words(filter(_is_unspaced, words)) if len(each) > 1}
    found: list[str] = []
    end = 0
    for place in _occurrences(text, words) or _occurrences(text, pairs):
        if place >= end and len(found) < _MOST_PASSAGES:
            start, end = max(end, place - CONTEXT_LENGTH), place + CONTEXT_LENGTH
            found.append(_excerpt(text, start, place, end))
    return found or ([_excerpt(text, 0, 0, 2 * CONTEXT_LENGTH)] if text else [])


def topic_words(phrases: Iterable[str]) -> set[str]:
    """The words to look for; short ones only where they are a phrase of their own."""
    words: set[str] = set()
    for phrase in phrases:
        parts = [word for part in phrase.split() if (word := re.sub(r"^\W+|\W+$", "", part))]
        words |= {w for w in parts if len(w) >= _SHORT or len(parts) == 1 or _is_unspaced(w)}
    return words


def _is_unspaced(word: str) -> bool:
    """Is it of a script that puts no blanks between words?"""
    return has_unspaced([word])


def _occurrences(text: str, words: set[str]) -> list[int]:
    """Where the words begin; a short one must end there too, longer ones may have endings."""
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    found = re.finditer(pattern, text, re.IGNORECASE) if words else ()
    return [
        each.start()
        for each in found
        if _is_unspaced(text[each.start()])
        or (_is_gap(text, each.start()) and (len(each[0]) >= _SHORT or _is_gap(text, each.end())))
    ]


def _is_gap(text: str, place: int) -> bool:
    """Is there no word that continues over this place?"""
    around = text[max(0, place - 1) : place + 1]
    return len(around) < 2 or not around.isalnum() or has_unspaced(around)


def _excerpt(text: str, start: int, place: int, end: int) -> str:
    """Cut between words if one ends nearby, with dots where something is left out."""
    if start > 0:
        start = text.find(" ", start, min(place, start + _CUT_WITHIN)) + 1 or start
    if end < len(text):
        blank = text.rfind(" ", max(place + 1, end - _CUT_WITHIN), end)
        end = blank if blank > 0 else end
    return f"{'... ' if start > 0 else ''}{text[start:end]}{' ...' if end < len(text) else ''}"


def draw_sample(
    folder: Folders,
    out: str | Path,
    n: int = sampling.DEFAULT_N,
    *,
    bands: int | None = None,
    random_seed: int | None = None,
    labels: str | Path | Labels | None = None,
) -> sampling.Sample:
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
    """
    folders = folder_paths("folder", folder)
    check_required_path("out", out)
    check_labels(labels)
    wanted = sampling.SampleOptions.from_arguments(n=n, bands=bands, random_seed=random_seed)
    path = Path(out)
    with open_whole_crawl(folders) as crawl:
        frame, fill = sampling.read_frame(crawl.pages()), _fill_from_labels(labels, crawl)
    if path.exists():
        sample = sampling.continued_sample(path, frame, wanted, fill)
    else:
        sample = sampling.new_sample(frame, wanted, fill)
    write_judged(path, sample.file)
    _warn_growth(frame, sample.of.pages)
    return sample


def score(
    folder: Folders, judged: str | Path, *, confidence: float = 0.95, precision: float = 0.9
) -> Score:
    """Estimate the precision of a crawl by a file of judgements, and find a threshold.

    Parameters
    ----------
    folder : of the crawl, or that of its workers, or a list of theirs.
    judged : CSV file that :func:`draw_sample` made, or any with columns ``url, judgement``.
    confidence : of the intervals.
    precision : that the threshold should have.

    Lines that were left out are in ``Score.judgements.complaints``. JudgedFileError where the file
    cannot be read, or no line can be used.
    """
    folders = folder_paths("folder", folder)
    check_required_path("judged", judged)
    question, path = ScoreOptions(confidence=confidence, precision=precision), Path(judged)
    with open_whole_crawl(folders) as crawl:
        frame = sampling.read_frame(crawl.pages())
    judged_file = read_judged(path, (URL, JUDGEMENT, BAND, SAMPLE))
    try:
        found = score_judgements(judged_file.lines, frame, question)
    except JudgedFileError as error:
        raise JudgedFileError(f"{path}: {error}") from None
    if not found.drawn_at_random:
        warn_caller(
            f"{path} was not drawn from this crawl by 'scenthound sample': these pages are no "
            "random sample of it, and the intervals do not hold."
        )
    _warn_growth(frame, found.pages)
    return found


def _fill_from_labels(labels: str | Path | Labels | None, crawl: StoredCrawl) -> sampling.Fill:
    """What new lines begin with: nothing, or what the labels say."""
    if labels is None:
        return lambda _: ("", "")
    read = labels if isinstance(labels, Labels) else read_labels(labels)
    about = read.of(crawl.topic.name)
    return lambda page: (YES if page.url in about else NO, "from labels")


def _warn_growth(frame: sampling.Frame, pages: int) -> None:
    if frame.pages > pages:
        warn_caller(
            f"the crawl has grown since the sample was drawn: it is a sample of the first "
            f"{pages:,} pages of {frame.pages:,}; draw a new one to speak of all."
        )
