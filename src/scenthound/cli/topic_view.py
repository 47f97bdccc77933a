"""How a topic and its disambiguation graph are shown on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.console import Console

from scenthound.cli.screen import figure, plain, table
from scenthound.experiments.learnt_graph import LEARNERS
from scenthound.semantics.senses import COMPANY
from scenthound.topics.coverage import KeywordReading, shown
from scenthound.topics.disambiguation import DisambiguationGraph
from scenthound.topics.senses import Sense
from scenthound.topics.understanding import (
    Companion,
    TopicOntology,
    TopicTerm,
    Understanding,
    companions_of,
)

_SYNONYMS = 4
_COMPANIONS = 6
_WORDS = 12
_LEGEND = (
    "TR, TP: how often a term occurs, and on how many pages, where relevant / (1 + where not). "
    "TI: how rare it is among the terms. Goes with: relevant pages with both / pages with either. "
    "All as in sdvsm (Eq. 10-11)."
)
_FIT = (
    "fit: senses that another term of the topic vouches for; soft-sdvsm counts these alone, the "
    "other WordNet strategies count all."
)
_NOBODY = (
    f"fit: of this topic WordNet knows fewer than {COMPANY} words, too few to vouch for senses; so "
    "all senses count, and the one that fits best is shown."
)
_LEXICAL = "compared as written (lexical only)"
_NO_SENSE = "no sense fits: compared as written"
_WHY = f"before a crawl no irrelevant page is known; give --crawl with a crawl by {LEARNERS}"
_NONE_YET = f"none yet: {_WHY}"
_FIRST = (
    "The graph of sdvsm before a crawl; its terms are two of each example page and the keywords. "
    f"No term is called ambiguous yet: {_WHY}."
)


def print_understanding(topic: Understanding, console: Console) -> None:
    """All that is known of a topic, the most important first."""
    _print_head(topic, console)
    _print_terms(topic, console)
    _print_unknown(topic, console)
    _print_ambiguous(topic, console)


def _print_head(topic: Understanding, console: Console) -> None:
    wordnet = topic.wordnet or f"not used: it is English, the topic's language is {topic.language}"
    console.print(plain(f"Topic {topic.name}"), style="bold")
    ontology = () if topic.ontology is None else (("ontology", _ontology_text(topic.ontology)),)
    for name, text in (
        ("keywords", ", ".join(shown(reading.keyword) for reading in topic.keywords) or "none"),
        ("examples", f"{topic.examples} of {topic.examples_given} pages read"),
        ("language", f"{shown(topic.language)}: {topic.reading}"),
        ("WordNet", wordnet),
        *ontology,
    ):
        console.print(plain(f"{name + ':':10}{text}"))


def _ontology_text(ontology: TopicOntology) -> str:
    """``storms.owl, 90 concepts, about 'storm'``."""
    return (
        f"{ontology.file}, {_counted(ontology.concepts, 'concept')}, "
        f"about {shown(ontology.about or '')!r}"
    )


def _print_terms(topic: Understanding, console: Console) -> None:
    count = len(topic.terms)
    heading = "The heaviest term" if count == 1 else f"The {count} heaviest terms"
    console.print(f"\n{heading}", style="bold")
    rows = table("", ("term",), ("weight", "senses", "fit"))
    rows.add_column("meaning here", overflow="fold")
    for term in topic.terms:
        senses = str(term.senses) if term.senses else "-"
        fit = "-" if term.vouched is None or not term.senses else str(term.vouched)
        name, meaning = plain(shown(term.term)), plain(_meaning(term))
        rows.add_row(name, figure(term.weight), senses, fit, meaning)
    console.print(rows)
    if topic.wordnet is not None:
        console.print(_FIT if topic.vouching else _NOBODY, style="dim")


def _meaning(term: TopicTerm) -> str:
    if term.sense is not None:
        return sense_text(term.sense)
    return _NO_SENSE if term.senses else ""


def sense_text(sense: Sense) -> str:
    """``storm, violent storm (a kind of atmospheric phenomenon)``."""
    synonyms = ", ".join(sense.synonyms[:_SYNONYMS])
    if len(sense.synonyms) > _SYNONYMS:
        synonyms += ", ..."
    return synonyms + (f" (a kind of {' and of '.join(sense.kind_of)})" if sense.kind_of else "")


def _print_unknown(topic: Understanding, console: Console) -> None:
    if topic.wordnet is None:
        return  # it is said above that WordNet is not used
    single = [word for r in topic.keywords if not r.is_phrase for word in r.others]
    words = list(dict.fromkeys([*(t for t in topic.unknown if " " not in t), *single]))
    phrases = [reading for reading in topic.keywords if reading.is_phrase and not reading.is_noun]
    if not words and not phrases:
        return
    console.print("\nNot nouns of WordNet", style="bold")
    if words:
        console.print(plain(f"{_LEXICAL}: {', '.join(map(shown, words))}"))
    for reading in phrases:
        console.print(plain(f"keyword {shown(reading.keyword)!r}: {_phrase_text(reading)}"))


def _phrase_text(reading: KeywordReading) -> str:
    """What becomes of a phrase that WordNet does not know."""
    if not reading.nouns:
        return _LEXICAL
    others = f", {_listed(reading.others)} as written" if reading.others else ""
    return f"its words are compared: {_listed(reading.nouns)} by meaning{others}"


def _listed(terms: Sequence[str]) -> str:
    """The first terms of a phrase; one of a thousand words is not told word by word."""
    more = len(terms) - _WORDS
    return ", ".join(map(shown, terms[:_WORDS])) + (f" and {more} more" if more > 0 else "")


def _print_ambiguous(topic: Understanding, console: Console) -> None:
    console.print("\nAmbiguous words, and the company in which they mean the topic", style="bold")
    if topic.graph_origin is None:
        console.print(_NONE_YET)
        return
    console.print(plain(f"({topic.graph_origin})"), style="dim")
    if not topic.ambiguous:
        console.print("none")
        return
    rows = table("", ("word",), ())
    rows.add_column("company", overflow="fold")
    for each in topic.ambiguous:
        rows.add_row(plain(shown(each.term)), plain(_company(each.companions)))
    console.print(rows)


def _company(companions: Sequence[Companion]) -> str:
    named = [f"{shown(each.term)} {each.degree:.2f}" for each in companions[:_COMPANIONS]]
    more = len(companions) - len(named)
    return ", ".join(named) + (f", and {more} more" if more else "") or "never seen in company"


def print_graph(graph: DisambiguationGraph, console: Console, origin: str | None) -> None:
    """One row a term: is it ambiguous, by which indicators, and what does it go with?

    ``origin`` says in words what the graph was learnt from; None before a crawl.
    """
    rows = table("", ("term", "ambiguous"), ("TR", "TP", "TI"))
    rows.add_column("goes with", overflow="fold")
    for row, name in enumerate(graph.nodes.names):
        ambiguous = bool(graph.ambiguous[row])
        company = companions_of(graph, row) if ambiguous else _neighbours(graph, row)
        figures = [figure(value, 2) for value in graph.indicators[row].tolist()]
        flag = "yes" if ambiguous else ""
        rows.add_row(plain(shown(name)), flag, *figures, plain(_company(company)))
    console.print(rows)
    edges = int(np.count_nonzero(np.triu(graph.cooccurrence)))
    source = _FIRST if origin is None else f"The graph was {origin}."
    counted = f"{_counted(len(graph), 'term')}, {_counted(edges, 'edge')}."
    console.print()
    console.print(plain(f"{counted} {source}"), style="dim")
    console.print(_LEGEND, style="dim")


def _counted(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _neighbours(graph: DisambiguationGraph, row: int) -> list[Companion]:
    """All terms that a clear term was seen with, strongest first."""
    pairs = zip(graph.nodes.names, graph.cooccurrence[row].tolist(), strict=True)
    found = [Companion(name, degree) for name, degree in pairs if degree > 0.0]
    return sorted(found, key=lambda each: (-each.degree, each.term))
