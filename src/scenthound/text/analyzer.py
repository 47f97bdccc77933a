"""Text to terms: words of any script, stop words dropped, inflection folded, phrases found.

Topics share the counting of texts. The phrases of one topic are searched apart: most texts do not
hold the words of a phrase at all, which their counts show, so that only few texts are searched.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from scenthound.core.model import Document
from scenthound.core.protocols import State, TermCounts
from scenthound.text.languages import (
    ALGORITHMS,
    INSTALL,
    LANGUAGE_OF,
    LATIN,
    Respelling,
    Segmenter,
    dictionary,
    fits,
    han_segmenter,
    has_unspaced,
    is_unspaced,
    is_written_in,
    pairs,
    primary_language,
    respelling,
    script_of,
    segment_words,
    stemmer,
    stop_words,
    suits_dictionary,
    words,
)
from scenthound.text.term_counts import Counter, RunNumbers, TextCounters, TopicPhrases
from scenthound.text.terms import (
    Bag,
    Bags,
    Column,
    Numbers,
    Occurrences,
    Phrases,
    Rules,
    Split,
    TermFinder,
    Vocabulary,
    Weights,
    bags_from_keys,
)
from scenthound.text.wordnet import WordNet
from scenthound.text.wordnet_files import shipped


def is_english(language: str) -> bool:
    """``en``, ``en-GB``, ...: the language that WordNet describes."""
    return primary_language(language) == "en"


def rules_of(language: str, wordnet: WordNet | None, keywords: Iterable[str] = ()) -> Rules:
    """The rules of ``language``; words as they are written for a language nothing is known of.

    Parameters
    ----------
    wordnet : where English base forms come from; other languages do not ask.
    keywords : of a topic. They may be in scripts without blanks whatever the language; and what
        somebody searches for is no stop word, though a list that we did not write may hold it.
    """
    keywords = tuple(keywords)
    cut = is_unspaced(language) or has_unspaced(keywords)
    han = han_segmenter(language) if cut else None
    split = _splitter(respelling(language), han)
    named = frozenset(found[0] for found in map(split, keywords) if len(found) == 1)
    cutting = _cutting(language, han)
    stops = stop_words(language)
    if wordnet is not None and is_english(language):
        nouns = wordnet.nouns
        named = frozenset(word for word in named if not len(nouns.concepts(wordnet.base(word))))
        folding = "base forms of WordNet"
        return Rules(language, split, wordnet.base, stops, stops, named, folding, cutting)
    stem = stemmer(language)
    name = ALGORITHMS.get(primary_language(language) or "")
    folding = f"stems (Snowball, {name})" if stem else ""
    base = stem or str
    return Rules(language, split, base, stops - named, frozenset(), named, folding, cutting)


def rules_for_page(own: Rules, language: str) -> Rules:
    """The rules for a page in another ``language`` than the topic's; ``own`` if they are no others.

    Its words are folded as the topic's are, since that is what they are compared with. They are
    cut as its language wants it, and its own stop words are dropped too: "die" and "war" on a
    German page are no English words.
    """
    stops = own.stops | (stop_words(language) - own.named)
    if not is_unspaced(language) or own.cutting:
        return own if stops == own.stops else replace(own, language=language, stops=stops)
    han = han_segmenter(language)
    split, cutting = _splitter(respelling(language), han), _cutting(language, han)
    return replace(own, language=language, split=split, stops=stops, cutting=cutting)


def _splitter(respell: Respelling | None, han: Segmenter | None) -> Split:
    """The plain splitter itself where nothing else is to be done, as for most texts."""
    if han is not None:
        return lambda text: segment_words(words((respell or str)(text)), han)
    return words if respell is None else lambda text: words(respell(text))


def _cutting(language: str, han: Segmenter | None) -> str:
    """In words; where the dictionary would help, how to get it."""
    if han is None:
        return ""
    is_chinese = primary_language(language) == "zh"
    if is_chinese and han is not pairs:
        return "Chinese words by dictionary (rjieba)"
    lacking = is_chinese and suits_dictionary(language) and dictionary() is None
    return "pairs of characters" + (f" (for words: {INSTALL})" if lacking else "")


# Is a page in the expected language? Its script and its stop words tell at no cost.
#
# No detection: a page in the expected language, or one that declares no language and is in the
# expected script, is read as it is. Only a page that declares another language, or is in another
# script, is looked at; and a declaration counts only if the text confirms it, since templates in
# one language around pages in another are common.

_SAMPLE = 2_000
"""Characters from the middle of a page: at its ends are menus."""
_ASCII_SAMPLE = 400
_FEWEST_LETTERS = 20
_FEWEST_WORDS = 10
_PREVAILING = 0.6
"""Share of the letters from which on a script is that of the page."""
_RUNNING_TEXT = 0.1
"""Share of stop words that every running text exceeds, in its own language."""


def unexpected_language(text: str, declared: str | None, expected: str) -> str | None:
    """The language of a page that is not in the expected one; None where nothing tells so.

    Returns a code such as ``de``; ``und-Cyrl`` where only the script is known.
    """
    own, claimed = primary_language(expected), primary_language(declared)
    if own is None:
        return None
    # A glance, for the many pages that are ASCII or western European for the most part.
    glance = "" if text.isascii() else _middle(text, _ASCII_SAMPLE)
    is_latin = not glance or 2 * len(glance.encode("latin-1", "ignore")) > len(glance)
    if claimed in (None, own) and is_latin and is_written_in(own, LATIN):
        return None
    sample = _middle(text, _SAMPLE)
    script = script_of(sample)
    if claimed is not None and not fits(claimed, script):
        claimed = None
    if script.name is None or script.letters < _FEWEST_LETTERS:
        return None
    if not fits(own, script):
        prevails = script.share >= _PREVAILING
        return (claimed or LANGUAGE_OF.get(script.name, f"und-{script.name}")) if prevails else None
    if claimed in (None, own):
        return None
    return claimed if _is_confirmed(sample, claimed, own) else None


def _is_confirmed(sample: str, claimed: str, own: str) -> bool:
    """Are there more small words of the claimed language than of the expected one?"""
    found = words(sample)
    if len(found) < _FEWEST_WORDS:
        return is_written_in(claimed, "Hani")  # no blanks, hence no words to count
    theirs, ours = stop_words(claimed), stop_words(own)
    of_theirs = sum(word in theirs and word not in ours for word in found) / len(found)
    of_ours = sum(word in ours and word not in theirs for word in found) / len(found)
    if not theirs:
        return of_ours < _RUNNING_TEXT
    return of_theirs > max(of_ours, 0.0 if ours else _RUNNING_TEXT)


def _middle(text: str, size: int) -> str:
    start = max(0, (len(text) - size) // 2)
    return text[start : start + size]


# The text representation as a string: where two are equal, texts have the same terms.


def text_representation(own: Rules, rules: Rules, wordnet: WordNet | None) -> str:
    """Describe how texts are read by ``rules``, in a line for each thing that it depends on.

    ``wordnet``: gives base forms and phrases; None for a language without.
    """
    facts = (
        own.language, own.folding, own.cutting, rules.language, rules.cutting,
        _digest(sorted(rules.stops)), _digest(sorted(rules.stop_bases)),
        "" if wordnet is None else _wordnet_digest(wordnet),
    )  # fmt: skip
    return "\n".join(facts)


@lru_cache(maxsize=2)
def _wordnet_digest(wordnet: WordNet) -> str:
    """Of all that folding and phrases depend on; worked out once for all analyzers."""
    inflections = (
        f"{part} {form} {' '.join(bases)}"
        for part, forms in wordnet.exceptions.items()
        for form, bases in forms.items()
    )
    senses = wordnet.nouns.senses.starts.tobytes().hex()
    return _digest([*wordnet.nouns.lemmas, senses, *wordnet.verbs.lemmas, *inflections])


def _digest(lines: Iterable[str]) -> str:
    content = "\n".join(lines).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16).hexdigest()


# TF-IDF over document frequencies that grow with the crawl.

_NONE: Numbers = np.empty(0, np.int32)


class DocumentFrequencies:
    """In how many of the documents seen so far does a term occur?

    The collection is the example pages plus the pages fetched so far. Example pages alone
    would give the topic's own words the lowest weight of all.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.documents = 0
        self._vocabulary = vocabulary
        self._counts = Column(np.int32)
        self._here: list[Numbers] | None = None
        """The terms of each document counted since the last exchange with other workers, if any."""

    def add(self, bag: Bag) -> None:
        """Count one more document."""
        self._count(bag.ids)
        if self._here is not None:
            self._here.append(bag.ids)

    def share(self) -> None:
        """Keep apart from now on what is counted here."""
        self._here = self._here or []

    def counted_here(self) -> TermCounts:
        """What was counted here since this was last asked."""
        documents = self._here or []
        ids, counts = np.unique(np.concatenate([*documents, _NONE]), return_counts=True)
        self._here = None if self._here is None else []
        terms = self._vocabulary.terms(ids.tolist())
        return TermCounts(len(documents), dict(zip(terms, counts.tolist(), strict=True)))

    def count_elsewhere(self, tally: TermCounts) -> None:
        """Others have counted these."""
        numbers = self._vocabulary.numbers([*tally.counts])
        counts = np.fromiter(tally.counts.values(), np.int32, len(numbers))
        self.documents += tally.documents
        self._counts.upto(len(self._vocabulary))[numbers] += counts

    def counted_by_all(self, bags: Sequence[Bag]) -> TermCounts:
        """All that was counted but for these documents, and those that are kept apart here."""
        counts, left_out = self._counts.upto(len(self._vocabulary)).copy(), self._beside(bags)
        for ids in left_out:
            counts[ids] -= 1
        found = np.flatnonzero(counts)
        pairs = zip(self._vocabulary.terms(found.tolist()), counts[found].tolist(), strict=True)
        return TermCounts(self.documents - len(left_out), dict(pairs))

    def count_from(self, bags: Sequence[Bag], tally: TermCounts) -> None:
        """Start again with these documents, what all have counted, and what is kept apart here."""
        self.documents, self._counts = 0, Column(np.int32)
        for ids in self._beside(bags):
            self._count(ids)
        self.count_elsewhere(tally)

    def _beside(self, bags: Sequence[Bag]) -> list[Numbers]:
        """The terms of these documents, and of those that are kept apart."""
        return [*(bag.ids for bag in bags), *(self._here or ())]

    def _count(self, ids: Numbers) -> None:
        self.documents += 1
        self._counts.upto(len(self._vocabulary))[ids] += 1

    def __getitem__(self, term: str) -> int:
        number = self._vocabulary.find(term)
        return 0 if number is None else int(self._counts.upto(number + 1)[number])

    def idf(self, ids: Numbers) -> Weights:
        """``log((N + 1) / (n + 1)) + 1`` of each term: sdvsm Eq. 9 smoothed.

        The printed ``log(N / n)`` is undefined for an unseen term and 0 for a term of every
        document, which in the first minutes of a crawl is every word of the topic.
        """
        return smooth_idf(self.documents, self._counts.upto(len(self._vocabulary))[ids])

    def state(self) -> State:
        """What must be saved to go on later: the vocabulary in order, and the counts."""
        counts = self._counts.upto(len(self._vocabulary)).copy()
        return {"documents": self.documents, "terms": self._vocabulary.terms(), "counts": counts}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        numbers = self._vocabulary.numbers(state["terms"])
        self.documents, self._counts = state["documents"], Column(np.int32)
        self._counts.upto(len(self._vocabulary))[numbers] = state["counts"]


