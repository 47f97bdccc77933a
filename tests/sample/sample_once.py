"""The sample web, built once in a process of tests: it takes a second, and nobody changes it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from scenthound.sample.web import SampleWeb, build, write_labels, write_topics, write_warc


@cache
def sample_web(seed: int = 0) -> SampleWeb:
    """The web of a seed."""
    return build(seed)


def write_sample(folder: Path, seed: int = 0) -> Path:
    """The web as ``scenthound demo --out`` leaves it; returns the folder."""
    web = sample_web(seed)
    folder.mkdir(exist_ok=True)
    write_warc(web, folder / "sample.warc.gz")
    write_topics(web, folder / "topics")
    write_labels(web, folder / "labels.tsv")
    return folder
