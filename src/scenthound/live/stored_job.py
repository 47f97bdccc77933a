"""A live crawl's job and scope, read back from its folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.model import Topic
from scenthound.core.registry import Registry
from scenthound.experiments.equipping import CacheChoice
from scenthound.experiments.labels import read_labels
from scenthound.experiments.topic_reading import Warn
from scenthound.frontier.combination import Combination
from scenthound.lexicon.wordnet import load_wordnet
from scenthound.live.job import INLINKS, KIND, WEIGHTS, LiveJob, labelled_pages
from scenthound.live.options import AUTH_HOSTS, CrawlOptions
from scenthound.store.folder import CrawlFolder
from scenthound.strategies.given_inlinks import inlinks_named
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.weights import LinkWeights


def stored_job(
    folder: CrawlFolder,
    catalogue: Registry[Recipe],
    changes: Mapping[str, object],
    warn: Warn,
    recipe: Recipe | None = None,
) -> LiveJob:
    """The job of the crawl in ``folder``, with some options changed.

    Parameters
    ----------
    folder : of a live crawl.
    catalogue : strategies by name.
    changes : options to set anew, such as ``max_pages``.
    warn : gets what has changed around the crawl since it began.
    recipe : the strategy itself, where it is not in the catalogue.

    Raises
    ------
    FolderError
        The folder holds something else, or a file it needs is gone.
    """
    order = _live_order(folder, "cannot be resumed; run it again")
    return ordered_job(order, str(folder.order_path), catalogue, changes, warn, recipe)


def ordered_job(
    order: Mapping[str, object],
    place: str,
    catalogue: Registry[Recipe],
    changes: Mapping[str, object],
    warn: Warn,
    recipe: Recipe | None = None,
) -> LiveJob:
    """The job that an order asks for; ``place`` is where the order was found, for messages."""
    topic, options = _scope(order, place)
    with _damage_told(place):
        source, settings = _mapping(order["source"]), _mapping(order["settings"])
        parameters = _mapping(order["parameters"])
        labels, wordnet = _path(source["labels"]), _path(source["wordnet"])
        weights = _weights(settings.get(WEIGHTS))
        cache = CacheChoice.from_json(settings)
        inlinks = _inlinks(settings.get(INLINKS))
        name = str(order["strategy"])
    recipe = recipe or catalogue[name]
    if inlinks is not None and inlinks is not recipe.combination:
        recipe = dataclasses.replace(recipe, combination=inlinks)
    return LiveJob(
        topic=topic,
        recipe=recipe,
        parameters=recipe.check(parameters),  # type: ignore[arg-type]
        options=dataclasses.replace(options, **changes),  # type: ignore[arg-type]
        labels=labelled_pages(None if labels is None else read_labels(labels), topic),
        labels_file=labels,
        wordnet=None if wordnet is None else load_wordnet(wordnet, warn),
        wordnet_folder=wordnet,
        auth_hosts=tuple(map(str, settings.get(AUTH_HOSTS) or ())),  # type: ignore[call-overload]
        weights=weights,
        cache=cache,
    )


def stored_scope(folder: CrawlFolder) -> tuple[Topic, CrawlOptions]:
    """The topic and the options of the live crawl in ``folder``; FolderError as for its job."""
    order = _live_order(folder, "has no scope of its own; give the folder of a live crawl")
    return _scope(order, str(folder.order_path))


def _scope(order: Mapping[str, object], place: str) -> tuple[Topic, CrawlOptions]:
    with _damage_told(place):
        source, stored = _mapping(order["source"]), _mapping(order["topic"])
        topic = Topic(**{**stored, "file": source["topic_file"]})  # type: ignore[arg-type]
        return topic, CrawlOptions.from_json(_mapping(order["settings"]))


def _live_order(folder: CrawlFolder, otherwise: str) -> Mapping[str, object]:
    order = folder.order()
    if order.get("kind") != KIND:
        raise FolderError(f"{folder.path} holds a {order.get('kind')}, which {otherwise}.")
    return order


@contextmanager
def _damage_told(place: str) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, SettingsError) as error:
        raise FolderError(f"{place} is damaged: {error}") from None


def _mapping(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no table")
    return value


def _weights(stored: object) -> LinkWeights | None:
    """Kept whole, so that their file is not needed again; older folders have none."""
    return None if stored is None else LinkWeights.from_json(_mapping(stored))


def _inlinks(stored: object) -> Combination | None:
    """How inlinks counted from the beginning on; older folders do not say."""
    return None if stored is None else inlinks_named(str(stored))


def _path(value: object) -> Path | None:
    return None if value is None else Path(str(value))
