"""The words of texts, and the nouns of pages, counted (olmoaco section 2.5, step 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from scenthound.ontology_learning.nouns import noun_test
from scenthound.ontology_learning.source import Source
from scenthound.text.analyzer import Analyzer


def noun_counts(pages: Sequence[Source], analyzer: Analyzer) -> list[dict[str, int]]:
    """How often each noun is in each page; a page without any has an empty count.

    Words of a phrase count where they stand alone: "pepper" in "black pepper" does not. In other
    languages than English all terms count, each as it is mostly written.

    Parameters
    ----------
    pages : titles and bodies are read.
    analyzer : finds the terms.
    """
    texts = [f"{page.title}\n{page.body}" for page in pages]
    counts = [analyzer.count(text) for text in texts]
    if analyzer.wordnet is None:
        forms = written_forms(texts, analyzer)
        return [_renamed(count, forms) for count in counts]
    is_noun = noun_test(texts, analyzer)
    base = analyzer.rules.base
    alone = [without_phrase_words(count, base) for count in counts]
    return [{term: n for term, n in count.items() if is_noun(term)} for count in alone]


def word_counts(sources: Iterable[Source], analyzer: Analyzer) -> Counter[str]:
    """How often each term is in all of the sources together; each source counts once."""
    counts: Counter[str] = Counter()
    for source in dict.fromkeys(sources):
        counts.update(analyzer.count(f"{source.title}\n{source.abstract}\n{source.body}"))
    return counts


def without_phrase_words(counts: Mapping[str, int], base: Callable[[str], str]) -> dict[str, int]:
    """The counts, less the words of phrases; words that are nowhere else are left out.

    Parameters
    ----------
    counts : of words and phrases.
    base : the form under which a word is counted.
    """
    left = Counter(counts)
    for phrase, number in counts.items():
        if " " in phrase:
            for word in map(base, phrase.split(" ")):
                left[word] -= number
    return {term: number for term, number in left.items() if number > 0}


def written_forms(texts: Iterable[str], analyzer: Analyzer) -> dict[str, str]:
    """The commonest written form of each term, the first by the alphabet of equal ones."""
    forms: dict[int, Counter[str]] = {}
    for text in texts:
        found = analyzer.occurrences(text)
        places = (found.terms.tolist(), found.starts.tolist(), found.lengths.tolist())
        for term, start, length in zip(*places, strict=True):
            written = " ".join(found.words[start : start + length])
            forms.setdefault(term, Counter())[written] += 1
    commonest = {term: min(c, key=lambda form: (-c[form], form)) for term, c in forms.items()}
    names = analyzer.vocabulary.terms(commonest)
    return dict(zip(names, commonest.values(), strict=True))


def _renamed(counts: Mapping[str, int], forms: Mapping[str, str]) -> dict[str, int]:
    """The counts by written form; numbers are left out."""
    named: Counter[str] = Counter()
    for term, number in counts.items():
        form = forms.get(term, term)
        if any(map(str.isalpha, form)):
            named[form] += number
    return dict(named)
