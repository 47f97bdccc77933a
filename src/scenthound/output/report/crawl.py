"""The report of one crawl, live or replayed, running or finished, and the command that repeats
it.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from pathlib import Path

from scenthound.core.events import stored_text_representations
from scenthound.crawler.options import AUTH_HOSTS, CrawlOptions
from scenthound.evaluation.scoring import Score
from scenthound.evaluation.standings import milestones
from scenthound.output.explain.explanation import describe_reason
from scenthound.output.explain.page_relevance import wordnet_folder
from scenthound.output.report.crawl_reading import CrawlReading
from scenthound.output.report.crawl_sections import (
    INDICATORS,
    cost_blocks,
    crawl_plots,
    judgement_blocks,
    off_topic_blocks,
)
from scenthound.output.report.document import (
    Block,
    Code,
    Column,
    Document,
    ExplainedPages,
    Fact,
    Facts,
    Paragraph,
    Plots,
    Section,
    format_number,
    make_table,
    shorten,
)
from scenthound.similarity.topic_file import named_files, topic_text
from scenthound.storage.stored_crawl import KILLED, StoredCrawl, ending_of
from scenthound.strategies.catalogue import STRATEGIES

_REPLAY_KEYS = ("count_missing", "judge", "threshold", "pdf")
_PRIVATE = ("header", "proxy", "cookie_file", "netrc", AUTH_HOSTS)
"""May hold what is nobody else's business, so that a report only says that they were set."""
_OPTION_NAMES = {AUTH_HOSTS: "auth"}
_ELSEWHERE = frozenset({*_PRIVATE, "max_pages", "random_seed", "inlinks", "weights", "auth"})
"""Private, or in the command."""
_DEFAULTS = {
    **{name: field.default for name, field in CrawlOptions.model_fields.items()},
    "count_missing": False,
}
_UNLIMITED = 1_000_000_000
"""In place of no limit, where a settings file has to have a number."""
Settings = dict[str, object]


def private_settings(stored: StoredCrawl) -> list[str]:
    """The names of what was set and is left out of reports; empty for nothing."""
    return [_OPTION_NAMES.get(name, name) for name in _PRIVATE if stored.settings.get(name)]


def settings_text(stored: StoredCrawl) -> str:
    """The settings file: TOML; one line where nothing differs from the defaults."""
    import tomlkit

    document = tomlkit.document()
    settings, spec = stored.settings, STRATEGIES.get(stored.strategy)
    given: Settings = {}
    for name, value in settings.items():
        default = _DEFAULTS.get(name)
        if stored.is_live and name in _DEFAULTS and name not in _ELSEWHERE:
            if value != default and not (value == [] and default == ()):
                given[name] = _UNLIMITED if value is None else value
        elif not stored.is_live and name in _REPLAY_KEYS and value not in (None, default):
            given[name] = value
    inlinks = settings.get("inlinks")
    if spec is not None and inlinks not in (None, spec.combination.value):
        given["inlinks"] = inlinks
    if given:
        document.add("crawl" if stored.is_live else "replay", tomlkit.item(given))
    stored_parameters = stored.crawl_spec.get("parameters")
    own = {} if spec is None else spec.parameters
    pairs = stored_parameters.items() if isinstance(stored_parameters, dict) else ()
    parameters = {name: each for name, each in pairs if each is not None and own.get(name) != each}
    if parameters:
        document.add(stored.strategy, tomlkit.item(parameters))
    private = private_settings(stored)
    if private:
        comment = f"set besides, and left out of reports: {', '.join(private)}"
        document.add(tomlkit.comment(comment))
    return tomlkit.dumps(document) or "# all settings have their defaults\n"


# What it takes to run a crawl again: a topic file, a settings file, a command.

TOPIC_FILE, SETTINGS_FILE, WEIGHTS_FILE = "topic.toml", "settings.toml", "weights.toml"
LABELS_FILE = "labels.tsv"
"""Stands for labels whose file is not known."""


def repeat_blocks(stored: StoredCrawl) -> list[Code]:
    """The command, and the content of the files that it names."""
    weights, private = _weights(stored.settings), private_settings(stored)
    settings = f"{SETTINGS_FILE}: the settings that differ from the defaults"
    caption = ["The command"]  # and what it and its files do not say
    if private:
        caption.append(f"left out, and to be given again: {', '.join(private)}")
    if _labels(stored) == LABELS_FILE:
        caption.append(f"{LABELS_FILE} stands for the labels, whose file is not known")
    if any(not Path(name).is_absolute() for name in named_files(stored.topic)):  # an older crawl
        caption.append(f"files that the topic names have to lie beside {TOPIC_FILE}")
    blocks = [
        Code("; ".join(caption), repeat_command(stored)),
        Code(f"{TOPIC_FILE}: the topic", topic_text(stored.topic)),
        Code(settings, settings_text(stored)),
    ]
    if weights:
        blocks.append(Code(f"{WEIGHTS_FILE}: the weights of a link's texts", weights))
    return blocks


