"""``scenthound topic``: a topic as the program understands it, and its disambiguation graph.

First the printing of both, then the two commands; the facts come from ``crawler.topics.summary``.
Words of topics and pages come from strangers, so they are shortened and printed through ``plain``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from scenthound.cli import screen as ui
from scenthound.cli.options import AS_JSON, TOPIC_ARGUMENT, command_group, option
from scenthound.cli.topic_options import opened_archive
from scenthound.core.errors import SettingsError
from scenthound.crawler.topics import summary
from scenthound.crawler.topics.summary import LEARNERS, topic_graph
from scenthound.output.plots.topic_graph import draw_graph, write_graph
from scenthound.papers.sdvsm import DisambiguationGraph
from scenthound.similarity.text_models import TERMS
from scenthound.similarity.topic_file import read_topic
from scenthound.similarity.topic_senses import KeywordSenses, shortened
from scenthound.similarity.word_similarity import MIN_KNOWN_NOUNS
from scenthound.storage.files import check_target

_SYNONYMS, _COMPANIONS, _WORDS = 4, 6, 12
"""Most of them that are printed of one sense, of one term, and of one phrase."""
_LEGEND = (
    "TR, TP: how often a term occurs, and on how many pages, where relevant / (1 + where not). "
    "TI: how rare it is among the terms. Goes with: relevant pages with both / pages with either. "
    "All as in sdvsm (Eq. 10-11)."
)
_FIT = (
    "fit: senses that another term of the topic supports; soft-sdvsm counts these alone, the "
    "other WordNet strategies count all."
)
_NO_FIT = (
    f"fit: WordNet knows fewer than {MIN_KNOWN_NOUNS} words of this topic, too few to choose "
    "among senses; so all senses count, and the one that fits best is shown."
)
_LEXICAL = "compared as written (lexical only)"
_NO_SENSE = "no sense fits: compared as written"
_WHY = f"before a crawl no irrelevant page is known; give --crawl with a crawl by {LEARNERS}"
_FIRST = (
    "The graph of sdvsm before a crawl; its terms are two of each example page and the keywords. "
    f"No term is called ambiguous yet: {_WHY}."
)


def print_understanding(topic: summary.TopicSummary, console: Console) -> None:
    """All that is known of a topic, the most important first."""
    wordnet = topic.wordnet or f"not used: it is English, the topic's language is {topic.language}"
    console.print(ui.plain(f"Topic {topic.name}"), style="bold")
    lines = {
        "keywords": ", ".join(shortened(each.keyword) for each in topic.keywords) or "none",
        "examples": f"{topic.examples} of {topic.examples_given} pages read",
        "language": f"{shortened(topic.language)}: {topic.reading}",
        "WordNet": wordnet,
    }
    if (ontology := topic.ontology) is not None:
        concepts, about = ui.counted(ontology.concepts, "concept"), shortened(ontology.about or "")
        lines["ontology"] = f"{ontology.file}, {concepts}, about {about!r}"
    for name, text in lines.items():
        console.print(ui.plain(f"{name + ':':10}{text}"))
    _print_terms(topic, console)
    _print_unknown(topic, console)
    _print_ambiguous(topic, console)


def _print_terms(topic: summary.TopicSummary, console: Console) -> None:
    console.print(f"\nThe {ui.counted(len(topic.terms), 'heaviest term')}", style="bold")
    rows = ui.table("", ("term",), ("weight", "senses", "fit"))
    rows.add_column("meaning here", overflow="fold")
    for term in topic.terms:
        senses = str(term.senses) if term.senses else "-"
        fit = "-" if term.vouched is None or not term.senses else str(term.vouched)
        name, meaning = ui.plain(shortened(term.term)), ui.plain(_meaning(term))
        rows.add_row(name, ui.figure(term.weight), senses, fit, meaning)
    console.print(rows)
    if topic.wordnet is not None:
        console.print(_FIT if topic.vouching else _NO_FIT, style="dim")


def _meaning(term: summary.TopicTerm) -> str:
    """``storm, violent storm (a kind of atmospheric phenomenon)``."""
    sense = term.sense
    if sense is None:
        return _NO_SENSE if term.senses else ""
    kind = f" (a kind of {' and of '.join(sense.kind_of)})" if sense.kind_of else ""
    return _listed(sense.synonyms, _SYNONYMS) + kind


def _print_unknown(topic: summary.TopicSummary, console: Console) -> None:
    if topic.wordnet is None:
        return  # it is printed above that WordNet is not used
    single = [word for r in topic.keywords if not r.is_phrase for word in r.others]
    words = list(dict.fromkeys([*(t for t in topic.unknown if " " not in t), *single]))
    phrases = [reading for reading in topic.keywords if reading.is_phrase and not reading.is_noun]
    if not words and not phrases:
        return
    console.print("\nNot nouns of WordNet", style="bold")
    if words:
        console.print(ui.plain(f"{_LEXICAL}: {', '.join(map(shortened, words))}"))
    for reading in phrases:
        console.print(ui.plain(f"keyword {shortened(reading.keyword)!r}: {_phrase_text(reading)}"))


def _phrase_text(reading: KeywordSenses) -> str:
    """What becomes of a phrase that WordNet does not know."""
    if not reading.nouns:
        return _LEXICAL
    nouns, written = (_listed(words, _WORDS) for words in (reading.nouns, reading.others))
    others = f", {written} as written" if written else ""
    return f"its words are compared: {nouns} by meaning{others}"


def _listed(terms: Sequence[str], most: int) -> str:
    """The first terms of many: a phrase may have a thousand words."""
    more = len(terms) - most
    return ", ".join(map(shortened, terms[:most])) + (f" and {more} more" if more > 0 else "")


def _print_ambiguous(topic: summary.TopicSummary, console: Console) -> None:
    console.print("\nAmbiguous words, and the words beside which they mean the topic", style="bold")
    if topic.graph_origin is None:
        console.print(f"none yet: {_WHY}")
        return
    console.print(ui.plain(f"({topic.graph_origin})"), style="dim")
    if not topic.ambiguous:
        console.print("none")
        return
    rows = ui.table("", ("word",), ())
    rows.add_column("beside", overflow="fold")
    for each in topic.ambiguous:
        rows.add_row(ui.plain(shortened(each.term)), ui.plain(_company(each.companions)))
    console.print(rows)


def _company(companions: Sequence[summary.DisambiguationTerm]) -> str:
    named = [f"{shortened(each.term)} {each.degree:.2f}" for each in companions]
    return _listed(named, _COMPANIONS) or "never seen beside others"


def print_graph(graph: DisambiguationGraph, console: Console, origin: str | None) -> None:
    """A row for each term: is it ambiguous, its indicators, and the terms it goes with.

    ``origin`` says what the graph was learned from; None before a crawl.
    """
    rows = ui.table("", ("term", "ambiguous"), ("TR", "TP", "TI"))
    rows.add_column("goes with", overflow="fold")
    for row, name in enumerate(graph.nodes.names):
        ambiguous = bool(graph.ambiguous[row])
        company = [*summary.disambiguation_terms_of(graph, row)]
        if not ambiguous:  # all terms that it was seen with, strongest first
            pairs = zip(graph.nodes.names, graph.cooccurrence[row].tolist(), strict=True)
            seen = [summary.DisambiguationTerm(*pair) for pair in pairs if pair[1] > 0.0]
            company = sorted(seen, key=lambda each: (-each.degree, each.term))
        figures = [ui.figure(value, 2) for value in graph.indicators[row].tolist()]
        flag = "yes" if ambiguous else ""
        rows.add_row(ui.plain(shortened(name)), flag, *figures, ui.plain(_company(company)))
    console.print(rows)
    edges = int(np.count_nonzero(np.triu(graph.cooccurrence)))
    source = _FIRST if origin is None else f"The graph was {origin}."
    size = f"{ui.counted(len(graph), 'term')}, {ui.counted(edges, 'edge')}."
    console.print()
    console.print(ui.plain(f"{size} {source}"), style="dim")
    console.print(_LEGEND, style="dim")


# ``scenthound topic show`` and ``scenthound topic graph``.

GRAPHS = (".graphml",)
PICTURES = (".svg", ".png", ".pdf")
topic = command_group("topic", "Look at a topic before, or after, a crawl.")


def _folder(name: str) -> Path:
    """A folder's name; an empty one would silently be the current folder."""
    if not name:
        raise SettingsError("--crawl and --wordnet take a folder, and its name is empty; give one.")
    return Path(name)


