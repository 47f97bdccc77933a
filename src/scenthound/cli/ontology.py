"""``scenthound ontology``: learn, show, check, convert, merge and draw the concepts of a topic."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from scenthound.cli import options as opt
from scenthound.cli import screen as ui
from scenthound.cli.topic_options import opened_archive
from scenthound.core.errors import SettingsError
from scenthound.output.ontologies import ontology_learner, read_ontology, write_ontology
from scenthound.output.plots.figure import SUFFIXES as PICTURES
from scenthound.output.plots.lattice import draw_lattice
from scenthound.output.plots.ontology import MOST_CONCEPTS, draw_ontology
from scenthound.papers.olmoaco.learner import LearningPlan, LearningResult, Progress, ReviewEnded
from scenthound.papers.olmoaco.skeleton import Proposal, accept_all
from scenthound.papers.ontologies.checks import find_problems, merge_ontologies
from scenthound.papers.ontologies.files import SUFFIXES as FILES
from scenthound.papers.ontologies.files import ontology_bytes, ontology_text
from scenthound.papers.ontologies.model import Kind, Ontology, concept_levels
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.files import check_target

_LONGEST = 60
"""Characters of a label."""
_REPORTED = 10
"""Relations that did not fit which are printed one by one."""
_OUT = "File to write: .owl, .ttl, .rdf or .txt."
_LISTED = 5
"""Pairs of words, and relations, that are printed."""
_YES, _NO, _ALL, _SKIP, _QUIT = "yes", "no", "all", "skip", "quit"
_WORDS = (_YES, _NO, _ALL, _SKIP, _QUIT)
_ANSWERS = {**{word[0]: word for word in _WORDS}, **{word: word for word in _WORDS}}
_PROMPT = "  y(es), n(o), a(ll of this step), s(kip this step), q(uit), then Enter: "
_KNOWN = "  The answers are: y, n, a, s and q, or the words yes, no, all, skip and quit."


def facts(ontology: Ontology) -> dict[str, object]:
    """All of an ontology, as JSON."""
    depth = concept_levels(ontology)
    return {
        "name": ontology.name,
        "topic": ontology.topic,
        "levels": max(depth.values(), default=0),
        "concepts": [
            {"label": each.label, "origin": each.origin, "level": depth[each.label]}
            for each in ontology.concepts
        ],
        "relations": [
            {"child": each.child, "parent": each.parent, "kind": each.kind.value}
            for each in ontology.relations
        ],
    }


def _summary(ontology: Ontology) -> str:
    kinds = Counter(relation.kind for relation in ontology.relations)
    described = ", ".join(f"{kinds[kind]:,} {kind.value}" for kind in Kind if kinds[kind])
    kinds_text = f" ({described})" if described else ""
    topic = ontology.topic
    about = "no topic concept" if topic is None else f"topic {ui.cut(topic, _LONGEST)!r}"
    return f"{_size(ontology)}{kinds_text}; {about}."


def _size(ontology: Ontology) -> str:
    """``12 concepts, 3 levels, 11 relations``."""
    depth = max(concept_levels(ontology).values(), default=0)
    concepts, levels = ui.counted(len(ontology), "concept"), ui.counted(depth, "level")
    return f"{concepts}, {levels}, {ui.counted(len(ontology.relations), 'relation')}"


ontology = opt.command_group(
    "ontology", "Learn, look at and change the concepts of a topic and their relations."
)
ONTOLOGY_FILE = opt.argument("FILE", "OWL (.owl), SKOS (.ttl, .rdf) or indented text (.txt).")
TOPIC_CONCEPT = opt.option("LABEL", "Label of the topic concept.", "--topic")


@ontology.command()
def show(file: Path = ONTOLOGY_FILE, as_json: bool = opt.AS_JSON) -> None:
    """Show an ontology as indented text, with kinds of relations and origins of concepts."""
    read, console = read_ontology(file), ui.output()
    if as_json:
        ui.print_json(facts(read), indent=1)
    else:
        for line in (*ontology_text(read).splitlines(), "", _summary(read)):
            ui.say(line, console)


@ontology.command()
def check(file: Path = ONTOLOGY_FILE) -> None:
    """Look for cycles, unconnected and duplicate concepts.

    The exit code is 1 where the ontology cannot be used.
    """
    read, console = read_ontology(file), ui.output()
    findings = find_problems(read)
    for finding in findings:
        severity = ("serious: ", "bold red") if finding.is_serious else ("note: ", "yellow")
        word = Text(*severity)
        console.print(Text.assemble(word, ui.plain(finding.sentence)), soft_wrap=True)
    if any(finding.is_serious for finding in findings):
        console.print("It cannot be used as it is.")
        raise ui.CommandExit(ui.FAILED)
    ui.say(f"It can be used: {_summary(read)}", console)


@ontology.command()
def convert(
    file: Path = ONTOLOGY_FILE,
    out: Path = opt.argument("OUT", _OUT),
    topic: str | None = TOPIC_CONCEPT,
    force: bool = opt.FORCE,
) -> None:
    """Write an ontology in another file format.

    The ending of the name says which: OWL, SKOS or indented text.
    """
    check_target(out, suffixes=FILES, force=force)
    _write(read_ontology(file), topic, out)


@ontology.command()
def merge(
    files: list[Path] = opt.argument(
        "FILE", "Ontologies, two or more; name and topic come from the first."
    ),
    out: Path = opt.option("OUT", _OUT, default=...),
    topic: str | None = TOPIC_CONCEPT,
    force: bool = opt.FORCE,
) -> None:
    """Merge ontologies into one.

    Concepts of the same label become one concept. A relation that would close a cycle is left out.
    """
    if len(files) < 2:
        raise SettingsError("one ontology is nothing to merge; give two files or more.")
    check_target(out, suffixes=FILES, force=force)
    merged = merge_ontologies(*(read_ontology(file) for file in files))
    for each in merged.left_out[:_REPORTED]:
        relation = each.relation
        child, parent = ui.cut(relation.child, _LONGEST), ui.cut(relation.parent, _LONGEST)
        described = f"{child!r} {relation.kind.value} {parent!r}"
        ui.print_warning(f"{described} was left out: {each.reason}.")
    if (more := len(merged.left_out) - _REPORTED) > 0:
        ui.print_warning(f"{ui.counted(more, 'more relation')} did not fit and were left out.")
    _write(merged.ontology, topic, out)


@ontology.command()
def draw(
    file: Path = ONTOLOGY_FILE,
    out: Path = opt.option("PICTURE", "File to draw: .svg, .png or .pdf.", default=...),
    most: int = opt.option(
        "N",
        "Most concepts to draw; those nearest to the topic are drawn.",
        default=MOST_CONCEPTS,
        min=1,
    ),
    force: bool = opt.FORCE,
) -> None:
    """Draw an ontology, with a colour for each kind of relation."""
    check_target(out, suffixes=PICTURES, force=force)
    draw_ontology(read_ontology(file), out, most=most)
    ui.say(f"wrote {out}")


def _write(written: Ontology, topic: str | None, out: Path) -> None:
    """Write an ontology, with another topic concept if one is given."""
    if topic is not None:
        if topic not in written:
            raise SettingsError(
                f"--topic {topic!r} is no concept of {written.name!r}; see: scenthound ontology "
                "show FILE."
            )
        written = replace(written, topic=topic)
    for finding in find_problems(written):
        if finding.is_serious:
            ui.print_warning(finding.sentence)
    write_ontology(written, out)
    ui.say(f"wrote {out}")


# ``scenthound ontology learn``: from a topic's examples, from pages and papers, with a review.


@ontology.command(cls=opt.HelpPages)
@opt.with_options(
    *("concepts", "terms", "gamma", "topics", "support", "confidence", "seed"),
    models=(LearningPlan,),
)
def learn(
    topic: Path = opt.option("T.toml", "Topic file.", "--topic -t", default=...),
    out: Path = opt.option("FILE", "File to write: .owl, .ttl, .rdf or .txt.", default=...),
    archive: Path | None = opt.option("ARCHIVE", "Archive with the topic's example pages."),
    pages: Path | None = opt.option(
        "DIR", "Folder of pages to learn from instead of the examples."
    ),
    papers: list[Path] | None = opt.option(
        "FILE", "Papers for the skeleton (.bib, text, HTML, PDF); may be repeated."
    ),
    thesaurus: Path | None = opt.option("FILE", "Ontology or SKOS file that relates terms."),
    review: bool = opt.switch("--review", "Accept or drop each proposal."),
    draw: Path | None = opt.option("PICTURE", "Draw the ontology: .svg, .png, .pdf."),
    lattice: Path | None = opt.option("PICTURE", "Draw the concept lattice."),
    *,
    given: opt.Given,
    wordnet: Path | None = opt.option("DIR", "WordNet folder to use."),
    force: bool = opt.FORCE,
    as_json: bool = opt.AS_JSON,
) -> None:
    """Learn the concepts of a topic from texts, and write them as an ontology.

    From the topic's examples, or from --pages; --papers give the skeleton.
    """
    plan = LearningPlan(**given)
    _check_targets(out, draw, lattice, force)
    if review and not ui.is_interactive():
        raise SettingsError("--review needs a terminal; leave it out to accept every proposal.")
    reviewing = ProposalReview(ui.notices(), ui.notices().input) if review else None
    read, interrupted = read_topic(topic), False
    with opened_archive(archive) as opened, _step_progress(reviewing) as progress:
        learner = ontology_learner(
            read,
            archive=opened,
            pages=pages,
            papers=papers or (),
            thesaurus=thesaurus,
            plan=plan,
            review=reviewing or accept_all,
            wordnet=wordnet,
            on_progress=progress,
        )
        try:
            learned = learner.learn()
        except KeyboardInterrupt:
            learned, interrupted = learner.so_far(), True
    if interrupted:
        out = _partial_path(out)
        draw, lattice = draw and _partial_path(draw), lattice and _partial_path(lattice)
    _write_learned(learned, out, draw, lattice)
    if as_json:
        ui.print_json(learned_facts(learned), indent=1)
    else:
        print_learned(learned, out, topic)
    if interrupted:
        ui.print_error(f"interrupted; what was learned until then is in {out}.")
        raise ui.CommandExit(ui.INTERRUPTED_CODE)


def _check_targets(out: Path, draw: Path | None, lattice: Path | None, force: bool) -> None:
    """Find out before anything is read that nothing could be written."""
    check_target(out, suffixes=FILES, force=force)
    ontology_bytes(Ontology(""), out.suffix)  # is there a library that writes it?
    for picture in filter(None, (draw, lattice)):
        check_target(picture, suffixes=PICTURES, force=force)
    if draw is not None and draw == lattice:
        raise SettingsError(f"--draw and --lattice both name {draw}; give two names.")


def _partial_path(path: Path) -> Path:
    """Where an interrupted result is written: beside an existing file, which is complete."""
    return path.with_name(f"{path.stem}.partial{path.suffix}") if path.exists() else path


def _write_learned(
    learned: LearningResult, out: Path, draw: Path | None, lattice: Path | None
) -> None:
    write_ontology(learned.ontology, out)
    if draw is not None:
        draw_ontology(learned.ontology, draw)
    if lattice is not None:
        draw_lattice(learned.lattice, lattice)
    for path in filter(None, (out, draw, lattice)):
        ui.say(f"wrote {path}")


@contextmanager
def _step_progress(reviewing: ProposalReview | None) -> Iterator[Progress]:
    """A bar for the steps; none with a review, which shows the step."""
    if reviewing is not None:
        yield reviewing.begin
        return
    with ui.bars(ui.notices(), quiet=False) as progress, ui.stage_bar(progress) as on_progress:
        yield on_progress


def learned_facts(learned: LearningResult) -> dict[str, object]:
    """The ontology and how it was learned, as JSON."""
    return {
        **facts(learned.ontology),
        "origins": learned.origins,
        "topics": [list(topic) for topic in learned.topics],
        "pairs": [pair._asdict() for pair in learned.pairs],
        "said": [{**each._asdict(), "kind": each.kind.value} for each in learned.stated],
        "notes": list(learned.notes),
        "complete": learned.complete,
    }


def print_learned(learned: LearningResult, out: Path, topic: Path) -> None:
    """Concepts by their origins, levels, pairs and relations that were found, what to do next."""
    console = ui.output()
    ui.say(_size(learned.ontology), console)
    ui.say(", ".join(f"{step} {count}" for step, count in learned.origins.items()), console)
    for what, more, found in (
        ("strong pair", "", [f"{pair.first} + {pair.second}" for pair in learned.pairs]),
        (
            "relation",
            " stated in texts",
            [f"{each.child} {each.kind.value} {each.parent}" for each in learned.stated],
        ),
    ):
        if found:
            rest = ", ..." if len(found) > _LISTED else ""
            first = ", ".join(found[:_LISTED])
            ui.say(f"{ui.counted(len(found), what)}{more}: {first}{rest}", console)
    for note in learned.notes:
        ui.print_warning(note)
    folder, path = topic.parent.resolve(), out.resolve()
    if path.is_relative_to(folder):  # as a topic file names it
        path = path.relative_to(folder)
    name = json.dumps(str(path), ensure_ascii=False)
    ui.say(f"To use it, put ontology = {name} into {topic}.", console)


# ``scenthound ontology learn --review``: proposals shown one after the other, and answered.


class ProposalReview:
    """Asks a person about every proposal: ``ask`` prompts for the answers."""

    def __init__(self, screen: Console, ask: ui.Prompt) -> None:
        self._screen = screen
        self._ask = ask
        self._step, self._done, self._total = "", 0, 0
        self._for_all: bool | None = None

    def begin(self, step: str, done: int, total: int) -> None:
        """Note the step; an answer for a whole step ends with it."""
        self._done, self._total = done, total
        if step != self._step:
            self._step, self._for_all = step, None

    def __call__(self, proposal: Proposal) -> bool:
        """Is the proposal accepted? ReviewEnded where the person quits."""
        if self._for_all is not None:
            return self._for_all
        self._show(proposal)
        typed = ui.prompt_choice(self._ask, _PROMPT, _ANSWERS, at_end=_QUIT, hint=_KNOWN)
        if typed == _QUIT:
            raise ReviewEnded
        if typed in (_ALL, _SKIP):
            self._for_all = typed == _ALL
        return typed in (_YES, _ALL)

    def _show(self, proposal: Proposal) -> None:
        place = f"{self._done + 1} of {self._total} in this step"
        if self._done >= self._total:  # what is dropped may bring further proposals
            place = f"beyond the {self._total} expected in this step"
        self._screen.print()
        ui.say(f"[{self._step}, {place}] {proposal.label}", self._screen, "bold")
        relation = f"{proposal.label} {proposal.kind.value} {proposal.parent}"
        ui.say(f"  {relation}", self._screen)
        ui.say(f"  {proposal.origin}", self._screen, "dim")
