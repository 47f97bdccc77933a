"""A topic as the text of a topic file, with a comment on every key."""

from __future__ import annotations

import json
from collections.abc import Sequence

from scenthound.core.model import Topic

_HEAD = "# A topic file of Scenthound: what to look for, and where to start."
_COMMENTS = {
    "name": "A short name; it labels results.",
    "language": "Language of the topic, as a code such as en, de or zh.",
    "keywords": "Words and phrases that name the topic.",
    "seeds": "Where a crawl starts.",
    "examples": "Pages about the topic: addresses, files beside this one (.html, .txt), or texts.\n"
    "# Two or more make the topic much clearer than keywords alone. Only their text is used.",
    "exclude": "Addresses that are never followed; * stands for any text, ? for one character.",
}

_ONTOLOGY = "What the topic is made of, for the strategies that use an ontology."


def topic_text(topic: Topic) -> str:
    """TOML that ``read_topic`` reads back as the same topic; empty lists are there too."""
    parts = [_HEAD]
    for key, comment in _COMMENTS.items():
        value = getattr(topic, key)
        written = _quoted(value) if isinstance(value, str) else _listed(value)
        parts.append(f"# {comment}\n{key} = {written}")
    if topic.ontology is not None:
        parts.append(f"# {_ONTOLOGY}\nontology = {_quoted(topic.ontology)}")
    return "\n\n".join(parts) + "\n"


def _listed(texts: Sequence[str]) -> str:
    if not texts:
        return "[]"
    return "[\n" + "".join(f"  {_quoted(text)},\n" for text in texts) + "]"


def _quoted(text: str) -> str:
    """A basic string of TOML: that of JSON, but for one control character that JSON leaves bare."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
