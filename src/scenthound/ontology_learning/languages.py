"""Are the texts in the language of the topic?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scenthound.ontology_learning.source import Source
from scenthound.text.codes import primary_language
from scenthound.text.detection import detect
from scenthound.text.stemming import ALGORITHMS

_NAMES = ALGORITHMS | {"en": "english", "ja": "japanese", "ko": "korean", "zh": "chinese"}


def other_language(sources: Sequence[Source], language: str) -> str | None:
    """A sentence that tells of texts in another language than the topic's.

    None where fewer than half of the texts are, and for no texts.

    Parameters
    ----------
    sources : what is learnt from; a text whose language is not clear counts as the topic's.
    language : of the topic, as the topic file has it; what is no code fits no text.
    """
    own = primary_language(language)
    found = (detect(source.body or source.abstract, language).language for source in sources)
    others = Counter(code for code in found if code not in (None, own))
    if not others or 2 * others.total() < len(sources):
        return None
    likely, count = others.most_common(1)[0]
    texts = "text looks" if count == 1 else "texts look"
    return (
        f"{count} of {len(sources)} {texts} {named_language(likely or '')} and the topic is in "
        f'{named_language(language)}; put language = "{likely}" into the topic file.'
    )


def named_language(code: str) -> str:
    """``French (fr)``; the code alone where its name is not known here."""
    name = _NAMES.get(primary_language(code) or "")
    return f"{name.title()} ({code})" if name else repr(code)
