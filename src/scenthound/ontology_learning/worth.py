"""Which of many terms say most about what the texts have in common?

There is no other collection to compare with, so three things speak for a term: it is in many of
the texts; where it is, it comes again and again; and WordNet knows it for something particular.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from scenthound.lexicon.wordnet import WordNet
from scenthound.semantics.information import information_content

Weights = npt.NDArray[np.float64]

_UNKNOWN = 0.5
"""Specificity of a term outside WordNet: a technical word, a name, or something misspelt."""
_NAMES_LOSE = 0.75
"""Share of its worth that a name loses: it names one thing and no kind of things."""
_WORD = re.compile(r"[^\W_]+")
_SENTENCE_ENDS = frozenset(".!?:;\"'([\u201c\u2022|")


def worth(
    spread: Weights, occurrences: Weights, texts: Weights, specificity: Weights, names: Weights
) -> Weights:
    """How much each term says: ``ln(1 + n) * ln(1 + f / m) * s * (1 - 3 k / 4)``, ours.

    ``f / m`` is burstiness, the mean number of occurrences in the texts that have a term at all:
    words of content come in bursts, the others are spread evenly (Church and Gale 1995, "Poisson
    mixtures"). It needs no other collection.

    Parameters
    ----------
    spread : n, in how many abstracts a term is.
    occurrences : f, how often it is in all full texts together.
    texts : m, in how many full texts it is.
    specificity : s, of :func:`specificity_of`.
    names : k, share of its places where it is written as a name.
    """
    burstiness = occurrences / np.maximum(texts, 1.0)
    bursts = np.log1p(np.maximum(burstiness, 1.0))
    found: Weights = np.log1p(spread) * bursts * specificity * (1.0 - _NAMES_LOSE * names)
    return found


def specificity_of(information: Sequence[float], verb_senses: int) -> float:
    """How particular a word is, in [0, 1]: mean information of its noun senses, over its ambiguity.

    Words that are used most have most senses (Zipf 1945), so a word of s senses is divided by
    ``1 + ln s``: "name", "form" and "part" are in every text. Ours.

    Parameters
    ----------
    information : content of each noun sense (sdvsm Eq. 7); without any the word is unknown.
    verb_senses : how many senses it has as a verb.
    """
    if not len(information):
        return _UNKNOWN
    senses = len(information) + verb_senses
    return float(np.mean(information) / (1.0 + np.log(senses)))


def specificities(terms: Sequence[str], wordnet: WordNet | None) -> Weights:
    """:func:`specificity_of` each term; without a WordNet all are alike."""
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
    """Share of the places where a word has a capital, at the start of a sentence left out.

    By base forms; a word that stands nowhere else has no share. Only for English: German has a
    capital for every noun, Chinese for none.
    """
    capital: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for word, count in Counter(_inside_sentences(texts)).items():
        base = wordnet.base(word.lower())
        places[base] += count
        capital[base] += count * word[0].isupper()
    return {base: capital[base] / count for base, count in places.items()}


def _inside_sentences(texts: Iterable[str]) -> Iterator[str]:
    """The words that begin no sentence and no line."""
    for text in texts:
        for line in text.splitlines():
            for match in _WORD.finditer(line):
                # Two characters are enough: blanks come one at a time. The whole would be slow.
                before = line[max(0, match.start() - 2) : match.start()].rstrip()[-1:]
                if before and before not in _SENTENCE_ENDS:
                    yield match[0]


def shares_of(terms: Sequence[str], shares: Mapping[str, float]) -> Weights:
    """Share of each term; of a phrase the mean of its words."""
    found = [np.mean([shares.get(word, 0.0) for word in term.split(" ")]) for term in terms]
    return np.array(found, np.float64)
