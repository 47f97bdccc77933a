"""How fast are texts encoded: one by one, a page at a time, with a cache, in 16 bits?"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.neural.schools import ARCHIVE, PageTexts, page_texts
from scenthound.similarity.bert import load_bert
from scenthound.similarity.encoders import (
    CachedEncoder,
    ModelRuntime,
    TextEncoder,
    chosen_device,
    chosen_precision,
)
from scenthound.similarity.sentence_models import load_static
from scenthound.storage.archive import open_archive
from scenthound.storage.cache import VectorCache

PAGES = 100
TEXTS = 600
"""Short texts that are encoded in each round, about: those of pages spread over the first."""
ROUNDS = 3
BATCH_BAR = 3.0
CACHE_BAR = 20.0
Groups = Sequence[Sequence[str]]
"""Texts that are encoded in one call each."""
Seconds = Mapping[str, list[float]]


def encoding(web: Path, equipment: ModelRuntime, pages: int = PAGES, texts: int = TEXTS) -> None:
    """Print texts a second in each way, and the ratios. The cache given is not touched."""
    with open_archive(web / ARCHIVE) as archive:
        read = spread(page_texts(archive, pages), texts)
    encoder = load_bert(equipment=replace(equipment, cache=None))
    encoder.encode(["the weights are loaded now"])
    short = [page.short for page in read]
    print(f"texts of {len(read)} pages; medians of {ROUNDS}, in turn")
    _print_batches("anchors", encoder, [page.anchors for page in read])
    _print_batches("contexts", encoder, [page.contexts for page in read])
    _print_batches("both", encoder, short, BATCH_BAR)
    _print_precision(encoder, equipment, short)
    _print_light(short)
    _print_cache(encoder, [(page.lead, *page.short) for page in read])


def spread(pages: Sequence[PageTexts], texts: int) -> list[PageTexts]:
    """Whole pages with about so many short texts in all: every second, third, ... of ``pages``."""
    step = max(1, round(sum(len(page.short) for page in pages) / texts))
    return list(pages[::step])


def _print_batches(
    kind: str, encoder: TextEncoder, pages: Groups, bar: float | None = None
) -> None:
    every = list(chain.from_iterable(pages))
    seconds = in_turn({
        "one by one": partial(_encode, encoder, [[text] for text in every]),
        "a page at a time": partial(_encode, encoder, pages),
        "all at once": partial(_encode, encoder, [every]),
    })  # fmt: skip
    alone, page, together = map(median, seconds.values())
    asked = "" if bar is None else f" (bar: {bar})"
    print(
        f"{len(every)} {kind}: one by one {_rate(pages, seconds['one by one'])}; a page at a time "
        f"{alone / page:.1f} x that{asked}; all at once {alone / together:.1f} x"
    )


def _print_precision(encoder: TextEncoder, equipment: ModelRuntime, pages: Groups) -> None:
    """What 16 bits bring, where the device is faster in them, and how far vectors move."""
    precision = chosen_precision(chosen_device(equipment.device))
    if precision == "float32":
        print("precision: this device is not faster in 16 bits, float32 is used")
        return
    exact = load_bert(equipment=replace(equipment, cache=None), exact=True)
    every = list(chain.from_iterable(pages))
    cosines = np.einsum("ij,ij->i", encoder.encode(every), exact.encode(every))
    seconds = in_turn({
        precision: partial(_encode, encoder, pages), "float32": partial(_encode, exact, pages),
    })  # fmt: skip
    ratio = median(seconds["float32"]) / median(seconds[precision])
    print(
        f"{precision}: {_rate(pages, seconds[precision])}, {ratio:.2f} x float32; "
        f"cosine of the vectors {cosines.mean():.5f}, least {cosines.min():.5f}"
    )


def _print_light(pages: Groups) -> None:
    encoder = load_static()
    seconds = in_turn({"light": partial(_encode, encoder, pages)})["light"]
    print(f"sentences-light: {_rate(pages, seconds)}")


def _print_cache(encoder: TextEncoder, texts: Groups) -> None:
    """The stage as a crawl has it, page by page; ``texts`` are with the beginnings of pages."""
    cold, warm = [], []
    for _ in range(ROUNDS):
        with TemporaryDirectory() as folder:
            cold.append(_with_cache(encoder, Path(folder), texts))
            warm.append(_with_cache(encoder, Path(folder), texts))
    ratio = median(cold) / median(warm)
    print(
        f"encoding stage with beginnings of pages: {median(cold):.2f} s with an empty cache, "
        f"{median(warm):.3f} s with a warm one, ratio {ratio:.0f} (bar: {CACHE_BAR:.0f})"
    )


def _with_cache(encoder: TextEncoder, folder: Path, texts: Groups) -> float:
    """Seconds with the cache in ``folder``, which is opened again and closed."""
    began = time.perf_counter()
    with VectorCache(folder) as cache:
        _encode(CachedEncoder(encoder, cache), texts)
    return time.perf_counter() - began


def _encode(encoder: TextEncoder, groups: Groups) -> None:
    for texts in groups:
        encoder.encode(texts)


def in_turn(ways: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> Seconds:
    """Seconds of each way, by round; the ways take turns, so that a busy spell meets all."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, work in ways.items():
            began = time.perf_counter()
            work()
            seconds[name].append(time.perf_counter() - began)
    return seconds


def _rate(pages: Groups, seconds: Sequence[float]) -> str:
    return f"{sum(map(len, pages)) / median(seconds):,.0f} texts/s"
