"""Why a page counts as relevant, or not: the similarity that the judge gave it, term by term. The
stored page is judged again, with the topic as the crawl read it.
"""

from __future__ import annotations

import warnings
from functools import cached_property
from pathlib import Path

from scenthound.core.command_options import SIMILARITY
from scenthound.core.errors import InputError, ScenthoundWarning
from scenthound.core.model import TopicProfile
from scenthound.crawler.judges import PageJudge, judge_with_concepts, stored_concepts
from scenthound.crawler.topics.reading import read_topic_profile
from scenthound.output.explain.explanation import Relevance, TermContribution
from scenthound.similarity.judge import Judgement
from scenthound.storage import state
from scenthound.storage.stored_crawl import ArchiveBodies, PageRecord, StoredCrawl
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet import WordNet
from scenthound.text.wordnet_files import load_wordnet

_ROUNDING = 1e-5
"""The journal keeps five decimals."""
_EXAMPLE_KEPT = 100
_KEYWORDS = "the keywords"
_DIFFERS = (
    "the journal's value is another one: the topic's pages, WordNet or the program have changed "
    "since, or the page was read in another way"
)


class RelevanceExplainer:
    """Judges pages of a stored crawl again, as the crawl judged them.

    Parameters
    ----------
    stored : the crawl.
    terms : how many of the terms that count most are listed one by one.
    """

    def __init__(self, stored: StoredCrawl, terms: int) -> None:
        self._stored = stored
        self._terms = terms

    def relevance(self, record: PageRecord, original: PageRecord | None) -> Relevance:
        """Of a fetched page; ``original`` is the page whose copy it is, None for none."""
        judgement = self._judgement(record, original)
        shares = () if judgement is None else judgement.terms
        shown = [TermContribution(s.term, s.count, s.contribution) for s in shares[: self._terms]]
        return Relevance(
            similarity=record.similarity,
            threshold=self._stored.threshold,
            relevant=record.relevant,
            recomputed=None if judgement is None else judgement.similarity,
            nearest="" if judgement is None else self._nearest(judgement.nearest),
            terms=tuple(shown),
            rest=sum((share.contribution for share in shares[self._terms :]), 0.0),
            rest_terms=max(0, len(shares) - self._terms),
            note=self._note(record, None if judgement is None else judgement.similarity),
            judge=self._stored.judge,
        )

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

    def _note(self, record: PageRecord, recomputed: float | None) -> str:
        """What is out of the ordinary; ``recomputed`` is None for a page that cannot be read."""
        if recomputed is None:
            if not 200 <= record.status < 300:
                return "an answer that is no page has no text, so its similarity is 0"
            if record.problem == "noindex":
                return "the page asks not to be kept, so its terms are not known any more"
            return (
                "the stored page or the topic cannot be read any more, so its terms are not known"
            )
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
        examples = self._profile.examples
        written = tuple(dict.fromkeys(self._stored.topic.examples))
        # Where some examples could not be read, it is not known how the topic writes this one.
        name = written[place] if len(written) == len(examples) else ""
        # By its title or its first words, and how the topic writes it where that is a name.
        example = examples[place]
        words = repr((example.title or " ".join(example.text.split()))[:_EXAMPLE_KEPT])
        written_as = f" ({name})" if len(name.split()) == 1 else ""
        return f"example {place + 1}: {words}{written_as}"

    @cached_property
    def _judge(self) -> PageJudge:
        stored, topic = self._stored, self._stored.topic
        concepts = stored_concepts(stored.folder.path, stored.judge)
        analyzer = Analyzer(topic.language, self._wordnet, topic.keywords)
        return judge_with_concepts(concepts, self._profile, analyzer, stored.threshold)

    @cached_property
    def _profile(self) -> TopicProfile:
        """The topic as the crawl read it: stored in its folder, or in the archive it replayed."""
        stored = state.read_topic_profile(self._stored.folder.path)
        if stored is not None:
            return stored
        bodies = self._stored.bodies
        archive = bodies.archive if isinstance(bodies, ArchiveBodies) else None
        with warnings.catch_warnings():  # the crawl has issued them
            warnings.simplefilter("ignore", ScenthoundWarning)
            return read_topic_profile(self._stored.topic, archive)

    @property
    def _wordnet(self) -> WordNet | None:
        """The one the crawl was given; None, for the shipped one, where it was given none."""
        folder = wordnet_folder(self._stored)
        if folder is None or not folder.is_dir():
            return None
        with warnings.catch_warnings():  # the crawl has issued them
            warnings.simplefilter("ignore", ScenthoundWarning)
            return load_wordnet(folder)


def wordnet_folder(stored: StoredCrawl) -> Path | None:
    """The WordNet folder that a crawl was given, which may be gone; None for the shipped one."""
    source, replayed = stored.crawl_spec.get("source"), stored.settings.get("wordnet")
    given = source.get("wordnet") if isinstance(source, dict) else None
    if given is None and isinstance(replayed, dict):
        given = replayed.get("origin")
    path = Path(str(given or ""))
    return path if path.is_absolute() else None
