"""Candidate terms of an ontology, and which of them say most (olmoaco 2.5, step 1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scenthound.papers.olmoaco.nouns import collocations, counted_votes, noun_test, written_forms
from scenthound.papers.olmoaco.sources import Source
from scenthound.papers.ontologies.model import normalise_label
from scenthound.similarity.wordnet_similarity import information_content
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import Bag
from scenthound.text.wordnet import WordNet

Counts = npt.NDArray[np.int32]
"""One row for each source, one column for each term."""


class TermTable:
    """The terms of titles, abstracts and keywords, by number, and how often each source has them.

    Nobody else may have used ``reader``, so that its numbers follow from the sources.
    """

    def __init__(self, sources: Sequence[Source], reader: Analyzer) -> None:
        self._reader = reader
        self._texts = [(each.title, each.abstract, *each.keywords) for each in sources]
        bags = [[reader.bag(text) for text in texts] for texts in self._texts]
        self.terms = tuple(reader.vocabulary.terms())
        self.counts: Counts = self._counted(bags)
        self.full_counts: Counts = self._counted(
            [[reader.bag(each.title), reader.bag(each.body or each.abstract)] for each in sources]
        )
        """The same over the whole texts."""
        totals = self.counts.sum(axis=0).tolist()
        inside: Counter[int | None] = Counter()  # how often each word stands in a phrase
        for term, total in zip(self.terms, totals, strict=True):
            for word in {*map(reader.rules.base, term.split(" "))} if " " in term else ():
                inside[self._known(word)] += total
        self.alone = [total - inside[term] for term, total in enumerate(totals)]
        """Occurrences of each term that are no part of a longer one."""

    def numbers_of(self, keywords: Sequence[str]) -> dict[int, str]:
        """Return the terms of the keywords that occur, and how the keywords are written.

        A keyword is the longest of the terms found in it.
        """
        found: dict[int, str] = {}
        for keyword in keywords:
            names = self._reader.count(keyword)
            term = self._known(max(names, key=lambda name: name.count(" "), default=""))
            if term is not None and self.counts[:, term].any():
                found.setdefault(term, normalise_label(keyword))
        return found

    def labels(self, terms: Sequence[int], keywords: Mapping[int, str]) -> list[str]:
        """Return the names of terms: as a keyword is written; in English by base form.

        In other languages a stem is no word, and the commonest of its forms is taken.
        """
        texts = (text for texts in self._texts for text in texts)
        forms = {} if self._reader.wordnet else written_forms(texts, self._reader)
        return [keywords.get(term) or forms.get(term) or self.terms[term] for term in terms]

    def _known(self, term: str) -> int | None:
        number = self._reader.vocabulary.find(term)
        return number if number is not None and number < len(self.terms) else None

    def _counted(self, bags: Sequence[Sequence[Bag]]) -> Counts:
        counts: Counts = np.zeros((len(bags), len(self.terms)), np.int32)
        for row, found in zip(counts, bags, strict=True):
            for bag in found:
                known = bag.ids < len(self.terms)
                row[bag.ids[known]] += bag.counts[known]
        return counts


# Which terms say most about what the texts have in common? There is no other collection to compare
# with, so three things speak for a term: it is in many of the texts; where it is, it comes again
# and again; and WordNet knows it for something particular.

Weights = npt.NDArray[np.float64]
_UNKNOWN = 0.5
"""Specificity of a term outside WordNet: a technical word, a name, or something misspelt."""
_NAMES_LOSE = 0.75
"""Share of its worth that a name loses: it names one thing and no kind of things."""
_WORD = re.compile(r"[^\W_]+")
_SENTENCE_ENDS = frozenset(".!?:;\"'([\u201c\u2022|")


def term_scores(
    spread: Weights, occurrences: Weights, texts: Weights, specificity: Weights, names: Weights
) -> Weights:
    """Return how much each term says: ``ln(1 + n) * ln(1 + f / m) * s * (1 - 3 k / 4)``, ours.

    n is in how many abstracts a term is (``spread``), f how often it is in all full ``texts``, m in
    how many of those, s its ``specificity``, k the share of its places where it is a name. ``f /
    m`` is burstiness: words of content come in bursts, the others are spread evenly (Church and
    Gale 1995, "Poisson mixtures"). It needs no other collection.
    """
    burstiness = occurrences / np.maximum(texts, 1.0)
    bursts = np.log1p(np.maximum(burstiness, 1.0))
    found: Weights = np.log1p(spread) * bursts * specificity * (1.0 - _NAMES_LOSE * names)
    return found


def specificity_of(information: Sequence[float], verb_senses: int) -> float:
    """Return how particular a word is, in [0, 1]: mean information of its noun senses.

    Words that are used most have most senses (Zipf 1945), so a word of s senses is divided by ``1 +
    ln s``: "name", "form" and "part" are in every text. ``information`` is that of sdvsm Eq. 7;
    without any the word is unknown. Ours.
    """
    if not len(information):
        return _UNKNOWN
    senses = len(information) + verb_senses
    return float(np.mean(information) / (1.0 + np.log(senses)))


def specificities(terms: Sequence[str], wordnet: WordNet | None) -> Weights:
    """Return :func:`specificity_of` each term; without a WordNet all are alike."""
    if wordnet is None:
        return np.full(len(terms), _UNKNOWN)
    information = information_content(wordnet.nouns)
    found = [
        specificity_of(
            information[wordnet.nouns.concepts(term)].tolist(), len(wordnet.verbs.concepts(term))
        )
        for term in terms
    ]
    return np.array(found, np.float64)


def name_shares(texts: Iterable[str], wordnet: WordNet) -> Mapping[str, float]:
    """Return the share of the places where a word has a capital, by base forms.

    Words that begin a sentence or a line do not count. Only for English: German has a capital for
    every noun, Chinese for none.
    """
    inside: Counter[str] = Counter()
    for line in (line for text in texts for line in text.splitlines()):
        for match in _WORD.finditer(line):
            # Two characters are enough: blanks come one at a time. The whole would be slow.
            before = line[max(0, match.start() - 2) : match.start()].rstrip()[-1:]
            if before and before not in _SENTENCE_ENDS:
                inside[match[0]] += 1
    capital: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for word, count in inside.items():
        base = wordnet.base(word.lower())
        places[base] += count
        capital[base] += count * word[0].isupper()
    return {base: capital[base] / count for base, count in places.items()}


def mean_name_shares(terms: Sequence[str], shares: Mapping[str, float]) -> Weights:
    """Return the share of each term; of a phrase the mean of its words."""
    found = [np.mean([shares.get(word, 0.0) for word in term.split(" ")]) for term in terms]
    return np.array(found, np.float64)


MOST_PHRASES = 2_000
"""Keywords and pairs of words that are searched for in the texts."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Terms that could be concepts, those that occur most often first.

    ``counts`` is how often each source has each term in title, abstract and keywords.
    """

    terms: tuple[str, ...]
    counts: Counts


def candidate_terms(
    sources: Sequence[Source],
    analyzer: Analyzer,
    *,
    least: int = 2,
    most: int = 60,
    keywords: Sequence[str] = (),
) -> Candidates:
    """Return the terms of the sources, by title, abstract and keywords (olmoaco 2.5, step 1).

    In English only nouns, see :mod:`.nouns`, and phrases: those of WordNet, keywords of the
    sources, and :func:`~.nouns.collocations`. A word that occurs only as part of a phrase
    ("diego") is left to the phrase.

    Parameters
    ----------
    sources : the texts to learn from.
    analyzer : its language and its WordNet are used, its vocabulary is not touched.
    least : occurrences in all sources together that a term must have.
    most : terms at most; those with the best :func:`term_scores` stay.
    keywords : of the topic; those that occur at all stay in any case, as they are written.
    """
    texts = [f"{each.title}\n{each.body or each.abstract}" for each in sources]
    phrases: Sequence[str] = ()
    # Of other languages nothing is known: every term counts as a noun.
    is_noun: Callable[[str], bool] = bool
    names: Mapping[str, float] = {}
    if (wordnet := analyzer.wordnet) is not None:
        votes, names = counted_votes(texts, wordnet), name_shares(texts, wordnet)
        phrases, is_noun = collocations(texts, wordnet, votes, names), noun_test(votes, wordnet)
    # A reader of our own, which finds these phrases and the keywords of the sources.
    own = (word for each in sources for word in each.keywords)
    found = list(dict.fromkeys([*keywords, *phrases, *own]))[:MOST_PHRASES]
    table = TermTable(sources, Analyzer(analyzer.language, wordnet, found))
    given = table.numbers_of(keywords)
    possible = [
        term
        for term, name in enumerate(table.terms)
        if term in given or (table.alone[term] >= least and is_noun(name))
    ]
    full = table.full_counts
    scores = term_scores(
        spread=(table.counts > 0).sum(axis=0).astype(np.float64),
        occurrences=full.sum(axis=0).astype(np.float64),
        texts=(full > 0).sum(axis=0).astype(np.float64),
        specificity=specificities(table.terms, wordnet),
        names=mean_name_shares(table.terms, names),
    )
    # The keywords, then the best terms; in the result those that occur most often come first.
    kept = sorted(possible, key=lambda term: (term not in given, -scores[term], term))[:most]
    labels, counts = table.labels(kept, given), table.counts[:, kept]
    spread, total = (counts > 0).sum(axis=0), counts.sum(axis=0)
    order = sorted(range(len(labels)), key=lambda i: (-total[i], -spread[i], labels[i]))
    return Candidates(tuple(labels[place] for place in order), counts[:, order])
