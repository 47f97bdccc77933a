"""Training links: the similarities of a link's texts, the relevance of its target, and the plan
to collect them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scenthound.core.model import Topic, TopicProfile
from scenthound.core.parameters import Parameters, Value
from scenthound.papers.weight_problem import Array
from scenthound.similarity.encoders import ModelRuntime
from scenthound.similarity.judge import SimilarityJudge
from scenthound.similarity.link_priority import EVIDENCE, TEXTS, WeightedTexts, uniform_weights
from scenthound.strategies.spec import StrategyContext
from scenthound.strategies.text_models import TEXT_MODELS
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet import WordNet

SIMILARITY, RELEVANCE = "sim_", "relevance"
"""Columns of a table: the prefix for values of a text, and the relevance of the target."""

LONGEST_TEXT = 200
"""Characters of an anchor or a name that are kept."""


@dataclass(frozen=True, slots=True)
class TrainingLink:
    """A link whose target was fetched.

    ``source`` is the page that holds it, ``target`` the page it leads to in the end, ``values``
    the similarities of its texts and other evidence, ``relevance`` that of the target by the
    judge.
    """

    source: str
    target: str
    anchor: str
    values: tuple[float, ...]
    relevance: float


@dataclass(frozen=True)
class TrainingLinks:
    """The training links of a topic, in the order in which their targets were fetched.

    Collected links have each target once, so that none is both in the training and the test half.

    Parameters
    ----------
    topic : its name; empty where it is not known.
    model : the text model that compared the texts; empty where it is not known.
    names : what the values of a link are called, in order.
    links : those that train first; none at all is allowed.
    split : how many of them train. By default the first half; of an odd number the middle one
        trains too.
    """

    topic: str
    model: str
    names: tuple[str, ...]
    links: tuple[TrainingLink, ...]
    split: int | None = None

    def __len__(self) -> int:
        return len(self.links)

    @property
    def train(self) -> int:
        """How many links train: the first ones."""
        return len(self) - len(self) // 2 if self.split is None else self.split

    @property
    def test(self) -> int:
        """How many links test: the others."""
        return len(self) - self.train

    @cached_property
    def rows(self) -> Array:
        """The values, one row a link; without links no rows, but all columns."""
        return np.array([link.values for link in self.links], float).reshape(-1, len(self.names))

    @cached_property
    def targets(self) -> Array:
        """The relevance of each target."""
        return np.array([link.relevance for link in self.links], float)


def shorten_line(text: str) -> str:
    """Return the text as one printable line of at most 200 characters."""
    signs = (sign if sign.isprintable() else " " for sign in text[: 10 * LONGEST_TEXT])
    return " ".join("".join(signs).split())[:LONGEST_TEXT]


# Where links come from.

OnLinks = Callable[[int, int], None]
"""Called with the number of links so far, and the number that is wanted."""


@dataclass(frozen=True)
class CollectedLinks:
    """Training links and where they come from.

    ``fetched`` counts the pages that a pre-crawl fetched, or that were read again out of a crawl
    folder; ``wanted`` the links that were requested. ``left_out`` counts the targets of links that
    gave no training link, by reason. ``source`` describes where the links come from,
    ``parameters`` are those that were set of the text model.
    """

    links: TrainingLinks
    fetched: int
    wanted: int
    left_out: Mapping[str, int]
    source: str
    parameters: Mapping[str, Value] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """As a results file has it, without the links themselves."""
        return {
            "source": self.source,
            "model": self.links.model,
            "parameters": dict(self.parameters),
            "links": len(self.links),
            "wanted": self.wanted,
            "fetched": self.fetched,
            "left_out": dict(self.left_out),
        }


# Which training links are wanted, and what reads them.

DEFAULT_MODEL = "soft-sdvsm"


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
    """

    model: str = DEFAULT_MODEL
    parameters: Parameters = field(default_factory=dict)
    links: int = 1_000
    structure: bool = False
    seed: int = 0
    wordnet: WordNet | None = None
    equipment: ModelRuntime = field(default_factory=ModelRuntime)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", TEXT_MODELS[self.model].check(self.parameters))

    @property
    def names(self) -> tuple[str, ...]:
        """What the values of a link are called, in order."""
        return EVIDENCE if self.structure else TEXTS

    @property
    def by_meaning(self) -> bool:
        """Are texts compared by meaning? ``vsm`` alone does without WordNet."""
        return self.model != "vsm"

    def readers(self, topic: Topic, profile: TopicProfile) -> tuple[WeightedTexts, SimilarityJudge]:
        """Build the scorer that compares the texts of a link, and the judge of its target."""
        analyzer = Analyzer(topic.language, self.wordnet, topic.keywords)
        judge = SimilarityJudge(profile, analyzer)
        rng = random.Random(self.seed)
        context = StrategyContext(profile, analyzer, rng, equipment=self.equipment)
        model = TEXT_MODELS[self.model].model(context, self.parameters)
        return WeightedTexts(model, uniform_weights(self.names), judge.similarity), judge
