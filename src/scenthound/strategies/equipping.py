"""What models of words and texts work with, as a strategy asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from scenthound.strategies.ingredients import Ingredients
from scenthound.text.rules import is_english
from scenthound.vectors.cached import CachedEncoder, CachedWords
from scenthound.vectors.protocols import Equipment, TextEncoder, VectorCache, WordEncoder

AUTO = "auto"


class NothingKept:
    """No cache. Vectors are rounded all the same, so that the crawl is that with one."""

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, npt.NDArray[np.float16]]:
        """Nothing is known."""
        return {}

    def keep(self, model: str, found: Mapping[bytes, npt.NDArray[np.float16]]) -> None:
        """Nothing is kept."""


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
    """MiniLM reads English: whoever takes it for another language is told."""
    language = ingredients.briefing.language
    if not model and not is_english(language):
        ingredients.equipment.warn(
            f"MiniLM was trained on English, and the topic is in {language!r}; give a model for it "
            "(the parameter model), or take sentences-light or soft-svsm"
        )
