"""What the concepts of an ontology are called."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.ontology.model import squeezed
from scenthound.text.rules import Rules


def topic_label(name: str) -> str:
    """The label of a topic's concept: its name in words; "topic" where the name has none.

    Examples
    --------
    >>> topic_label("severe-weather")
    'severe weather'
    """
    words = name.replace("-", " ").replace("_", " ").lower().split()
    return " ".join(words) or "topic"


def topic_concept(name: str, keywords: Sequence[str], rules: Rules) -> str:
    """The label of a topic's concept among its keywords.

    The first keyword that reads as the name does: "storm" of a topic "storms", which else would be
    two concepts. Without such a keyword the name itself.

    Parameters
    ----------
    name, keywords : the topic's.
    rules : say which words are forms of one.
    """
    label = topic_label(name)
    bases = _bases(label, rules)
    alike = (squeezed(word) for word in keywords if _bases(word, rules) == bases)
    return label if not bases else next(alike, label)


def _bases(text: str, rules: Rules) -> list[str]:
    return [rules.base(word) for word in rules.split(text)]
