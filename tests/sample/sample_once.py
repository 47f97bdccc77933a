"""The sample web, built once in a process of tests: it takes a second, and nobody changes it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from scenthound.sample.web import SampleWeb, build, write_labels, write_topics, write_warc


@cache
def sample_web(seed: int = 0) -> SampleWeb:
    """The web of a seed."""
    return build(seed)


def write_sample(folder: Path, seed: int = 0) -> Path:
    """The web as ``scenthound demo --out`` leaves it; returns the folder."""
    return write_files(sample_web(seed), folder, "sample")


def write_files(web: SampleWeb, folder: Path, name: str = "schools") -> Path:
    """The archive, topics and labels of a web, as benchmarks expect them; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_warc(web, folder / f"{name}.warc.gz")
    write_topics(web, folder / "topics")
    write_labels(web, folder / "labels.tsv")
    return folder


def few_labels(web: SampleWeb, labels: int = 12) -> SampleWeb:
    """The web with its first topic alone, and so many of the pages labelled with it."""
    named = [pair for pair in web.labels.items() if pair[1] == web.topics[0].name]
    return replace(web, topics=web.topics[:1], labels=dict(named[:labels]))
