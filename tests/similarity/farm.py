"""A taxonomy of sixteen concepts whose information content comes out in quarters.

    entity
      object                 animal, its kinds, stone
        animal               dog, cat, horse, cow, goat, sheep, puppy
      pet                    dog, cat, puppy
        dog (also: animal)   puppy
        cat (also: animal)
      person                 gossip, singer, child

``log 16 = 4 log 2``: a concept with 7 below it has information 1 - 3/4, with 3 below 1 - 2/4, with
1 below 1 - 1/4. Of the common ancestors of dog and cat, animal is the deepest (3; pet 2) and pet
the most informative (0.5; animal 0.25). The word "cat" has two senses: the animal, and a gossip.
"""

from __future__ import annotations

from scenthound.text.wordnet import Taxonomy, build_taxonomy

NAMES = (
    "entity object animal pet person dog cat horse cow goat sheep puppy stone gossip singer child"
).split()
NUMBER = {name: place for place, name in enumerate(NAMES)}
KIND_OF = {
    "entity": [],
    "object": ["entity"],
    "pet": ["entity"],
    "person": ["entity"],
    "animal": ["object"],
    "stone": ["object"],
    "dog": ["animal", "pet"],
    "cat": ["animal", "pet"],
    **{name: ["animal"] for name in ("horse", "cow", "goat", "sheep")},
    "puppy": ["dog"],
    **{name: ["person"] for name in ("gossip", "singer", "child")},
}


def farm() -> Taxonomy:
    """The taxonomy; "hound" is another word for dog."""
    senses = {name: [NUMBER[name]] for name in NAMES}
    senses["cat"].append(NUMBER["gossip"])
    senses["hound"] = [NUMBER["dog"]]
    parents = {NUMBER[name]: [NUMBER[a] for a in above] for name, above in KIND_OF.items()}
    return build_taxonomy(senses, parents)


def concept(taxonomy: Taxonomy, name: str) -> int:
    """The number that the taxonomy gave a concept."""
    return int(taxonomy.concepts(name)[0])
