"""Which training links are wanted, and what reads them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing, Topic
from scenthound.core.parameters import Parameters
from scenthound.lexicon.wordnet import WordNet
from scenthound.relevance.judge import SimilarityJudge
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.text_models import TEXT_MODELS
from scenthound.strategies.weighted import EVIDENCE, TEXTS, WeightedTexts, equal
from scenthound.text.analyzer import Analyzer
from scenthound.vectors.protocols import Equipment

DEFAULT_MODEL = "soft-sdvsm"
"""That of the strategy that crawls where no other is asked for."""
DEFAULT_LINKS = 1_000
"""As in both papers."""
MOST_LINKS = 1_000_000
_LEXICAL = "vsm"
"""The text model that does not ask WordNet."""


@dataclass(frozen=True)
class LinkPlan:
    """How many training links, and by which text model.

    Parameters
    ----------
    model : a name of ``strategies.text_models.TEXT_MODELS``.
    parameters : the model's, by name.
    links : how many are wanted.
    structure : take link-structure evidence beside the four texts?
    seed : of the random generator, for models that draw.
    wordnet : None for the one that is shipped.
    equipment : what models of words and texts work with.

    UnknownNameError or SettingsError for what cannot be.
    """

    model: str = DEFAULT_MODEL
    parameters: Parameters = field(default_factory=dict)
    links: int = DEFAULT_LINKS
    structure: bool = False
    seed: int = 0
    wordnet: WordNet | None = None
    equipment: Equipment = field(default_factory=Equipment)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", TEXT_MODELS[self.model].check(self.parameters))
        if not 1 <= self.links <= MOST_LINKS:
            raise SettingsError(
                f"links is a number from 1 to {MOST_LINKS:,}, not {self.links}; "
                f"{DEFAULT_LINKS:,} are enough for most topics."
            )

    @property
    def names(self) -> tuple[str, ...]:
        """What the values of a link are called, in order."""
        return EVIDENCE if self.structure else TEXTS

    @property
    def by_meaning(self) -> bool:
        """Are texts compared by meaning?"""
        return self.model != _LEXICAL

    def readers(self, topic: Topic, briefing: Briefing) -> tuple[WeightedTexts, SimilarityJudge]:
        """What reads the texts of a link, and what judges its target; both fresh."""
        analyzer = Analyzer(topic.language, self.wordnet, topic.keywords)
        judge = SimilarityJudge(briefing, analyzer)
        rng = random.Random(self.seed)
        ingredients = Ingredients(briefing, analyzer, rng, equipment=self.equipment)
        model = TEXT_MODELS[self.model].model(ingredients, self.parameters)
        return WeightedTexts(model, equal(self.names), judge.similarity), judge