ARCHIVE_PATH = option("ARCHIVE", "Archive with the example pages that are given as URLs.")
CRAWL_PATH = option(
    "DIR", "Crawl by sdvsm or soft-sdvsm whose learned graph is used.", parser=_folder
)
WORDNET_PATH = option(
    "DIR", "WordNet folder to use instead of the one that is installed.", parser=_folder
)


@topic.command()
def show(
    file: Path = TOPIC_ARGUMENT,
    archive: Path | None = ARCHIVE_PATH,
    crawl: Path | None = CRAWL_PATH,
    wordnet: Path | None = WORDNET_PATH,
    terms: int = option(
        "N", f"Number of topic terms to show; a crawler takes {TERMS}.", default=TERMS
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Show a topic as the program understands it.

    Its terms, their meanings here, the ambiguous words, and the unknown ones.
    """
    read = read_topic(file)
    with opened_archive(archive) as opened:
        understood = summary.understand(read, opened, wordnet, crawl=crawl, terms=terms)
    if as_json:
        ui.print_json(understood.to_json(), indent=1)
    else:
        print_understanding(understood, ui.output())


@topic.command()
def graph(
    file: Path = TOPIC_ARGUMENT,
    archive: Path | None = ARCHIVE_PATH,
    crawl: Path | None = CRAWL_PATH,
    wordnet: Path | None = WORDNET_PATH,
    out: Path | None = option("G.graphml", "Write the graph as GraphML."),
    draw: Path | None = option("G.svg", "Draw the graph: .svg, .png or .pdf."),
    as_json: bool = AS_JSON,
) -> None:
    """Print, write or draw a topic's disambiguation graph.

    It shows which words are ambiguous and which words go together.
    """
    check_target(out, "--out", GRAPHS)
    check_target(draw, "--draw", PICTURES)
    read = read_topic(file)
    with opened_archive(archive if crawl is None else None) as opened:
        source = opened if crawl is None else archive
        found = topic_graph(read, source, crawl, wordnet)
    if out is not None:
        write_graph(found, out)
        ui.say(f"wrote {out}")
    if draw is not None:
        when = "before" if crawl is None else "after"
        draw_graph(found, draw, title=f"{read.name}, {when} a crawl")
        ui.say(f"wrote {draw}")
    origin = None if crawl is None else f"learned by the crawl in {crawl}"
    if as_json:
        ui.print_json({"graph_origin": origin, **_facts(found)}, indent=1)
    elif out is None and draw is None:
        print_graph(found, ui.output(), origin)


def _facts(graph: DisambiguationGraph) -> dict[str, object]:
    """The terms of a graph and its pairs, as JSON; pairs that never occur together are left out."""
    names = graph.nodes.names
    terms = [
        {
            "term": name,
            "weight": float(graph.nodes.weights[row]),
            **dict(zip(("TR", "TP", "TI"), graph.indicators[row].tolist(), strict=True)),
            "ambiguity": float(graph.ambiguity[row]),
            "ambiguous": bool(graph.ambiguous[row]),
            "companions": [each.term for each in summary.disambiguation_terms_of(graph, row)],
        }
        for row, name in enumerate(names)
    ]
    pairs = zip(*(ends.tolist() for ends in np.nonzero(np.triu(graph.cooccurrence))), strict=True)
    edges = [
        {"terms": [names[first], names[second]], "cd": float(graph.cooccurrence[first, second])}
        for first, second in pairs
    ]
    return {"terms": terms, "edges": edges}
