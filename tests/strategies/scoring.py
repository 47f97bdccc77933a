"""Scorers without a crawl: ingredients, visits and links made by hand."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from scenthound.core import model
from scenthound.core.crawl_loop import Strategy
from scenthound.core.parameters import Value
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategyContext
from scenthound.text.analyzer import Analyzer

URL = "http://w.test/"


def strategy_context(
    keywords: Sequence[str] = ("storm",),
    examples: Sequence[str] = (),
    labels: Sequence[str] = (),
    seed: int = 0,
) -> StrategyContext:
    documents = tuple(model.Document(text=text) for text in examples)
    profile = model.TopicProfile("storms", tuple(keywords), documents)
    return StrategyContext(profile, Analyzer(), random.Random(seed), frozenset(labels))


def strategy(name: str, given: StrategyContext | None = None, **parameters: Value) -> Strategy:
    return CATALOGUE[name].build(given or strategy_context(), parameters)


def page(text: str = "", *links: model.Link, title: str = "", url: str = URL) -> model.Page:
    return model.Page(url, 200, model.Document(title, text), links)


def visit(
    text: str, title: str = "", parts: tuple[model.Part, ...] = (), url: str = URL, depth: int = 1
) -> model.FetchedPage:
    """A page with ``text``, fetched because of a score with ``parts``."""
    return model.FetchedPage(
        model.Candidate(url, model.Score(0.5, parts), depth), page(text, title=title, url=url)
    )


def followed(
    names: Iterable[str], rng: random.Random, telling: str = "anchor", good: str = "storm rain wind"
) -> model.FetchedPage:
    """A page, about the topic or not, as the telling parts of the link to it say."""
    relevant = rng.random() < 0.5
    values = {name: rng.random() for name in names}
    values |= {name: 0.9 if relevant else 0.1 for name in values if telling in name}
    parts = tuple(model.Part(name, value) for name, value in values.items())
    return visit(good if relevant else "cake tea", parts=parts)


def link(anchor: str = "", context: str = "", path: str = "x") -> model.Link:
    return model.Link(URL + path, anchor, context)


def scores(of: Strategy, where: model.FetchedPage, *links: model.Link) -> list[model.Score]:
    """The scores of links none of which may be refused."""
    answers = of.scorer.score(where, links)
    found = [answer for answer in answers if isinstance(answer, model.Score)]
    assert len(found) == len(answers)
    return found


def parts(score: model.Score) -> dict[str, object]:
    """Value and weight of each part, to compare approximately."""
    return {part.name: (part.value, part.weight) for part in score.parts}
