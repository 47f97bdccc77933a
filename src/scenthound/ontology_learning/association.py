"""Words that go together: pairs that many sets of words share (olmoaco section 2.4, step 7)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from scenthound.core.errors import SettingsError
from scenthound.core.extras import require
from scenthound.ontology_learning.extra import INSTALL

SUPPORT = 0.5
CONFIDENCE = 0.6
_LEAST = 2
"""Sets that must hold a pair for it to be worth a hint; in one set everything goes together."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two words of which the first brings the second along.

    Parameters
    ----------
    first, second : the words; of the two rules "first, then second" is the more certain.
    support : part of all sets that hold both.
    confidence : part of the sets with the first that hold the second too.
    """

    first: str
    second: str
    support: float
    confidence: float


def strong_pairs(
    transactions: Iterable[Iterable[str]], support: float = SUPPORT, confidence: float = CONFIDENCE
) -> list[Pair]:
    """Pairs that are frequent and certain enough: strong rules of two words (Agrawal et al. 1994).

    The strongest first: by support, then by confidence, then by the alphabet. A pair counts once,
    in the direction that is more certain. No transactions give none.

    Parameters
    ----------
    transactions : sets of words; a word that is there twice counts once.
    support : least part of the transactions that hold both words.
    confidence : least part of those with one word that hold the other too.
    """
    check_share("support", support)
    check_share("confidence", confidence)
    sets = [frozenset(words) for words in transactions]
    if not any(len(words) > 1 for words in sets):
        return []
    apriori = require("efficient_apriori", "finding pairs of words", INSTALL).apriori
    # In order: the library counts in the order of its sets, and texts hash anew in each process.
    ordered = [tuple(sorted(words)) for words in sets]
    _, rules = apriori(ordered, min_support=support, min_confidence=confidence, max_length=2)
    pairs = (Pair(rule.lhs[0], rule.rhs[0], rule.support, rule.confidence) for rule in rules)
    return _once(sorted(pairs, key=_strength))


def support_with_pairs(transactions: Sequence[Iterable[str]]) -> float | None:
    """The support at which the first pairs would be found, in hundredths, rounded down.

    None where no two words are together in two sets.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for words in transactions:
        counts.update(combinations(sorted(set(words)), 2))
    most = max(counts.values(), default=0)
    return math.floor(100 * most / len(transactions)) / 100 if most >= _LEAST else None


def check_share(name: str, value: float) -> None:
    """SettingsError for what is not above 0 and at most 1."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 < value <= 1:
        raise SettingsError(f"{name} takes a part above 0 and up to 1, such as 0.5, not {value!r}.")


def _strength(pair: Pair) -> tuple[float, float, str, str]:
    return -pair.support, -pair.confidence, pair.first, pair.second


def _once(pairs: Iterable[Pair]) -> list[Pair]:
    """Of the two directions of a pair the one that comes first."""
    found: dict[frozenset[str], Pair] = {}
    for pair in pairs:
        found.setdefault(frozenset((pair.first, pair.second)), pair)
    return list(found.values())