def repeat_command(stored: StoredCrawl) -> str:
    """The command that crawls the same again, into a new folder."""
    crawl_spec, is_live = stored.crawl_spec, stored.is_live
    words = ["scenthound", "crawl"] if is_live else ["scenthound", "replay",
                                                     str(stored.archive_path)]  # fmt: skip
    words += ["--topic", TOPIC_FILE, "--strategy", stored.strategy, "--config", SETTINGS_FILE]
    words += ["--max-pages" if is_live else "--budget", str(crawl_spec.get("budget"))]
    words += ["--random-seed", str(crawl_spec.get("seed"))]
    given = {
        "--weights": WEIGHTS_FILE if _weights(stored.settings) else "",
        "--labels": _labels(stored),
        "--wordnet": str(wordnet_folder(stored) or ""),
    }
    words += [word for option, value in given.items() if value for word in (option, value)]
    return shlex.join([*words, "--out", f"{stored.folder.path.resolve().name}-again"])


def _weights(settings: Mapping[str, object]) -> str:
    import tomlkit

    weights = settings.get("weights")
    if not isinstance(weights, dict):
        return ""
    values = {"model": weights.get("model"), "weights": weights.get("values")}
    return tomlkit.dumps({name: value for name, value in values.items() if value is not None})


def _labels(stored: StoredCrawl) -> str:
    """The file of labels; replays of older versions keep only which labels these were."""
    source = stored.crawl_spec.get("source")
    unknown = LABELS_FILE if stored.settings.get("labels") else ""
    return str((isinstance(source, dict) and source.get("labels")) or unknown)


_EMPTY = "Not one page could be fetched"
_NOT_YET = "Nothing was fetched so far, so there is nothing to measure."
_OWN_JUDGE = (
    "The crawl was measured without human labels: relevance is what its judge says, which is of "
    "the kind that steers it, and proves less than labels do."
)
_TOP_PAGES_NOTE = (
    "The most similar relevant pages that the crawl found by itself, with the way to each, what "
    "spoke for it before it was seen, and what made it relevant. Seeds and the topic's own example "
    "pages are left out."
)
_ONLY_SEEDS_NOTE = "The crawl found no relevant page by itself; these were named by a person."
_SUMMARY_INDICATORS = {
    "labelled_harvest": "labelled pages found / budget",
    "target_recall": "of the labelled pages",
    "rn": "relevant pages",
    "hr": "relevant / fetched",
}
"""Indicators that stand in the summary, and what they are in a few words."""
_MOST_REASONS = 5
_MAX_SETTINGS_TEXT = 300


def crawl_document(stored: StoredCrawl, reading: CrawlReading, score: Score | None) -> Document:
    """The report.

    Parameters
    ----------
    stored : the crawl.
    reading : what was read of it.
    score : what the judgements of a person say; None where there are none.
    """
    kind = "Crawl" if stored.is_live else "Replay"
    judged = [Section("judged", "Judged by a person", judgement_blocks(score))] if score else []
    title = f"{stored.topic.name}, by {stored.strategy}"
    sections = [
        Section("summary", "Summary", (_facts(stored, reading), *_notes(reading))),
        Section("figures", "Figures over the pages fetched", tuple(_figures(reading))),
        *judged,
        Section("pages", "Top pages, explained", _top_pages(reading)),
        Section("off-topic", "Where off-topic fetches came from", tuple(off_topic_blocks(reading))),
        Section("dropped", "What was dropped, refused or given up", tuple(_dropped(reading))),
        Section("cost", "Cost", tuple(cost_blocks(stored, reading))),
        Section("repeat", "To run it again", tuple(repeat_blocks(stored))),
    ]
    return Document(kind, title, state(reading, stored.is_running, stored.is_cut), tuple(sections))


def state(reading: CrawlReading, running: bool, cut_off: bool) -> str:
    """How the crawl stands, in a few words: those of the dashboard."""
    tally = reading.tally
    pages = f"{tally.pages:,} page{'' if tally.pages == 1 else 's'}"
    if running:
        return f"{'paused' if tally.paused else 'running'}, {pages} so far"
    if not (tally.started or tally.pages or tally.stopped):
        return "not begun: nothing is on record"
    how = ending_of(tally.stopped) if tally.stopped else KILLED
    end = "; the last line of its journal is cut" if cut_off and how is KILLED else ""
    return f"{how.state} after {pages}: {shorten(how.reason)}{end}"


