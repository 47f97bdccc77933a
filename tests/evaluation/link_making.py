"""Training links out of small webs, and links whose best weights are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from crawler.web_building import HOST, Field, at, page
from scenthound.core.model import Topic
from scenthound.evaluation.link_collection import links_of_archive, links_of_crawl
from scenthound.evaluation.training_links import (
    CollectedLinks,
    LinkPlan,
    TrainingLink,
    TrainingLinks,
)
from scenthound.sample.responses import Response
from scenthound.similarity.link_priority import TEXTS
from scenthound.storage.stored_crawl import open_crawl

STORMS = Topic("storms", keywords=("storm",), seeds=(at("/"),))


def collected(
    field: Field, topic: Topic = STORMS, links: int = 100, **plan: object
) -> CollectedLinks:
    """By VSM, unless another model is asked for."""
    wanted = LinkPlan(**{"model": "vsm", "links": links, **plan})  # type: ignore[arg-type]
    return links_of_archive(field.archive, topic, wanted)


def collected_again(
    folder: Path, topic: Topic | None = None, links: int = 100, **plan: object
) -> CollectedLinks:
    """From the crawl in a folder."""
    wanted = LinkPlan(**{"model": "vsm", "links": links, **plan})  # type: ignore[arg-type]
    with open_crawl(folder) as stored:
        return links_of_crawl(stored, topic, wanted)


def ways(found: CollectedLinks) -> list[tuple[str, str, str]]:
    """Source, target and anchor of each link, without the host."""
    return [
        (link.source.removeprefix(HOST), link.target.removeprefix(HOST), link.anchor)
        for link in found.links.links
    ]


def hub(size: int) -> list[Response]:
    """A seed that links to pages, every third of them about storms; ``/p0`` links to ``/deep``."""
    words = ["storm" if n % 3 == 0 else "cake" for n in range(size)]
    seed = page("/", *((f"/p{n}", words[n]) for n in range(size)), text="home")
    leaves = [page(f"/p{n}", text=words[n], title=f"page {n}") for n in range(1, size)]
    first = page("/p0", ("/deep", "storm"), ("/p1", "again"), text="storm")
    return [seed, first, *leaves, page("/deep", text="storm")]


def made_links(count: int, weights: tuple[float, ...] = (0.2, 0.0, 0.5, 0.1)) -> TrainingLinks:
    """Links whose targets are as relevant as these weights of their values say, exactly."""
    rows = np.random.default_rng(7).random((count, len(weights)))
    made = (
        TrainingLink(
            at("/"), at(f"/{n}"), f"link {n}", tuple(map(float, row)), float(row @ weights)
        )
        for n, row in enumerate(rows)
    )
    return TrainingLinks("storms", "vsm", TEXTS[: len(weights)], tuple(made))