def smooth_idf(documents: int, containing: Numbers) -> Weights:
    """Inverse document frequency that is never 0 and defined for unseen terms."""
    logs: Weights = np.log(containing + 1.0)
    return math.log(documents + 1.0) + 1.0 - logs


def unit(weights: Weights) -> Weights:
    """``weights`` at length 1; zeros stay zeros."""
    length = float(np.linalg.norm(weights))
    return weights / length if length else weights


def unit_rows(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Each row divided by its length; zeros stay zeros, and no row gives no row."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)


def strongest(ids: Numbers, weights: Weights, most: int, vocabulary: Vocabulary) -> Numbers:
    """Places of the ``most`` heaviest terms, heaviest first, ties in order of the alphabet."""
    if most < len(weights):
        least = np.partition(weights, -most)[-most] if most > 0 else np.inf
        places = np.flatnonzero(weights >= least)
    else:
        places = np.arange(len(weights))
    names = vocabulary.terms(ids[places].tolist())
    order = sorted(range(len(places)), key=lambda i: (-weights[places[i]], names[i]))
    return places[order[: max(0, most)]].astype(np.int32)


# Counts the terms of texts by the rules of one language.

_LONG_TEXT = 1_000
_CACHED_LONG = 4


class Reader:
    """Counts the terms of texts by the rules of one language.

    The bags of the last few long texts are cached, since several parts (scorer, judge) ask for
    the same page in turn.

    Parameters
    ----------
    vocabulary : numbers the terms; readers of several languages may share it.
    counter : counts by the same rules and tables for several runs; None to count by itself. The
        bags are the same.
    """

    def __init__(
        self,
        rules: Rules,
        vocabulary: Vocabulary,
        tables: Sequence[Phrases],
        counter: Counter | None = None,
    ) -> None:
        self.vocabulary = vocabulary
        self._finder = TermFinder(rules, vocabulary, tables)
        self._counter = counter
        self._numbers = None if counter is None else RunNumbers(counter.vocabulary, vocabulary)
        self._long_bag = lru_cache(_CACHED_LONG)(lambda text: self._bags([text])[0])

    def bag(self, text: str) -> Bag:
        """How often each term occurs in ``text``; empty for an empty text."""
        return self._bags([text])[0] if len(text) < _LONG_TEXT else self._long_bag(text)

    def bags(self, texts: Sequence[str]) -> Bags:
        """The bags of many texts at once: far less work than one by one."""
        short = [text for text in texts if len(text) < _LONG_TEXT]
        found = iter(self._bags(short))
        return Bags([next(found) if len(text) < _LONG_TEXT else self.bag(text) for text in texts])

    def occurrences(self, text: str) -> Occurrences:
        """Its words in order, and where its terms stand; nothing for an empty text."""
        return self._finder.occurrences(text)

    def _bags(self, texts: Sequence[str]) -> list[Bag]:
        if self._counter is not None and self._numbers is not None:
            return self._numbers.bags(self._counter.count(texts))
        found = self._finder.in_texts(texts)
        rows = np.concatenate([each.texts for each in found]).astype(np.int64)
        terms = np.concatenate([each.terms for each in found])
        size = len(self.vocabulary)
        return bags_from_keys(rows * size + terms, len(texts), size)


# The analyzer of a topic: one reader for its language, others for pages in other languages.

_CACHED_PAGES = 4
_CACHED_READERS = 20


class Analyzer(Reader):
    """Counts the terms of texts for a topic in one language.

    A term is the base form of a word (WordNet's own morphology for English, a stem for other
    languages) or a phrase of several words; the words of a phrase count as well. A page in
    another language is read by a :class:`Reader` of its own, over the same vocabulary.

    Parameters
    ----------
    language : a code such as ``en``. Words of a language that nothing is known of are compared as
        they are written.
    wordnet : where base forms and phrases come from; None for the one that is shipped.
    phrases : the topic's keywords; those of several words are phrases to find.
    counters : count texts for several analyzers; None where this one shares nothing.
    """

    def __init__(
        self,
        language: str = "en",
        wordnet: WordNet | None = None,
        phrases: Iterable[str] = (),
        counters: TextCounters | None = None,
    ) -> None:
        phrases = tuple(phrases)
        self.language = language
        self.wordnet = (wordnet or shipped()) if is_english(language) else None
        self.rules = rules_of(language, self.wordnet, phrases)
        self._tables = [_phrases_of(self.wordnet)] if self.wordnet else []
        self._own_phrases = self._unknown_phrases(phrases)
        self._counters = counters
        self._is_latin = is_written_in(language, LATIN)
        super().__init__(self.rules, Vocabulary(), *self._tables_and_counter(self.rules))
        self._reader_of = lru_cache(_CACHED_READERS)(self._language_reader)
        self._unexpected = lru_cache(_CACHED_PAGES)(
            lambda text, declared: unexpected_language(text, declared, language)
        )

    def count(self, text: str) -> dict[str, int]:
        """How often each term occurs in ``text``, by the term itself."""
        bag = self.bag(text)
        terms = self.vocabulary.terms(bag.ids.tolist())
        return dict(zip(terms, bag.counts.tolist(), strict=True))

    def page_bag(self, page: Document) -> Bag:
        """How often each term occurs in the full text of a page."""
        return self.reader(page).bag(page.full)

    def reader(self, page: Document) -> Reader:
        """The reader for the texts of a page: that of its language, where it is not the topic's."""
        language = self.language_of(page)
        return self if language is None else self._reader_of(language)

    def language_of(self, page: Document) -> str | None:
        """The language of a page that is not in the topic's; None where nothing tells so."""
        text, declared = page.full, page.language
        if self._is_latin and declared in (None, self.language) and text.isascii():
            return None
        return self._unexpected(text, declared)

    def _language_reader(self, language: str) -> Reader:
        rules = rules_for_page(self.rules, language)
        if rules is self.rules:
            return self
        return Reader(rules, self.vocabulary, *self._tables_and_counter(rules))

    def _tables_and_counter(self, rules: Rules) -> tuple[list[Phrases], Counter | None]:
        counter = None
        if self._counters is not None:
            representation = text_representation(self.rules, rules, self.wordnet)
            counter = self._counters.of(representation, rules, self._tables, self._own_phrases)
        own = [] if self._own_phrases is None else [self._own_phrases.table]
        return [*self._tables, *own], counter

    def _unknown_phrases(self, phrases: Iterable[str]) -> TopicPhrases | None:
        """The phrases that are not found yet; None where there are none.

        A keyword may be cut into shorter words and be one itself: then it is no phrase.
        """
        split = ((phrase.strip(), self.rules.split(phrase)) for phrase in phrases)
        new = [
            found
            for phrase, found in split
            if len(found) > 1
            and phrase not in found
            and not any((t.at(found, 0) or "").count(" ") == len(found) - 1 for t in self._tables)
        ]
        if not new:
            return None
        bases = tuple(" ".join(map(self.rules.base, found)) for found in new)
        return TopicPhrases(bases, Phrases(bases, self.rules.base))


@lru_cache(maxsize=2)
def _phrases_of(wordnet: WordNet) -> Phrases:
    """WordNet's phrases, prepared once for all analyzers.

    Only those that name things, and not those that begin with a stop word: "come to" and "the
    city" say nothing about a topic.
    """
    stops = stop_words("en")
    named = (lemma for lemma in wordnet.nouns.lemmas if lemma.partition(" ")[0] not in stops)
    return Phrases(named, wordnet.base)
