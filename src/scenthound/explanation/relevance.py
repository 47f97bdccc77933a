"""Why a page counts as relevant, or not: the judge's similarity, term by term."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from scenthound.core.errors import InputError
from scenthound.core.model import Briefing, Document
from scenthound.corpus.bodies import ArchiveBodies
from scenthound.corpus.record import PageRecord
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.experiments.judges import PageJudge, judge_by, kept_concepts
from scenthound.experiments.topic_reading import read_briefing
from scenthound.explanation.model import Relevance, TermTold
from scenthound.lexicon.wordnet import WordNet, load_wordnet
from scenthound.relevance.judge import Judgement
from scenthound.relevance.judge_names import SIMILARITY
from scenthound.store import topic_file
from scenthound.text.analyzer import Analyzer

_ROUNDING = 1e-5
"""The journal keeps five decimals."""
_EXAMPLE_KEPT = 100
_KEYWORDS = "the keywords"
_DIFFERS = (
    "the journal's value is another one: the topic's pages, WordNet or the program have changed "
    "since, or the page was read in another way"
)


class RelevanceReading:
    """Judges pages of a stored crawl again, as the crawl judged them.

    Parameters
    ----------
    stored : the crawl.
    terms : how many of the terms that count most are told one by one.
    """

    def __init__(self, stored: StoredCrawl, terms: int) -> None:
        self._stored = stored
        self._terms = terms

    def relevance(self, record: PageRecord, original: PageRecord | None) -> Relevance:
        """Of a fetched page; ``original`` is the page whose copy it is, None for none."""
        judgement = self._judgement(record, original)
        if judgement is None:
            return self._told(record, None, "", (), self._unread(record))
        shares = judgement.terms
        shown = [TermTold(s.term, s.count, s.contribution) for s in shares[: self._terms]]
        nearest = self._nearest(judgement.nearest)
        rest = sum(share.contribution for share in shares[self._terms :])
        note = self._note(record, judgement.similarity)
        more = max(0, len(shares) - self._terms)
        return self._told(record, judgement.similarity, nearest, shown, note, rest, more)

    def _told(
        self,
        record: PageRecord,
        recomputed: float | None,
        nearest: str,
        terms: Sequence[TermTold],
        note: str,
        rest: float = 0.0,
        more: int = 0,
    ) -> Relevance:
        return Relevance(
            record.similarity, self._stored.threshold, record.relevant, recomputed, nearest,
            tuple(terms), rest, more, note, self._stored.judge,
        )  # fmt: skip

    def _judgement(self, record: PageRecord, original: PageRecord | None) -> Judgement | None:
        """The page judged again; None where it, or the topic, cannot be read."""
        if not 200 <= record.status < 300:
            return None
        try:
            page = self._stored.bodies.page(record)
            if page is None and original is not None:
                page = self._stored.bodies.page(original)
            return None if page is None else self._judge.judgement(page.document)
        except InputError:
            return None

    def _unread(self, record: PageRecord) -> str:
        if not 200 <= record.status < 300:
            return "an answer that is no page has no text, so its similarity is 0"
        if record.problem == "noindex":
            return "the page asks not to be kept, so its terms are not known any more"
        return "the stored page or the topic cannot be read any more, so its terms are not known"

    def _note(self, record: PageRecord, recomputed: float) -> str:
        if abs(recomputed - record.similarity) > _ROUNDING:
            return f"{_DIFFERS}."
        if record.relevant or record.similarity < self._stored.threshold:
            return ""
        if record.problem != "noindex" and record.copy_of is None:
            return ""  # as near to the threshold as five decimals tell
        why = "it asks not to be kept" if record.problem == "noindex" else "it is a copy"
        return f"similar enough, but not counted as relevant: {why}"

    def _nearest(self, place: int | None) -> str:
        if place is None:
            return _KEYWORDS if self._stored.judge == SIMILARITY else ""
        example = self._briefing.examples[place]
        return f"example {place + 1}: {_called(example, self._addresses(place))}"

    def _addresses(self, place: int) -> str:
        """How the topic writes the example; "" where some could not be read and none is sure."""
        written = tuple(dict.fromkeys(self._stored.topic.examples))
        return written[place] if len(written) == len(self._briefing.examples) else ""

    @cached_property
    def _judge(self) -> PageJudge:
        stored, topic = self._stored, self._stored.topic
        concepts = kept_concepts(stored.folder.path, stored.judge)
        analyzer = Analyzer(topic.language, self._wordnet, topic.keywords)
        return judge_by(concepts, self._briefing, analyzer, stored.threshold)

    @cached_property
    def _briefing(self) -> Briefing:
        """The topic as the crawl read it: kept in its folder, or in the archive it replayed."""
        kept = topic_file.read_briefing(self._stored.folder.path)
        if kept is not None:
            return kept
        bodies = self._stored.bodies
        archive = bodies.archive if isinstance(bodies, ArchiveBodies) else None
        return read_briefing(self._stored.topic, archive, lambda _: None)

    @property
    def _wordnet(self) -> WordNet | None:
        """The one the crawl was given; None, for the shipped one, where it was given none."""
        folder = _wordnet_folder(self._stored)
        return None if folder is None else load_wordnet(folder, lambda _: None)


def _wordnet_folder(stored: StoredCrawl) -> Path | None:
    source, replayed = stored.order.get("source"), stored.settings.get("wordnet")
    given = source.get("wordnet") if isinstance(source, dict) else None
    if given is None and isinstance(replayed, dict):
        given = replayed.get("origin")
    path = Path(str(given or ""))
    return path if path.is_absolute() and path.is_dir() else None


def _called(example: Document, written: str) -> str:
    """An example by its title or its first words, and how the topic writes it where that differs.

    Of an example that is a text the first words are enough.
    """
    words = (example.title or " ".join(example.text.split()))[:_EXAMPLE_KEPT]
    is_name = len(written.split()) == 1
    return f"{words!r} ({written[:_EXAMPLE_KEPT]})" if is_name else repr(words)
