"""Text models with one vector for a whole text (ours, the future work of bsvsm-ha).

Parameters that both have:

* ``topic``: "merged", one direction in the middle of keywords and example pages, or "pages":
  each is one of its own, and those that are nearest to a text count;
* ``nearest``: how many nearest ones, in the mean;
* ``lead``: characters of a page's text that are read, after its title.
"""

from __future__ import annotations

from scenthound.relevance.sentences import LEAD, NEAREST, SentenceModel
from scenthound.strategies.equipping import on_device, remembered_texts, warn_of_language
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.model_scorer import TextModel
from scenthound.topics.model import MERGED, PAGES
from scenthound.vectors.bert import load_bert
from scenthound.vectors.static import load_static


def sentences(
    ingredients: Ingredients, *, topic: str = PAGES, nearest: int = NEAREST, lead: int = LEAD,
    model: str = "", device: str = "auto",
) -> TextModel:  # fmt: skip
    """Vectors of a sentence model: MiniLM, or the BERT ``model`` in a folder or on the hub.

    ``device`` is "auto" for the GPU where there is one, "cpu", "cuda", ...
    """
    equipment = on_device(ingredients.equipment, device)
    if not model:
        warn_of_language(ingredients, "MiniLM was")
    encoder = remembered_texts(load_bert(model, equipment=equipment), equipment.cache)
    return SentenceModel(ingredients.briefing, encoder, topic, lead, nearest)


def sentences_light(
    ingredients: Ingredients, *, topic: str = MERGED, nearest: int = NEAREST, lead: int = LEAD
) -> TextModel:
    """Static vectors, of which a text is the mean: no more to install, and fast."""
    warn_of_language(ingredients, "the static vectors were")
    return SentenceModel(ingredients.briefing, load_static(), topic, lead, nearest)