def _facts(stored: StoredCrawl, reading: CrawlReading) -> Facts:
    facts = [
        Fact("pages fetched", format_number(reading.tally.pages), f"budget {reading.budget:,}")
    ]
    for row in reading.rows[-1:]:
        for each in INDICATORS:
            value = each.of(row)
            if value is not None and each.key in _SUMMARY_INDICATORS:
                facts.append(Fact(each.short, format_number(value), _SUMMARY_INDICATORS[each.key]))
    facts.append(Fact("threshold", format_number(stored.threshold), f"judged by {stored.judge}"))
    if reading.seconds:
        speed = reading.tally.pages / reading.seconds
        facts.append(
            Fact("pages a second", format_number(speed, 1), f"{reading.seconds:,.1f} seconds")
        )
    return Facts(tuple(facts))


def _notes(reading: CrawlReading) -> list[Paragraph]:
    warnings = [_nothing(reading)] if not reading.rows else []
    warnings += [reading.results.problem] if reading.results.problem else []
    plain = []
    representations = stored_text_representations(reading.tally.started.get("reading"))
    if representations is not None:
        plain.append(f"Texts were read {shorten(representations.describe(), _MAX_SETTINGS_TEXT)}.")
    if reading.unsaved:  # the dashboard, which reads the journal to its end, shows more pages
        one = reading.unsaved == 1
        count = "1 more page was" if one else f"{reading.unsaved:,} more pages were"
        plain.append(
            f"{count} fetched and not saved yet, and in no figure here; a crawl that was cut off "
            "fetches such pages again when it goes on."
        )
    if reading.rows and all(row.labelled is None for row in reading.rows):
        plain.append(_OWN_JUDGE)
    return [*(Paragraph(each, warns=True) for each in warnings), *map(Paragraph, plain)]


def _nothing(reading: CrawlReading) -> str:
    """Why there are no figures; with the reasons that no page came, where they are known."""
    if not reading.tally.stopped:
        return _NOT_YET
    reasons = reading.tally.rejected_urls.most_common(_MOST_REASONS)
    why = ", ".join(f"{shorten(reason, 80)} {count:,}" for reason, count in reasons)
    return f"{_EMPTY}{f' ({why})' if why else ''}: there is nothing to measure."


def _figures(reading: CrawlReading) -> list[Block]:
    if not reading.rows:
        return [Paragraph(_nothing(reading))]
    wanted = set(table_pages(reading.tally.pages))
    rows = [row for row in reading.rows if row.fetched in wanted]
    named = [each for each in INDICATORS if any(each.of(row) is not None for row in rows)]
    columns = (Column("pages"), *(Column(each.short, meaning=each.meaning) for each in named))
    cells = [(row.fetched, *(each.of(row) for each in named)) for row in rows]
    explained = "; ".join(f"{each.short}: {each.meaning}" for each in named)
    caption = "As the papers print them, and at the end"
    table = make_table(caption, columns, cells, frozenset({len(cells) - 1}))
    plots = crawl_plots(reading.rows)
    return [*([Plots(plots)] if plots else []), table, Paragraph(f"{explained}.")]


_TINY = 20
_ROWS = 10
"""Lines of a table of a tiny crawl, about."""
_PAPER_PAGES = 5_000
_MAX_FURTHER_ROWS = 40
"""Lines of a table beyond those that the papers print."""


def table_pages(pages: int) -> list[int]:
    """The numbers of pages that stand in a table of a crawl of so many pages, its end included.

    Examples
    --------
    >>> table_pages(0), table_pages(30), table_pages(250)
    ([], [10, 20, 30], [10, 20, 50, 100, 200, 250])
    """
    if pages <= 0:
        return []
    if pages < _TINY:
        step = next(step for step in (1, 2) if pages / step <= _ROWS)
        return sorted({*range(step, pages + 1, step), pages})
    least = pages / _MAX_FURTHER_ROWS
    power = int(10.0 ** math.floor(math.log10(max(least, 1.0))))
    # The first of 1, 2, 5, 10, 20, ... that is no less.
    step = next(step * power for step in (1, 2, 5, 10) if step * power >= least)
    checkpoints = (each for each in milestones(pages) if each <= _PAPER_PAGES or each % step == 0)
    return sorted({*checkpoints, pages})


def _top_pages(reading: CrawlReading) -> tuple[Block, ...]:
    if not reading.tops:
        return (Paragraph("No page was relevant."),)
    note = _TOP_PAGES_NOTE if reading.tally.tops.ordered() else _ONLY_SEEDS_NOTE
    return Paragraph(note), ExplainedPages(reading.tops)


def _dropped(reading: CrawlReading) -> list[Block]:
    tally = reading.tally
    blocks: list[Block] = []
    for caption, counts, what in (
        ("Links that were not queued", tally.dropped, "reason:"),
        ("URLs that were queued and gave no page", tally.rejected_urls, "reason:"),
        ("Pages with less to read than expected", tally.problems, "reason:"),
        ("Languages that pages state", tally.languages, "language:"),
    ):
        if counts:
            rows = [(shorten(describe_reason(name)), count) for name, count in counts.most_common()]
            blocks.append(make_table(caption, (what, "count"), rows))
    return blocks or [Paragraph("Nothing.")]
