"""What models of words and texts work with, as a strategy asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scenthound.core.parameters import Parameters, Value
from scenthound.strategies.ingredients import Ingredients
from scenthound.text.rules import is_english
from scenthound.vectors.cached import CachedEncoder, CachedWords
from scenthound.vectors.protocols import (
    Equipment,
    NothingKept,
    TextEncoder,
    VectorCache,
    WordEncoder,
    WordVectors,
)

AUTO = "auto"
_FILES = frozenset({"model", "vectors", "options", "weights"})
"""Parameters that name a file or a folder, or may do so."""


def absolute_paths(parameters: Parameters) -> dict[str, Value]:
    """Files and folders by their whole path, so that a crawl finds them from wherever it goes on.

    What is not there stays as it is: it may be the name of a model on the hub.
    """
    return {
        key: str(Path(str(value)).expanduser().resolve())
        if key in _FILES and value and Path(str(value)).expanduser().exists()
        else value
        for key, value in parameters.items()
    }


def on_device(equipment: Equipment, device: str) -> Equipment:
    """The same with the ``device`` that a strategy asks for; "auto" leaves it as it is."""
    return equipment if device == AUTO else replace(equipment, device=device)


def remembered_texts(encoder: TextEncoder, cache: VectorCache | None) -> TextEncoder:
    """An encoder that reads no text twice, where there is a cache."""
    return CachedEncoder(encoder, cache or NothingKept())


def remembered_words(encoder: WordEncoder, cache: VectorCache | None) -> WordEncoder:
    """The same for words that are read in their company."""
    return CachedWords(encoder, cache or NothingKept())


def warn_of_language(ingredients: Ingredients, model: str) -> None:
    """What ``model`` names reads English: whoever takes it for another language is told."""
    language = ingredients.briefing.language
    if not is_english(language):
        ingredients.equipment.warn(
            f"{model} trained on English, and the topic is in {language!r}; take sentences with a "
            "model for that language (its parameter model), or vsm-mean"
        )


def warn_of_gaps(
    ingredients: Ingredients, words: WordVectors, terms: Sequence[str], file: str
) -> None:
    """Where half of the topic's terms have no vector, the file is not of this topic's world."""
    known = int(words.look_up(terms).any(axis=1).sum()) if terms else 0
    if 2 * known < len(terms):
        ingredients.equipment.warn(
            f"{file} has vectors of {known} of the {len(terms)} terms of the topic; the others are "
            "compared as they are written"
        )
