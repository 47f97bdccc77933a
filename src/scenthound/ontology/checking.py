"""What is wrong with an ontology: circles, lost concepts, concepts that are there twice."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from scenthound.core.errors import OntologyError
from scenthound.ontology.circles import above, circles
from scenthound.ontology.model import Ontology

_NAMED = 5
"""Labels, or circles, that are named; of the others the number is told, or that there are more."""
_LONGEST = 60
_SHORTEST_PLURAL = 4


class Severity(enum.Enum):
    """Can the ontology be used all the same?"""

    SERIOUS = "serious"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with an ontology.

    Parameters
    ----------
    severity : how bad it is.
    sentence : what is wrong, and what to do.
    """

    severity: Severity
    sentence: str


def is_serious(finding: Finding) -> bool:
    """Is this one of the things that keep an ontology from being used?"""
    return finding.severity is Severity.SERIOUS


def check(ontology: Ontology) -> list[Finding]:
    """All that is wrong, the serious first; empty where all is well. Linear in the ontology."""
    serious = (_emptiness, _unknown_topic, _unnamed, _doubles, _lost_ends, _circles)
    notes = (_no_topic, _unreached, _lookalikes)
    return [
        *_found(Severity.SERIOUS, ontology, serious),
        *_found(Severity.NOTE, ontology, notes),
    ]


def checked(ontology: Ontology) -> Ontology:
    """The ontology itself; OntologyError with the first serious finding where there is one."""
    for finding in check(ontology):
        if is_serious(finding):
            raise OntologyError(f"ontology {_quoted(ontology.name)}: {finding.sentence}")
    return ontology


_Rule = Callable[[Ontology], Iterator[str]]


def _found(severity: Severity, ontology: Ontology, rules: Iterable[_Rule]) -> Iterator[Finding]:
    for rule in rules:
        for sentence in rule(ontology):
            yield Finding(severity, sentence)


def _emptiness(ontology: Ontology) -> Iterator[str]:
    if not len(ontology):
        yield "it has no concept; add some, or learn it with: scenthound ontology learn."


def _unknown_topic(ontology: Ontology) -> Iterator[str]:
    if ontology.topic is not None and ontology.topic not in ontology and len(ontology):
        yield (
            f"the topic concept {_quoted(ontology.topic)} is not among its concepts; "
            "add it, or choose another one."
        )


def _unnamed(ontology: Ontology) -> Iterator[str]:
    count = ontology.labels.count("")
    if count:
        yield f"{_counted(count, 'concept')} without a label; give each a label, or remove it."


def _doubles(ontology: Ontology) -> Iterator[str]:
    twice = [label for label, count in Counter(ontology.labels).items() if count > 1 and label]
    if twice:
        yield f"more than one concept has the label {_listed(twice)}; keep one of each."


def _lost_ends(ontology: Ontology) -> Iterator[str]:
    known = set(ontology.labels)
    ends = (end for each in ontology.relations for end in (each.child, each.parent))
    lost = list(dict.fromkeys(end for end in ends if end not in known))
    if lost:
        yield f"relations lead to {_listed(lost)}, which are no concepts; add or remove them."


def _circles(ontology: Ontology) -> Iterator[str]:
    found = list(islice(circles(above(ontology.relations)), _NAMED + 1))
    for circle in found[:_NAMED]:
        if len(circle) == 1:
            yield f"{_quoted(circle[0])} is related to itself; remove that relation."
        else:
            way = " below ".join(map(_quoted, [*_cut(circle), circle[0]]))
            yield f"there is a circle, {way}; remove one of these relations."
    if len(found) > _NAMED:
        yield "there are more circles; remove these and check again."


def _cut(circle: Sequence[str]) -> Sequence[str]:
    """A long way round, without its middle."""
    return circle if len(circle) <= 2 * _NAMED else (*circle[:_NAMED], "...", *circle[-_NAMED:])


def _no_topic(ontology: Ontology) -> Iterator[str]:
    if ontology.topic is None and len(ontology):
        yield (
            "no concept is marked as what the topic is about; choose one with: "
            "scenthound ontology convert FILE OUT --topic LABEL."
        )


def _unreached(ontology: Ontology) -> Iterator[str]:
    if ontology.topic is None or ontology.topic not in ontology:
        return
    reached = neighbourhood(ontology, ontology.topic)
    lost = [label for label in ontology.labels if label not in reached]
    if lost:
        yield (
            f"no relation leads from the topic concept to {_listed(lost)}; relate them, or "
            "remove them."
        )


def neighbourhood(ontology: Ontology, label: str) -> dict[str, int]:
    """Every concept that relations lead to from ``label``, up or down, and in how many steps.

    Nearest first; ``label`` alone, at 0, where it has no relation.
    """
    steps = {label: 0}
    queue = [label]
    for here in queue:
        ups = (relation.parent for relation in ontology.parents.get(here, ()))
        downs = (relation.child for relation in ontology.children.get(here, ()))
        for other in (*ups, *downs):
            if other not in steps:
                steps[other] = steps[here] + 1
                queue.append(other)
    return steps


def _lookalikes(ontology: Ontology) -> Iterator[str]:
    alike: dict[str, list[str]] = {}
    for label in dict.fromkeys(ontology.labels):
        alike.setdefault(_folded(label), []).append(label)
    pairs = [" and ".join(map(_quoted, each)) for each in alike.values() if len(each) > 1]
    for pair in pairs[:_NAMED]:
        yield f"{pair} are perhaps one concept; keep one of them."
    if len(pairs) > _NAMED:
        yield f"{len(pairs) - _NAMED:,} more labels look like others; see the above."


def _folded(label: str) -> str:
    """A label without hyphens, blanks and the s of a plural; itself where that leaves nothing."""
    letters = "".join(letter for letter in label if letter.isalnum())
    plural = len(letters) >= _SHORTEST_PLURAL and letters.endswith("s") and letters[-2] != "s"
    return (letters[:-1] if plural else letters) or label


def _listed(labels: Sequence[str]) -> str:
    more = len(labels) - _NAMED
    named = ", ".join(map(_quoted, labels[:_NAMED]))
    return named + (f" and {more:,} more" if more > 0 else "")


def _quoted(label: str) -> str:
    return f'"{label if len(label) <= _LONGEST else label[:_LONGEST] + "..."}"'


def _counted(number: int, name: str) -> str:
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"
