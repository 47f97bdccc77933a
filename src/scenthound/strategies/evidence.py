"""What speaks for a link, in numbers: its texts as several models read them.

Four texts (the page that holds the link, its anchor, the block around it, the words of its
address) are read in up to three ways: by their **words**, with WordNet's help; by their
**meaning**, the vectors of their terms; and, where MiniLM is there, as **sentences**. How many
pages link there comes on top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from scenthound.core.errors import SettingsError
from scenthound.core.model import INLINKS, Document, Link
from scenthound.core.protocols import State
from scenthound.core.sharing import Counting
from scenthound.relevance.model import TopicModel
from scenthound.relevance.sentences import SentenceModel
from scenthound.relevance.term_vectors import TermVectorModel
from scenthound.text.analyzer import Analyzer
from scenthound.text.url_words import url_words
from scenthound.vectors.bert import SWITCH

Row = tuple[float, ...]
PAGE, ANCHOR, CONTEXT, ADDRESS = TEXTS = ("page", "anchor", "context", "address")
WORDS, MEANING, SENTENCES = WAYS = ("words", "meaning", "sentence")
READ = {WORDS: TEXTS, MEANING: TEXTS, SENTENCES: (PAGE, ANCHOR, ADDRESS)}
"""Which texts are read in which way. MiniLM is spared the blocks: they are most of what there is
to read, and tell it nothing that the anchors do not (docs/scent.md)."""


def evidence_names(ways: Sequence[str]) -> tuple[str, ...]:
    """The names of the parts of a score, text by text.

    Examples
    --------
    >>> evidence_names(["words"])
    ('page words', 'anchor words', 'context words', 'address words', 'inlinks')
    """
    return (*(f"{text} {way}" for text, way in _pairs(ways)), INLINKS)


def _pairs(ways: Sequence[str]) -> list[tuple[str, str]]:
    return [(text, way) for text in TEXTS for way in ways if text in READ[way]]


class LinkEvidence:
    """Reads the links of a page.

    Parameters
    ----------
    analyzer : counts the terms of texts, once for all that ask.
    words : compares texts by their words.
    meaning : by the vectors of their terms; None to leave it out.
    sentences : by a vector for each; None to leave it out.
    """

    def __init__(
        self,
        analyzer: Analyzer,
        words: TopicModel,
        meaning: TermVectorModel | None = None,
        sentences: SentenceModel | None = None,
    ) -> None:
        self._analyzer = analyzer
        self._words, self._meaning, self._sentences = words, meaning, sentences
        models = zip(WAYS, (words, meaning, sentences), strict=True)
        self._read_by([way for way, model in models if model is not None])
        self._last: tuple[Document, Row] | None = None

    def _read_by(self, ways: Sequence[str]) -> None:
        self.ways = tuple(ways)
        self.names = evidence_names(self.ways)
        self._read = _pairs(self.ways)

    def learn(self, document: Document) -> None:
        """A page was fetched: how rare a word is, is known better now."""
        self._last = None
        self._words.learn(document)

    @property
    def counting(self) -> Counting:
        """What counts the words of pages."""
        return self._words

    def relevance(self, document: Document) -> float:
        """Of a page, in [0, 1]: the mean over the ways of reading it.

        At no cost for the page whose links were read last, until the next is learnt.
        """
        if self._last is None or self._last[0] is not document:
            self.of_links(document, ())
        assert self._last is not None
        read = self._last[1]
        return sum(read) / len(read)

    def of_links(self, document: Document, links: Sequence[Link]) -> tuple[Row, list[Row]]:
        """The similarities of the page, and for each link its own: in the order of ``names``."""
        texts = {
            PAGE: [document.full],
            ANCHOR: [link.anchor for link in links],
            CONTEXT: [link.context for link in links],
            ADDRESS: [url_words(link.url) for link in links],
        }
        found = self._compared(texts, document)
        self._last = document, tuple([found[way][document.full] for way in self.ways])
        of_links = self._read[len(self.ways) :]
        columns = [[found[way][own] for own in texts[text]] for text, way in of_links]
        return self._last[1], list(zip(*columns, strict=True))

    def _compared(
        self, texts: Mapping[str, Sequence[str]], page: Document
    ) -> dict[str, dict[str, float]]:
        """How similar every distinct text is to the topic, by each way of reading."""
        every = _distinct(texts, TEXTS)
        bags = self._analyzer.reader(page).bags(every)
        found = {WORDS: dict(zip(every, self._words.of_bags(bags).tolist(), strict=True))}
        if self._meaning is not None:
            found[MEANING] = dict(zip(every, self._meaning.of_bags(bags).tolist(), strict=True))
        if self._sentences is not None:
            read = _distinct(texts, READ[SENTENCES])
            found[SENTENCES] = dict(
                zip(read, self._sentences.similarities(read, page), strict=True)
            )
        return found

    def state(self) -> State:
        """What was learnt of words, and the ways of reading."""
        sentences = None if self._sentences is None else self._sentences.state()
        return {"words": self._words.state(), "ways": list(self.ways), "sentences": sentences}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave, in the ways of reading of then and no others.

        SettingsError where one of them is not there.
        """
        words, ways, sentences = state["words"], state["ways"], state["sentences"]
        assert isinstance(words, dict) and isinstance(ways, list)
        missing = [str(way) for way in ways if way not in self.ways]
        if missing:
            raise SettingsError(
                f"the crawl began with texts read by {', '.join(map(str, ways))}, and here "
                f"{' and '.join(missing)} cannot be had; it goes on where it is: "
                f"pip install 'scenthound[neural]', and without {SWITCH}=no."
            )
        self._read_by([way for way in self.ways if way in ways])
        if MEANING not in self.ways:
            self._meaning = None
        if SENTENCES not in self.ways:
            self._sentences = None
        self._words.restore(words)
        if self._sentences is not None and isinstance(sentences, dict):
            self._sentences.restore(sentences)


def _distinct(texts: Mapping[str, Sequence[str]], names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(texts.get(name, ()) for name in names)))
