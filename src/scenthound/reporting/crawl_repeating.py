"""What it takes to run a crawl again: a topic file, a settings file, a command."""

from __future__ import annotations

import dataclasses
import json
import shlex
from collections.abc import Mapping

from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.live.options import CrawlOptions
from scenthound.reporting.document import Code
from scenthound.strategies.installed import STRATEGIES
from scenthound.topics.writing import topic_text

TOPIC_FILE, SETTINGS_FILE, WEIGHTS_FILE = "topic.toml", "settings.toml", "weights.toml"
_REPLAY_KEYS = ("count_missing", "judge", "threshold", "pdf")
_PRIVATE = ("header", "proxy", "cookie_file", "netrc", "auth_hosts")
"""May hold what is nobody else's business, so that a report only says that they were set."""
_DEFAULTS = {
    **{each.name: each.default for each in dataclasses.fields(CrawlOptions)},
    "count_missing": False,
}
Settings = dict[str, object]


def repeating(stored: StoredCrawl) -> list[Code]:
    """The command, and the content of the files that it names."""
    weights = _weights(stored.settings)
    files = [Code(f"{TOPIC_FILE}: the topic", _topic(stored))]
    files.append(Code(f"{SETTINGS_FILE}: the settings that differ from the defaults",
                      settings_text(stored)))  # fmt: skip
    if weights:
        files.append(Code(f"{WEIGHTS_FILE}: the weights of a link's texts", weights))
    return [Code("The command", command(stored)), *files]


def command(stored: StoredCrawl) -> str:
    """The command that crawls the same again, into a new folder."""
    order, is_live = stored.order, stored.is_live
    words = ["scenthound", "crawl"] if is_live else ["scenthound", "replay",
                                                     str(stored.archive_path)]  # fmt: skip
    words += ["--topic", TOPIC_FILE, "--strategy", stored.strategy, "--config", SETTINGS_FILE]
    words += ["--max-pages" if is_live else "--budget", str(order.get("budget"))]
    words += ["--random-seed", str(order.get("seed"))]
    if _weights(stored.settings):
        words += ["--weights", WEIGHTS_FILE]
    if _labels(stored):
        words += ["--labels", _labels(stored)]
    return shlex.join([*words, "--out", f"{stored.folder.path.name}-again"])


def settings_text(stored: StoredCrawl) -> str:
    """The settings file: TOML; one line where nothing differs from the defaults."""
    import tomlkit

    document = tomlkit.document()
    settings, recipe = stored.settings, STRATEGIES.get(stored.strategy)
    given = _crawl(settings) if stored.is_live else _replay(settings)
    inlinks = settings.get("inlinks")
    if recipe is not None and inlinks not in (None, recipe.combination.value):
        given["inlinks"] = inlinks
    if given:
        document.add("crawl" if stored.is_live else "replay", tomlkit.item(given))
    parameters = _parameters(stored)
    if parameters:
        document.add(stored.strategy, tomlkit.item(parameters))
    kept = [name for name in _PRIVATE if settings.get(name)]
    if kept:
        document.add(tomlkit.comment(f"set besides, and not told in reports: {', '.join(kept)}"))
    return tomlkit.dumps(document) or "# all settings have their defaults\n"


def _crawl(settings: Mapping[str, object]) -> Settings:
    """What differs; pages and the random seed are in the command."""
    left = {*_PRIVATE, "max_pages", "random_seed", "inlinks", "weights", "auth"}
    return {
        name: list(value) if isinstance(value, list | tuple) else value
        for name, value in settings.items()
        if name in _DEFAULTS and name not in left and value is not None
        if value != _DEFAULTS[name] and not (value == [] and _DEFAULTS[name] == ())
    }


def _replay(settings: Mapping[str, object]) -> Settings:
    given = {name: settings.get(name) for name in _REPLAY_KEYS}
    return {
        name: value
        for name, value in given.items()
        if value is not None and value != _DEFAULTS.get(name)
    }


def _parameters(stored: StoredCrawl) -> Settings:
    """Those of the strategy that differ from its own."""
    parameters, recipe = stored.order.get("parameters"), STRATEGIES.get(stored.strategy)
    own = {} if recipe is None else recipe.parameters
    given = parameters if isinstance(parameters, dict) else {}
    return {
        name: value for name, value in given.items() if value is not None and own.get(name) != value
    }


def _topic(stored: StoredCrawl) -> str:
    topic = stored.topic
    ontology = f"\nontology = {json.dumps(topic.ontology)}\n" if topic.ontology else ""
    return topic_text(topic) + ontology


def _weights(settings: Mapping[str, object]) -> str:
    import tomlkit

    weights = settings.get("weights")
    if not isinstance(weights, dict):
        return ""
    values = {"model": weights.get("model"), "weights": weights.get("values")}
    return tomlkit.dumps({name: value for name, value in values.items() if value is not None})


def _labels(stored: StoredCrawl) -> str:
    """The file of labels; a replay keeps only which labels these were."""
    source = stored.order.get("source")
    path = source.get("labels") if isinstance(source, dict) else None
    if path:
        return str(path)
    return "labels.tsv" if stored.settings.get("labels") else ""
