"""The options of ``scenthound ontology learn``, each with its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

# fmt: off
TopicFile = Annotated[
    Path,
    typer.Option("--topic", "-t", metavar="T.toml", help="Topic file.", show_default=False),
]
OutFile = Annotated[
    Path,
    typer.Option(metavar="FILE", help="File to write: .owl, .ttl, .rdf or .txt.",
                 show_default=False),
]
ArchivePath = Annotated[
    Path | None, typer.Option(metavar="ARCHIVE", help="Where the topic's example pages are.")
]
PagesFolder = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Pages to learn from instead of examples.")
]
PaperFiles = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Papers (.bib, text, HTML, PDF); may be repeated."),
]
Thesaurus = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Ontology or SKOS file that relates terms.")
]
Review = Annotated[bool, typer.Option("--review", help="Accept or drop each proposal.")]
OntologyPicture = Annotated[
    Path | None, typer.Option(metavar="PICTURE", help="Draw the ontology: .svg, .png, .pdf.")
]
LatticePicture = Annotated[
    Path | None, typer.Option(metavar="PICTURE", help="Draw the concept lattice.")
]
ConceptCount = Annotated[int, typer.Option(metavar="N", help="Concepts at most.")]
TermCount = Annotated[int, typer.Option(metavar="N", help="Terms at most.")]
Gamma = Annotated[float, typer.Option(metavar="S", help="Similarity of neighbours in WordNet.")]
TopicCount = Annotated[
    int, typer.Option(metavar="N", help="Topics of the pages' nouns; 0 searches.")
]
Support = Annotated[
    float, typer.Option(metavar="S", help="Part of the topics that hold a pair of words.")
]
Confidence = Annotated[
    float, typer.Option(metavar="C", help="How surely one word brings the other.")
]
RandomSeed = Annotated[int, typer.Option("--seed", metavar="N", help="The same learns the same.")]
WordNetFolder = Annotated[
    Path | None, typer.Option(metavar="DIR", help="WordNet folder of your own.")
]
Force = Annotated[bool, typer.Option("--force", help="Write over files.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
# fmt: on
