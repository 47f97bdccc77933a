"""What is written of bench-web: the webs to replay, or what another crawler may know of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenthound.comparison.open_web import (
    BUDGET,
    NAME,
    OpenWeb,
    budget_of,
    fingerprint,
    topic_named,
    web_name,
)
from scenthound.comparison.webs import Web
from scenthound.core.errors import FolderError
from scenthound.experiments.labels import read_labels
from scenthound.sample import SampleWeb, write_labels, write_topics, write_warc
from scenthound.store.atomic import write_json

LABELS, TOPICS, SEEDS, ABOUT = "labels.tsv", "topics", "seeds", "bench-web.json"
_ARCHIVE = "sample.warc.gz"


def write_webs(bench: OpenWeb, folder: Path) -> tuple[Web, ...]:
    """The webs as archives with topic files and labels, each in its folder, to be replayed.

    What is there already is written over: it is the same, byte for byte.
    """
    return tuple(_write_web(bench, web, folder / web_name(web)) for web in bench.webs)


def _write_web(bench: OpenWeb, web: SampleWeb, folder: Path) -> Web:
    archive, labels = folder / _ARCHIVE, folder / LABELS
    with _telling(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if not archive.exists():
            unfinished = folder / f".{_ARCHIVE}"  # half of it would be taken for the web
            write_warc(web, unfinished)
            unfinished.replace(archive)
        write_topics(web, folder / TOPICS)
        write_labels(web, labels)
    topics = tuple(topic_named(web, name) for name in bench.topics)
    return Web(web_name(web), archive, topics, read_labels(labels), labels)


def write_for_others(web: SampleWeb, folder: Path, with_labels: bool) -> None:
    """What a crawler may know of a web beforehand; the labels only if they are asked for.

    ``topics/NAME.toml`` and ``seeds/NAME.txt`` for each topic, and ``bench-web.json`` with the
    version and the fetches that each topic allows.
    """
    with _telling(folder):
        for path in write_topics(web, folder / TOPICS):
            topic = next(t for t in web.topics if path.stem == t.name.replace(" ", "-"))
            seeds = folder / SEEDS / f"{path.stem}.txt"
            seeds.parent.mkdir(exist_ok=True)
            seeds.write_text("".join(f"{url}\n" for url in topic.seeds), encoding="utf-8")
        write_json(folder / ABOUT, _about(web))
        if with_labels:
            write_labels(web, folder / LABELS)


def _about(web: SampleWeb) -> dict[str, object]:
    return {
        "benchmark": NAME,
        "web": web.seed,
        "fingerprint": fingerprint(web),
        "budget": BUDGET,
        "fetches": {topic.name: budget_of(web, topic.name) for topic in web.topics},
    }


@contextmanager
def _telling(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FolderError(f"--out {folder} cannot be written: {error.strerror}.") from None
