"""What it takes to run a crawl again: a topic file, a settings file, a command."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.reporting.crawl_settings import not_told, settings_text
from scenthound.reporting.document import Code
from scenthound.topics.local_files import named_files
from scenthound.topics.writing import topic_text

TOPIC_FILE, SETTINGS_FILE, WEIGHTS_FILE = "topic.toml", "settings.toml", "weights.toml"
LABELS_FILE = "labels.tsv"
"""Stands for labels whose file is not known."""


def repeating(stored: StoredCrawl) -> list[Code]:
    """The command, and the content of the files that it names."""
    weights = _weights(stored.settings)
    files = [Code(f"{TOPIC_FILE}: the topic", topic_text(stored.topic))]
    files.append(Code(f"{SETTINGS_FILE}: the settings that differ from the defaults",
                      settings_text(stored)))  # fmt: skip
    if weights:
        files.append(Code(f"{WEIGHTS_FILE}: the weights of a link's texts", weights))
    caption = "; ".join(["The command", *_lacks(stored)])
    return [Code(caption, command(stored)), *files]


def command(stored: StoredCrawl) -> str:
    """The command that crawls the same again, into a new folder."""
    order, is_live = stored.order, stored.is_live
    words = ["scenthound", "crawl"] if is_live else ["scenthound", "replay",
                                                     str(stored.archive_path)]  # fmt: skip
    words += ["--topic", TOPIC_FILE, "--strategy", stored.strategy, "--config", SETTINGS_FILE]
    words += ["--max-pages" if is_live else "--budget", str(order.get("budget"))]
    words += ["--random-seed", str(order.get("seed"))]
    given = {
        "--weights": WEIGHTS_FILE if _weights(stored.settings) else "",
        "--labels": _labels(stored),
        "--wordnet": _wordnet(stored),
    }
    words += [word for option, value in given.items() if value for word in (option, value)]
    return shlex.join([*words, "--out", f"{stored.folder.path.resolve().name}-again"])


def _lacks(stored: StoredCrawl) -> list[str]:
    """What the command and its files do not say, each in a few words; empty for nothing."""
    private, found = not_told(stored), []
    if private:
        found.append(f"not told, and to be given again: {', '.join(private)}")
    if _labels(stored) == LABELS_FILE:
        found.append(f"{LABELS_FILE} stands for the labels, whose file is not known")
    if any(not Path(name).is_absolute() for name in named_files(stored.topic)):  # an older crawl
        found.append(f"files that the topic names have to lie beside {TOPIC_FILE}")
    return found


def _weights(settings: Mapping[str, object]) -> str:
    import tomlkit

    weights = settings.get("weights")
    if not isinstance(weights, dict):
        return ""
    values = {"model": weights.get("model"), "weights": weights.get("values")}
    return tomlkit.dumps({name: value for name, value in values.items() if value is not None})


def _source(stored: StoredCrawl, name: str) -> str:
    source = stored.order.get("source")
    return str(source.get(name) or "") if isinstance(source, dict) else ""


def _labels(stored: StoredCrawl) -> str:
    """The file of labels; replays of older versions keep only which labels these were."""
    unknown = LABELS_FILE if stored.settings.get("labels") else ""
    return _source(stored, "labels") or unknown


def _wordnet(stored: StoredCrawl) -> str:
    """The folder of a WordNet of one's own; "" for the shipped one, whose origin is no path."""
    wordnet = stored.settings.get("wordnet")
    origin = str(wordnet.get("origin", "")) if isinstance(wordnet, dict) else ""
    return _source(stored, "wordnet") or (origin if Path(origin).is_absolute() else "")
