"""Which terms stand for a topic in its disambiguation graph (sdvsm Eq. 9)?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scenthound.core.errors import InputError, UnknownNameError
from scenthound.text.bags import EMPTY, Bag
from scenthound.text.vocabulary import Numbers, Vocabulary, Weights
from scenthound.topics.page_index import occurrences

IDFS = ("literal", "smooth")
PER_PAGE = 2


@dataclass(frozen=True, eq=False)
class GraphTerms:
    """The nodes of a graph, in the order in which they were chosen.

    Parameters
    ----------
    numbers : the terms.
    names : the same in letters.
    weights : the largest TF-IDF weight of each on any example page.
    occurrences : how often each occurs in the training texts, N_k of Eq. 11; at least 1.
    """

    numbers: Numbers
    names: tuple[str, ...]
    weights: Weights
    occurrences: Numbers

    def __len__(self) -> int:
        return len(self.names)


def inverse_document_frequency(pages: int, containing: Numbers, form: str = "literal") -> Weights:
    """How telling a term is that so many of the pages contain.

    ``literal`` is Eq. 9, ``log(NS / Ni)``, with a term of no page counted as one of one page: 0
    for a term of every page, so the topic's own name can weigh nothing. ``smooth`` is ours,
    ``log((NS + 1) / (Ni + 1)) + 1``: never 0.
    """
    if form not in IDFS:
        raise UnknownNameError("inverse document frequency", form, IDFS)
    if form == "smooth":
        return np.log((pages + 1) / (containing + 1.0)) + 1.0
    return np.log(max(pages, 1) / np.maximum(containing, 1.0))


def chosen_terms(
    examples: Sequence[Bag], vocabulary: Vocabulary, per_page: int, idf: str = "literal"
) -> list[int]:
    """The ``per_page`` heaviest terms of each page that were not chosen before (Eq. 9).

    The paper takes two of each page and does not say what happens when pages agree; here the
    page's list is followed down to the next new term. Of equal weights the more frequent term
    goes first, then the alphabet decides.
    """
    chosen: dict[int, None] = {}
    for page in examples:
        weights = _weights(page, page.ids, examples, idf)
        names = vocabulary.terms(page.ids.tolist())
        listed = zip(-weights, (-page.counts).tolist(), names, page.ids.tolist(), strict=True)
        new = (number for *_, number in sorted(listed) if number not in chosen)
        chosen |= dict.fromkeys([number for number, _ in zip(new, range(per_page), strict=False)])
    return list(chosen)


def graph_terms(
    examples: Sequence[Bag],
    keywords: Bag,
    vocabulary: Vocabulary,
    *,
    per_page: int = PER_PAGE,
    idf: str = "literal",
    with_keywords: bool = True,
) -> GraphTerms:
    """The terms that stand for a topic.

    Ours: the terms of the keywords join (unless ``with_keywords`` is off and there are
    examples), because Eq. 9 gives 0 to a word of every example page, which the topic's own
    name often is. The keywords are then one more training text. A keyword of no example page
    weighs ``f / f_max`` of that text.

    Parameters
    ----------
    examples : the topic's example pages.
    keywords : the keywords, read as one text.
    vocabulary : what the numbers mean.
    per_page : terms of each page.
    idf : ``literal`` (the paper's) or ``smooth``.
    with_keywords : do the keywords join where there are examples?
    """
    if per_page < 1:
        raise InputError(f"a page cannot give {per_page} terms to the graph; give 1 or more.")
    own = keywords if with_keywords or not examples else EMPTY
    chosen = chosen_terms(examples, vocabulary, per_page, idf)
    by_name = sorted(own.ids.tolist(), key=vocabulary.term)
    numbers = np.array(list(dict.fromkeys([*chosen, *by_name])), np.int32)
    weights = [_weights(page, numbers, examples, idf) for page in examples]
    counts = sum((occurrences(text, numbers) for text in [*examples, own]), start=numbers * 0)
    unseen = _frequencies(examples, numbers) == 0
    return GraphTerms(
        numbers,
        tuple(vocabulary.terms(numbers.tolist())),
        np.where(unseen, _shares(own, numbers), np.max([*weights, np.zeros(len(numbers))], axis=0)),
        counts,
    )


def _weights(page: Bag, terms: Numbers, examples: Sequence[Bag], idf: str) -> Weights:
    """Eq. 9: ``w = f / f_max * idf`` of the terms on a page."""
    containing = _frequencies(examples, terms)
    return _shares(page, terms) * inverse_document_frequency(len(examples), containing, idf)


def _shares(text: Bag, terms: Numbers) -> Weights:
    """``f / f_max`` of the terms in a text; 0 in an empty one."""
    return occurrences(text, terms) / np.max(text.counts, initial=1)


def _frequencies(texts: Sequence[Bag], terms: Numbers) -> Numbers:
    """In how many texts does each term occur?"""
    return sum((np.sign(occurrences(text, terms)) for text in texts), start=terms * 0)
