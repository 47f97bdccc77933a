"""What texts say of the concepts of a draft, as proposals; ours, beside the steps of olmoaco.

In the paper experts gave the relations that no WordNet has: what is induced by what.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from scenthound.ontology.model import Kind
from scenthound.ontology_learning.cues import cues_in
from scenthound.ontology_learning.nouns import IsNoun, noun_test
from scenthound.ontology_learning.proposals import Proposal
from scenthound.ontology_learning.sentences import ConceptFinder, Sentence, sentences
from scenthound.ontology_learning.source import Source
from scenthound.ontology_learning.statements import Statement, statements
from scenthound.text.analyzer import Analyzer

MOST_SAID = 200
"""Relations that are taken from texts; a page may claim whatever it likes."""
_LONGEST_QUOTE = 80
_Key = tuple[str, str, Kind]
"""Child, parent, and how they are related."""


@dataclass(frozen=True, slots=True)
class Said:
    """A relation that texts tell of.

    Parameters
    ----------
    child, parent : labels of concepts.
    kind : how they are related.
    words : with which it is said first.
    texts : how many say so.
    """

    child: str
    parent: str
    kind: Kind
    words: str
    texts: int = 1

    @property
    def proposal(self) -> Proposal:
        """For the draft."""
        times = "" if self.texts == 1 else f", and {self.texts - 1} more"
        return Proposal(self.child, self.parent, self.kind, f'texts: "{self.words}"{times}')


def said_relations(
    sources: Iterable[Source], labels: Sequence[str], analyzer: Analyzer
) -> list[Said]:
    """What the texts say, that of most texts first, then in the order of the texts.

    Takes time in proportion to the texts. At most :data:`MOST_SAID`; none without texts.

    Parameters
    ----------
    sources : English ones; titles and bodies are read.
    labels : of the concepts.
    analyzer : reads English.
    """
    texts = [f"{source.title}\n{source.body or source.abstract}" for source in sources]
    rules = analyzer.rules
    finder, is_noun = ConceptFinder(labels, rules.split, rules.base), _noun_words(texts, analyzer)
    first: dict[_Key, str] = {}
    counts: Counter[_Key] = Counter()
    for text in texts:
        here = set()
        for key, words in _told(text, finder, is_noun):
            first.setdefault(key, words)
            here.add(key)
        counts.update(here)
    found = [Said(*key, words, counts[key]) for key, words in first.items()]
    return sorted(found, key=lambda said: -said.texts)[:MOST_SAID]


def _noun_words(texts: Sequence[str], analyzer: Analyzer) -> IsNoun:
    """A test for words as they are written.

    A word that WordNet has for one thing alone is a noun, even if it stands before others only.
    """
    is_noun, rules, wordnet = noun_test(texts, analyzer), analyzer.rules, analyzer.wordnet

    @cache
    def test(word: str) -> bool:
        base = rules.base(word)
        if wordnet is None or word in rules.stops or not word.isalpha():
            return False
        one = len(wordnet.nouns.concepts(base)) == 1 and not len(wordnet.verbs.concepts(base))
        return one or is_noun(base)

    return test


def _told(text: str, finder: ConceptFinder, is_noun: IsNoun) -> Iterator[tuple[_Key, str]]:
    for sentence in sentences(text):
        # Most have no cue; only the others are searched for concepts.
        if any(cues_in(sentence.tokens)):
            places = finder.places(sentence.tokens)
            for found in statements(sentence.tokens, places, is_noun):
                yield (found.child, found.parent, found.kind), quoted(text, sentence, found)


def quoted(text: str, sentence: Sentence, statement: Statement) -> str:
    """The words of a statement on one line, without what steers a terminal; long ones are cut."""
    start, end = sentence.spans[statement.start][0], sentence.spans[statement.end - 1][1]
    seen = text[start : min(end, start + 2 * _LONGEST_QUOTE)]
    words = " ".join("".join(c if c.isprintable() else " " for c in seen).split())
    if len(words) <= _LONGEST_QUOTE and end - start == len(seen):
        return words
    return f"{words[: _LONGEST_QUOTE - 3].rstrip()}..."
