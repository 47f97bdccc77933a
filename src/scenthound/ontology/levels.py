"""How far down a concept stands."""

from __future__ import annotations

from scenthound.ontology.model import Ontology


def levels(ontology: Ontology) -> dict[str, int]:
    """For each label its level, in the order they are reached: 1 for a root, then one more than
    its highest parent.

    Relations of a concept to itself, or to what is no concept, are left out. A circle that hangs
    below no root is entered at its first concept, as if that were one. Empty for an ontology
    without concepts.
    """
    found: dict[str, int] = {}
    roots = [label for label in ontology.labels if not _has_parent(ontology, label)]
    for start in (roots, *([label] for label in ontology.labels)):
        queue = [label for label in start if label not in found]
        found.update(dict.fromkeys(queue, 1))
        for label in queue:
            below = (relation.child for relation in ontology.children[label])
            for child in below:
                if child in ontology and child not in found:
                    found[child] = found[label] + 1
                    queue.append(child)
    return found


def _has_parent(ontology: Ontology, label: str) -> bool:
    above = (relation.parent for relation in ontology.parents[label])
    return any(parent != label and parent in ontology for parent in above)
