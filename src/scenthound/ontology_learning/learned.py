"""What learning gives: an ontology, and how it came about."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from scenthound.ontology.model import Ontology
from scenthound.ontology_learning.association import Pair
from scenthound.ontology_learning.context import FormalContext
from scenthound.ontology_learning.lattice import ConceptLattice, concept_lattice
from scenthound.ontology_learning.said_step import Said
from scenthound.ontology_learning.word_topics import WordTopic


@dataclass(frozen=True)
class Learned:
    """An ontology with what it was learnt from.

    Parameters
    ----------
    ontology : concepts and relations that were accepted.
    context : which text has which term (step 2).
    topics : the words of each topic of the pages (step 6).
    pairs : words that go together (step 7).
    said : relations that texts say themselves, those that were accepted.
    notes : what was left out or not found, in sentences.
    complete : were all steps done, or did somebody end it?
    """

    ontology: Ontology
    context: FormalContext
    topics: tuple[WordTopic, ...] = ()
    pairs: tuple[Pair, ...] = ()
    said: tuple[Said, ...] = ()
    notes: tuple[str, ...] = ()
    complete: bool = True

    @cached_property
    def lattice(self) -> ConceptLattice:
        """The concept lattice of the context; worked out when it is first asked for."""
        return concept_lattice(self.context)

    @property
    def origins(self) -> dict[str, int]:
        """How many concepts each step has brought, in order of the steps."""
        counts = Counter(step_of(concept.origin) for concept in self.ontology.concepts)
        return {step: counts[step] for step in _STEPS.values() if counts[step]}


_STEPS = {
    "the topic": "the topic",
    "keyword": "keywords",
    "in ": "terms of the texts",
    "WordNet": "WordNet",
    "topics": "pairs of words",
}
"""How origins begin -> what to call the step."""


def step_of(origin: str) -> str:
    """The step that an origin tells of; "" for one that is not of learning.

    Examples
    --------
    >>> step_of('WordNet: a kind of "storm" (similarity 0.82)')
    'WordNet'
    """
    return next((step for start, step in _STEPS.items() if origin.startswith(start)), "")
