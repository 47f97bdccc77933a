"""Everything that can be reached from an object, as a strategy that wants to cheat would try."""

from __future__ import annotations

import contextlib
import gc
import re
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType

from scenthound.similarity.word_similarity import TaxonomySimilarity
from scenthound.text.analyzer import Phrases
from scenthound.text.wordnet import WordNet

SHIPPED = (WordNet, TaxonomySimilarity, Phrases)
"""WordNet and what is made from it: as much of the program, and as large as 100 crawls."""


def reachable(*roots: object) -> Iterator[object]:
    """All objects behind ``roots``: fields, items, closures, defaults, computed attributes.

    Modules, classes, the globals of functions and WordNet are passed: they are the program,
    which everybody can import, and not something that was handed over.
    """
    seen: dict[int, object] = {}
    waiting = list(roots)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, (ModuleType, type, CodeType, *SHIPPED)):
            continue
        seen[id(thing)] = thing
        yield thing
        waiting.extend(_behind(thing))


def _behind(thing: object) -> Iterator[object]:
    if isinstance(thing, FunctionType):
        yield from thing.__closure__ or ()
        yield from thing.__defaults__ or ()
        yield from (thing.__kwdefaults__ or {}).values()
        yield vars(thing)
        return
    yield from gc.get_referents(thing)
    if type(thing).__module__.startswith("scenthound"):
        for name in dir(thing):
            if not name.startswith("__"):
                with contextlib.suppress(Exception):
                    yield getattr(thing, name)


def texts(*roots: object) -> str:
    """All texts and bytes that can be reached, one a line."""
    found = []
    for thing in reachable(*roots):
        if isinstance(thing, str):
            found.append(thing)
        elif isinstance(thing, bytes):
            found.append(thing.decode("latin-1"))
    return "\n".join(found)


def secrets(*roots: object) -> set[int]:
    """Numbers of the pages whose text, anchors or link targets can be reached."""
    return {int(number) for number in re.findall(r"(?:secret|onlyfrom)(\d+)", texts(*roots))}
