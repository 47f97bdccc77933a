"""A published WordNet library (``wn``) given a part of our taxonomy, to compare with.

The library asks its database for one pair of concepts at a time. It gets the sampled words with
all their senses and everything above those; a smaller database can only make it faster.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import quoteattr

import wn
from wn.ic import Freq
from wn.similarity import lin, wup

from scenthound.text.wordnet import Taxonomy

_CONFIG = wn.config  # type: ignore[attr-defined]  # documented, but not in wn's __all__
_LEXICON = "nouns"
_NOUN = "n"
_HEAD = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.0.dtd">
<LexicalResource>
<Lexicon id="{_LEXICON}" label="nouns" language="en" email="" license="" version="1">
"""
_FOOT = "</Lexicon>\n</LexicalResource>\n"


class PairwiseLibrary:
    """Similarity of two words, written as a user of the library would write it.

    Parameters
    ----------
    net : the library's view of the words.
    taxonomy : where the words come from; Lin's measure takes the intrinsic information from it.
    """

    def __init__(self, net: wn.Wordnet, taxonomy: Taxonomy) -> None:
        self._net = net
        # The library's -log(freq / total) is then our information content times log(total),
        # and Lin's quotient is the same.
        counts: dict[str | None, float] = {None: float(len(taxonomy))}
        for concept, below in enumerate(taxonomy.hyponyms.tolist()):
            counts[_name(concept)] = below + 1.0
        self._frequencies: Freq = {_NOUN: counts}

    def wu_palmer(self, first: str, second: str) -> float:
        """Highest ``wup`` of two senses."""
        others = self._net.synsets(second, pos=_NOUN)
        return max(wup(a, b) for a in self._net.synsets(first, pos=_NOUN) for b in others)

    def lin(self, first: str, second: str) -> float:
        """Highest ``lin`` of two senses."""
        others = self._net.synsets(second, pos=_NOUN)
        senses = self._net.synsets(first, pos=_NOUN)
        return max(lin(a, b, self._frequencies) for a in senses for b in others)


@contextmanager
def pairwise_library(taxonomy: Taxonomy, words: Iterable[str]) -> Iterator[PairwiseLibrary]:
    """The library with these words, in a temporary folder of its own; nothing is downloaded."""
    before = _CONFIG.database_path.parent
    with TemporaryDirectory() as folder:
        _CONFIG.data_directory = folder
        lexicon = Path(folder) / "nouns.xml"
        lexicon.write_text(_lexicon(taxonomy, words), encoding="utf-8")
        wn.add(lexicon, progress_handler=None)
        try:
            yield PairwiseLibrary(wn.Wordnet(f"{_LEXICON}:1", expand=""), taxonomy)
        finally:
            _CONFIG.data_directory = before


def is_tree_above(taxonomy: Taxonomy, word: str) -> bool:
    """Is there one way up only from each sense of the word? Then definitions cannot differ."""
    above = (taxonomy.ancestors(concept) for concept in taxonomy.concepts(word).tolist())
    return all(len(taxonomy.parents[c]) < 2 for ancestors in above for c in ancestors)


def agree(first: float, second: float) -> bool:
    """Are two similarities equal but for rounding?"""
    return math.isclose(first, second, abs_tol=1e-9)


def _lexicon(taxonomy: Taxonomy, words: Iterable[str]) -> str:
    """Words and concepts in the library's file format, WN-LMF."""
    entries: list[str] = []
    concepts: set[int] = set()
    for number, word in enumerate(sorted(set(words))):
        senses = taxonomy.concepts(word).tolist()
        entries.append(_entry(number, word, senses))
        concepts.update(*(taxonomy.ancestors(concept) for concept in senses))
    synsets = (_synset(concept, taxonomy.parents[concept].tolist()) for concept in sorted(concepts))
    return "".join([_HEAD, *entries, *synsets, _FOOT])


def _entry(number: int, word: str, senses: list[int]) -> str:
    rows = (
        f'<Sense id="{_LEXICON}-{number}-{c}" synset="{_name(c)}"/>' for c in dict.fromkeys(senses)
    )
    lemma = f'<Lemma writtenForm={quoteattr(word)} partOfSpeech="{_NOUN}"/>'
    return f'<LexicalEntry id="{_LEXICON}-w{number}">{lemma}{"".join(rows)}</LexicalEntry>\n'


def _synset(concept: int, parents: list[int]) -> str:
    rows = (f'<SynsetRelation relType="hypernym" target="{_name(p)}"/>' for p in parents)
    return f'<Synset id="{_name(concept)}" ili="" partOfSpeech="{_NOUN}">{"".join(rows)}</Synset>\n'


def _name(concept: int) -> str:
    return f"{_LEXICON}-c{concept}"
