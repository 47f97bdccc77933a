"""From the settings of a Scrapy project to the focus of its crawl."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from scenthound.core.errors import SettingsError, TopicError
from scenthound.core.model import Topic
from scenthound.core.parameters import Value
from scenthound.experiments.equipping import CacheChoice, equipped
from scenthound.experiments.judges import judge_of
from scenthound.experiments.topic_reading import Warn, read_briefing
from scenthound.lexicon.wordnet import load_wordnet
from scenthound.live.addon_focus import Focus
from scenthound.relevance.judge_names import SIMILARITY
from scenthound.strategies.catalogue import DEFAULT_STRATEGY
from scenthound.strategies.concept_models import ONTOLOGY
from scenthound.strategies.given_inlinks import with_inlinks
from scenthound.strategies.given_weights import refuse_weights
from scenthound.strategies.ingredients import Ingredients, Recipe
from scenthound.strategies.installed import STRATEGIES
from scenthound.strategies.ontologies import refuse_ontology
from scenthound.strategies.weights import LinkWeights
from scenthound.text.analyzer import Analyzer
from scenthound.topics.file import is_url, read_topic


@dataclass(frozen=True)
class Wanted:
    """The settings of the add-on.

    ``topic`` is the topic file; ``strategy`` a name from ``scenthound strategies`` with its
    ``parameters``; ``judge`` what tells relevant pages, "similarity" or "ontology"; ``threshold``
    the similarity from which a page counts as relevant, calibrated by default; ``wordnet`` a folder
    instead of the shipped one; ``job`` Scrapy's job folder; ``weights`` those of the texts of a
    link, by name, none for the strategy's own; ``inlinks`` how several links to a page count,
    "max", "mean" or "last"; ``cache`` the folder for vectors, "none" for none, and ``cache_limit``
    how large it grows.
    """

    topic: object = None
    strategy: object = None
    parameters: Mapping[str, Value] = field(default_factory=dict)
    judge: object = None
    threshold: object = None
    wordnet: object = None
    job: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    inlinks: object = None
    cache: object = None
    cache_limit: object = None


def read_focus(wanted: Wanted, warn: Warn) -> Focus:
    """The focus that the settings describe.

    Raises
    ------
    InputError
        No topic, one that cannot be read, an unknown strategy or parameter, ...
    """
    if not isinstance(wanted.topic, str | Path) or not str(wanted.topic).strip():
        raise SettingsError('there is no topic; set SCENTHOUND_TOPIC = "topic.toml".')
    recipe = _recipe(wanted)
    weights = LinkWeights(wanted.weights) if wanted.weights else None
    refuse_weights(recipe, weights, wanted.parameters)
    topic = _without_addresses(read_topic(Path(wanted.topic)), warn)
    if recipe.extra == ONTOLOGY:
        refuse_ontology(topic)
    folder = None if wanted.wordnet is None else Path(str(wanted.wordnet)).resolve()
    wordnet = None if folder is None else load_wordnet(folder, warn)
    briefing = read_briefing(
        topic, None, warn, wordnet=wordnet, by_meaning=recipe.uses_wordnet, fetched={}
    )
    analyzer = Analyzer(topic.language, wordnet, topic.keywords)
    name = str(wanted.judge or SIMILARITY)
    judge = judge_of(name, briefing, analyzer, _threshold(wanted.threshold), warn)
    job = None if wanted.job is None else Path(wanted.job)
    with ExitStack() as resources:
        equipment = resources.enter_context(equipped(_cache(wanted), warn))
        ingredients = Ingredients(
            briefing, analyzer, random.Random(0), weights=weights, equipment=equipment
        )
        strategy = recipe.build(ingredients, dict(wanted.parameters))
        focus = Focus(topic, strategy, recipe.combination, judge, job)
        focus.resources.push(resources.pop_all())
    return focus


def _recipe(wanted: Wanted) -> Recipe:
    recipe = STRATEGIES[str(wanted.strategy or DEFAULT_STRATEGY)]
    if recipe.needs_labels:
        raise SettingsError(
            f"strategy {recipe.name!r} is steered by labels and only replays archives; "
            "set another SCENTHOUND_STRATEGY."
        )
    if recipe.walks:
        raise SettingsError(
            f"strategy {recipe.name!r} goes from page to page itself, and in a Scrapy project the "
            "spider decides which requests there are; set another SCENTHOUND_STRATEGY."
        )
    return with_inlinks(recipe, None if wanted.inlinks is None else str(wanted.inlinks))


def _cache(wanted: Wanted) -> CacheChoice:
    folder, limit = wanted.cache, wanted.cache_limit
    return CacheChoice().changed(
        None if folder is None else str(folder), None if limit is None else str(limit)
    )


def _without_addresses(topic: Topic, warn: Warn) -> Topic:
    """The spider decides what is fetched, so examples that are addresses are left out."""
    others = tuple(example for example in topic.examples if not is_url(example))
    left_out = len(topic.examples) - len(others)
    if not left_out:
        return topic
    if not any(text.strip() for text in (*topic.keywords, *others)):
        raise TopicError(
            f"{topic} is described by the addresses of example pages alone, and the add-on "
            "fetches none; add keywords, or save the pages and name the files."
        )
    warn(
        f"{topic}: {left_out} of {len(topic.examples)} examples are addresses and are left out; "
        "the add-on fetches nothing itself, so save the pages and name the files"
    )
    return replace(topic, examples=others)


def _threshold(given: object) -> float | None:
    if given is None:
        return None
    try:
        threshold = float(str(given))
    except ValueError:
        threshold = math.nan
    if not 0.0 <= threshold <= 1.0:
        raise SettingsError(f"SCENTHOUND_THRESHOLD lies within 0 and 1, not at {given!r}.")
    return threshold
