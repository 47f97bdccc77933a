"""bench-web: generated webs with fixed topics, seeds, labels and budget, under a version.

The pages are invented, a few thousand on some forty hosts. That is enough to find out whether a
strategy works and where it fails; it proves nothing about the web that people write.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from scenthound.core.errors import UnknownNameError
from scenthound.core.model import Budget, Topic
from scenthound.sample import SampleWeb, build

VERSION = 1
NAME = f"bench-web {VERSION}"
BUDGET = "2x"
BREADTH_FIRST, ORACLE = "breadth-first", "oracle"
REFERENCES = (BREADTH_FIRST, "soft-sdvsm", ORACLE)
"""What everything is measured beside: no focus, words and WordNet, and the labels themselves.

Not our default: that depends on what is installed."""
FINGERPRINTS: Mapping[int, str] = {
    11: "995ab45b356ba028",
    12: "d3205d260da09711",
    13: "ebb73d6a079064c6",
}
"""The webs by the seed they are made from, and what their pages, topics and labels hash to.

Our strategies were chosen and tuned on other seeds. A web that changes is another benchmark: then
the version changes too.
"""
QUICK_WEBS, QUICK_TOPICS = (11,), ("storms", "coffee", "snakes")


@dataclass(frozen=True)
class OpenWeb:
    """The benchmark, or a part of it: webs, and the topics that are looked for in each."""

    webs: tuple[SampleWeb, ...]
    topics: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Is nothing left out?"""
        return len(self.webs) == len(FINGERPRINTS) and len(self.topics) == len(self.webs[0].topics)

    @property
    def is_known(self) -> bool:
        """Are the webs those of this version? If not, no figure compares with those of others."""
        return all(found == FINGERPRINTS.get(seed) for seed, found in self.fingerprints.items())

    @cached_property
    def fingerprints(self) -> dict[int, str]:
        """By the number of each web, what stands for all that is in it: see :func:`fingerprint`."""
        return {web.seed: fingerprint(web) for web in self.webs}

    def web(self, name: str) -> SampleWeb:
        """The web of a name."""
        return next(web for web in self.webs if web_name(web) == name)


def open_web(quick: bool = False) -> OpenWeb:
    """The whole benchmark, or a part that is run in seconds."""
    webs = tuple(build(seed) for seed in (QUICK_WEBS if quick else FINGERPRINTS))
    return OpenWeb(webs, QUICK_TOPICS if quick else topic_names(webs[0]))


def one_topic(web: int, topic: str) -> OpenWeb:
    """One topic of one web; UnknownNameError where there is none such."""
    made = one_web(web)
    if topic not in topic_names(made):
        raise UnknownNameError("topic of bench-web", topic, topic_names(made))
    return OpenWeb((made,), (topic,))


def one_web(seed: int) -> SampleWeb:
    """The web of a seed; UnknownNameError for a seed that is not of the benchmark."""
    if seed not in FINGERPRINTS:
        raise UnknownNameError("web of bench-web", str(seed), map(str, FINGERPRINTS))
    return build(seed)


def web_name(web: SampleWeb) -> str:
    """What a web is called in figures and folders."""
    return f"web-{web.seed}"


def topic_names(web: SampleWeb) -> tuple[str, ...]:
    """The topics of a web, in their order."""
    return tuple(topic.name for topic in web.topics)


def topic_named(web: SampleWeb, name: str) -> Topic:
    """The topic of a name."""
    return next(topic for topic in web.topics if topic.name == name)


def labelled(web: SampleWeb, topic: str) -> frozenset[str]:
    """The pages about a topic."""
    return frozenset(url for url, name in web.labels.items() if name == topic)


def budget_of(web: SampleWeb, topic: str) -> int:
    """How many fetches a crawl for the topic has."""
    return Budget.parse(BUDGET, len(labelled(web, topic))).pages


def fingerprint(web: SampleWeb) -> str:
    """A hash of everything in a web: what servers answer, topics, labels."""
    digest = hashlib.sha256()
    for response in web.responses.values():
        head = (response.url, str(response.status), *(f"{n}: {v}" for n, v in response.headers))
        digest.update("\n".join(head).encode() + b"\n\n" + response.body + b"\n")
    for topic in web.topics:
        told = (topic.name, *topic.keywords, *topic.seeds, *topic.examples)
        digest.update("\n".join(told).encode())
    for url, name in sorted(web.labels.items()):
        digest.update(f"{url}\t{name}\n".encode())
    return digest.hexdigest()[:16]
