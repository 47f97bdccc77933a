"""A way of reading texts in words: where two agree, texts have the same terms."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from scenthound.lexicon.wordnet import WordNet
from scenthound.text.rules import Rules


def way_of_reading(own: Rules, rules: Rules, wordnet: WordNet | None) -> str:
    """How texts are read by ``rules``, a line for each thing that it depends on.

    Parameters
    ----------
    own : rules of the topic, by which words are folded.
    rules : of the page's language; ``own`` for a page in the topic's.
    wordnet : gives base forms and phrases; None for a language without.
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
