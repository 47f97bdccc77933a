"""What it takes to use the weights of a tuning, and to learn them again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from scenthound.reporting.document import Block, Code
from scenthound.reporting.tuning_reading import StoredTuning
from scenthound.reporting.visible_text import cut
from scenthound.store.folder import CrawlFolder, folder_name
from scenthound.strategies.installed import STRATEGIES
from scenthound.strategies.link_structure import STRUCTURE
from scenthound.tuning.links_file import is_links_name

_SOURCE, _TOPIC = "SOURCE", "TOPIC.toml"
"""Stand for what an older file does not tell."""
_WEIGHTS_FILE = "weights.toml"


def repeating(folder: Path, stored: Sequence[StoredTuning]) -> list[Block]:
    """A command that crawls with the weights of the first topic, and one for each to learn them."""
    blocks: list[Block] = []
    if stored:
        name = cut(stored[0].tuning.topic)
        others = "; those of the others likewise" if len(stored) > 1 else ""
        blocks.append(Code(f"To crawl with the weights of {name}{others}", use(folder, stored[0])))
    for each in stored:
        source = f" (links: {cut(each.source, 300)})" if each.source else ""
        caption = f"To learn those of {cut(each.tuning.topic)} again{source}"
        blocks.append(Code(caption, learn(folder, each, len(stored) > 1)))
    return blocks


def use(folder: Path, stored: StoredTuning) -> str:
    """What was an archive is replayed; otherwise the live web is crawled."""
    path = folder.resolve() / folder_name(stored.tuning.topic) / _WEIGHTS_FILE
    model = stored.tuning.model
    options = ["--strategy", model] if model in STRATEGIES else []
    options += [*_set(model, stored.model_parameters if options else {}), "--weights", str(path)]
    topic = stored.topic_file or _TOPIC
    if stored.asked_of and not (_is_links(stored) or _is_crawl(stored)):
        words = ["replay", stored.asked_of, "--topic", topic, *options]
    else:
        words = ["crawl", "--topic", topic, "--out", f"{folder.resolve().name}-crawl", *options]
    return shlex.join(["scenthound", *words])


def learn(folder: Path, stored: StoredTuning, one_of_several: bool = False) -> str:
    """The same tuning, of this one topic; links that were collected before are only read.

    One of several topics gets a folder with its name: nothing is written over that of another one.
    """
    tuning = stored.tuning
    words = ["scenthound", "tune", stored.asked_of or _SOURCE]
    if not _is_links(stored):
        words += _collecting(stored)
    words += ["--optimiser", tuning.optimiser, "--random-seed", str(tuning.seed)]
    words += _set(tuning.optimiser, tuning.parameters)
    again = f"{folder.resolve().name}-again"
    out = f"{again}-{folder_name(tuning.topic)}" if one_of_several else again
    return shlex.join([*words, "--out", out])


def _collecting(stored: StoredTuning) -> list[str]:
    tuning = stored.tuning
    topic = stored.topic_file or ("" if _is_crawl(stored) else _TOPIC)
    links = tuning.train + tuning.test if stored.wanted is None else stored.wanted
    given = {"--topic": topic, "--model": tuning.model, "--links": str(links),
             "--wordnet": stored.wordnet}  # fmt: skip
    words = [word for option, value in given.items() if value for word in (option, value)]
    words += ["--structure"] if set(STRUCTURE) & set(tuning.names) else []
    words += ["--pdf"] if stored.pdf else []
    return [*words, *_set(tuning.model, stored.model_parameters)]


def _set(table: str, parameters: Mapping[str, object]) -> list[str]:
    pairs = (f"{table}.{name}={json.dumps(value)}" for name, value in parameters.items())
    return [word for pair in pairs for word in ("--set", pair)]


def _is_links(stored: StoredTuning) -> bool:
    """Were the links read from a file?"""
    path = Path(stored.asked_of)
    return bool(stored.asked_of) and is_links_name(path) and not path.is_dir()


def _is_crawl(stored: StoredTuning) -> bool:
    return bool(stored.asked_of) and CrawlFolder(Path(stored.asked_of)).order_path.is_file()
