"""The options of replay, compare and tune, and the fields that they share with a crawl.

``crawler/options`` has those of a live crawl alone.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from scenthound.core.errors import SettingsError
from scenthound.core.model import Budget, Combination
from scenthound.core.options import (
    REJECTED,
    Flag,
    Options,
    Share,
    Takes,
    Text,
    Whole,
    one_of,
    option,
    read_path,
    read_texts,
    whole_within,
)
from scenthound.core.parameters import SIZE_EXAMPLES, parse_size


def _listed(value: object) -> object:
    texts = read_texts(value)
    return REJECTED if isinstance(texts, tuple) and "" in texts else texts


def _budget(value: object) -> object:
    if type(value) not in (int, str):
        return REJECTED
    Budget.parse(str(value), labelled=1)
    return str(value)


def _size(value: object) -> object:
    return cache_bytes(value) if type(value) in (int, str) else REJECTED  # type: ignore[arg-type]


def cache_bytes(limit: int | str) -> int:
    """The bytes that a limit of the cache means, given so or as ``"2GB"``."""
    found = parse_size(str(limit))
    if found is None:
        raise SettingsError(f"{limit!r} is no size for a cache; give one such as {SIZE_EXAMPLES}.")
    if found < MIN_CACHE_BYTES:
        raise SettingsError(
            f"a cache of {found} bytes is too small; give 1MB or more, or the folder "
            '"none" for no cache.'
        )
    return found


MIN_CACHE_BYTES = 1_000_000
SIMILARITY, ONTOLOGY = "similarity", "ontology"
JUDGES = (SIMILARITY, ONTOLOGY)
"""By similarity to the example pages, and by the concepts of the topic's ontology."""
INLINK_RULES = tuple(each.value for each in Combination)


REQUESTS, LIMITS = "Requests", "When to stop, and whose turn it is"
MEASURING = "Measuring"

Judge = Annotated[
    str,
    one_of(*JUDGES),
    option(
        "How relevance is judged. By similarity to the example pages, or by concepts of the "
        "topic's ontology; one is learned from the example pages if the topic names none.",
        "similarity|ontology",
        panel=MEASURING,
    ),
]

Threshold = Annotated[
    Share,
    option(
        "Minimum similarity of a relevant page. Calibrated by default. With an ontology, the "
        "relevance that a page must exceed.",
        "X",
        panel=MEASURING,
    ),
]

RandomSeed = Annotated[
    Whole,
    option(
        "Seed of the random generator. The same seed gives the same crawl of the same pages.",
        "N",
        panel=MEASURING,
    ),
]

Pdf = Annotated[Flag, option("Treat PDF documents as pages. Needs the extra ``[pdf]``.")]

Inlinks = Annotated[
    str,
    one_of(*INLINK_RULES),
    option(
        "How several inlinks are combined. Overrides the strategy's own rule.",
        "max|mean|last",
        panel=LIMITS,
    ),
]

Weights = Annotated[
    str,
    Takes("the path of a weights file", read_path),
    option(
        "Weights of a link's texts, from 'tune'. They override the strategy's own; a "
        "strategy that learns weights starts with them.",
        "FILE",
    ),
]

WordNetFolder = Annotated[
    str,
    Takes("the path of a WordNet folder", read_path),
    option("WordNet folder to use. By default the shipped one.", "DIR", panel=MEASURING),
]

CacheFolder = Annotated[
    str,
    Takes('the path of a folder, or "none"', read_path),
    option(
        "Cache folder for vectors, or none. Strategies without vectors do not use it.",
        "DIR",
        panel=MEASURING,
        shown="~/.cache/scenthound",
    ),
]

CacheLimit = Annotated[
    int,
    Takes(f"a size such as {SIZE_EXAMPLES}", _size),
    option("Maximum size of the cache.", "SIZE", panel=MEASURING, shown="2GB"),
]


class ModelOptions(Options):
    """What text models work with."""

    wordnet: WordNetFolder | None = None
    cache: CacheFolder | None = None
    cache_limit: CacheLimit | None = None


class RunOptions(ModelOptions):
    """What a crawl takes beside its :class:`CrawlOptions`."""

    weights: Weights | None = None
    inlinks: Inlinks | None = None


BudgetText = Annotated[
    str,
    Takes('a number of pages or a multiple of the labelled pages such as "2x"', _budget),
    option(
        "Pages to fetch, or a multiple of the topic's labelled pages.",
        "N|2x",
        shown="2x with labels, 1000 without",
    ),
]

CountMissing = Annotated[Flag, option("Count links out of the archive as fetches.", shown="free")]


class ReplayOptions(RunOptions):
    """What may be set for a replay: the keys of the table ``[replay]``."""

    budget: BudgetText | None = None
    random_seed: RandomSeed = 0
    count_missing: CountMissing = False
    judge: Judge = SIMILARITY
    threshold: Threshold | None = None
    pdf: Pdf = False


class CompareOptions(ModelOptions):
    """What may be set for a comparison: the keys of a grid file, beside its webs."""

    strategies: Annotated[
        tuple[str, ...], Takes('a list such as ["vsm", "shark decay=0.3"]', _listed)
    ] = option(
        "Strategy, such as vsm or 'shark decay=0.3', or all. By default breadth-first, "
        "vsm-mean, soft-svsm and scent.",
        "NAME",
        default=(),
    )
    baseline: Text | None = option(
        "Strategy that the others are compared with. It runs too.",
        "NAME",
        shown="breadth-first",
        default=None,
    )
    seeds: Annotated[tuple[str, ...], Takes('a list such as ["given", "irrelevant"]', _listed)] = (
        option(
            "Seeds to start from.", "given|relevant|irrelevant", shown="given", default=("given",)
        )
    )
    draws: Whole = option(
        "Draw seeds and examples N times; the first draw is the file's.", "N", default=1, ge=1
    )
    keywords_only: Flag = option(
        "Ignore the topics' example pages.", shown="with them", default=False
    )
    random_seeds: Whole = option(
        "Number of random seeds for randomised strategies.", "N", default=1, ge=1
    )
    budget: BudgetText | None = None
    measure: Text | None = option(
        "Measure to compare by.", "NAME", shown="labelled_harvest, or hr", default=None
    )
    keep_crawls: Flag = option(
        "Keep the crawl folders in DIR/crawls.", shown="as before, or no", default=False
    )
    judge: Judge = SIMILARITY
    threshold: Threshold | None = None
    count_missing: CountMissing = False
    pdf: Pdf = False
    inlinks: Inlinks | None = None


MOST_LINKS = 1_000_000
"""Training links that are collected or read at most."""


class TuneOptions(ModelOptions):
    """What may be set where link weights are learned."""

    model: Text | None = option(
        "Text model that compares texts with the topic.",
        "NAME",
        shown="that of the crawl folder's strategy, or soft-sdvsm",
        default=None,
    )
    optimiser: Text = option("Optimiser that finds the weights.", "NAME", default="exact")
    links: Annotated[int, whole_within(1, MOST_LINKS)] = option(
        "Links to learn from and to test on, half each. Both papers take 1,000.",
        "N",
        default=1_000,
    )
    structure: Flag = option(
        "Learn weights for host, linking pages and inlinks too.", default=False
    )
    random_seed: Annotated[RandomSeed, Field(ge=0)] = 0
    pdf: Pdf = False
