"""The grid of a comparison: webs, strategies, seeds and rules; and the grid file (TOML).

Paths in a grid file are relative to the file::

    strategies = ["breadth-first", "vsm-mean", "shark decay=0.3"]
    seeds = ["given", "irrelevant"]
    draws = 3
    budget = "2x"

    [[web]]
    archive = "schools.warc.gz"
    topics = ["topics/*.toml"]
    labels = "labels.tsv"
"""

from __future__ import annotations

import glob
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from os import PathLike
from pathlib import Path

from scenthound.core.command_options import CompareOptions
from scenthound.core.errors import FolderError, SettingsError, UnknownNameError, warn_caller
from scenthound.core.model import Budget, Topic
from scenthound.crawler.caches import CACHE, NO_CACHE, CacheChoice
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.crawler.replay_plan import BUDGET_WITH_LABELS, DEFAULT_BUDGET
from scenthound.evaluation.contenders import (
    Contender,
    contender,
    is_deterministic,
    named_contenders,
)
from scenthound.evaluation.outcomes import (
    GIVEN,
    HARVEST,
    LABELLED_HARVEST,
    SEEDS,
    Cell,
    measure_named,
)
from scenthound.similarity.topic_file import (
    read_toml,
    read_topic,
    topic_text,
    with_absolute_paths,
    without_examples,
)
from scenthound.storage.files import os_errors_as, write_bytes
from scenthound.storage.folder import folder_name
from scenthound.strategies.catalogue import with_inlink_rule
from scenthound.strategies.spec import StrategySpec

WEB = "web"
KEEP_CRAWLS = "keep_crawls"
Values = Mapping[str, object]
"""By the keys of a grid file; the paths in them are those of this process."""
RULES = (
    "budget", "judge", "threshold", "count_missing", "pdf", "inlinks", "wordnet", "keywords_only",
)  # fmt: skip
"""Options that change the figures of every run; finished runs are kept only if they are equal."""


@dataclass(frozen=True)
class Web:
    """An archive with its topics; ``labels`` and ``labels_file`` are None where there are none.

    SettingsError for one without a topic, or with two of one name.
    """

    name: str
    archive: Path
    topics: tuple[Topic, ...]
    labels: Labels | None = None
    labels_file: Path | None = None

    def __post_init__(self) -> None:
        if not self.topics:
            raise SettingsError(f"web {self.name!r} has no topics; give topic files.")
        _refuse_duplicates("topic", [topic.name for topic in self.topics])

    def topic(self, name: str) -> Topic:
        """The topic of this name."""
        return next(topic for topic in self.topics if topic.name == name)

    def to_json(self) -> dict[str, object]:
        """As a grid file has it, with absolute paths."""
        files = [str(Path(topic.file).resolve()) for topic in self.topics if topic.file]
        labels = {} if self.labels_file is None else {"labels": str(self.labels_file.resolve())}
        return {
            "name": self.name, "archive": str(self.archive.resolve()), "topics": files, **labels,
        }  # fmt: skip


def read_web(
    archive: Path, topics: Sequence[Topic | str | Path], labels: Path | None, name: str = ""
) -> Web:
    """Read the files of a web; topics may be patterns such as ``topics/*.toml``."""
    found: list[Topic] = []
    for each in topics:
        found += [each] if isinstance(each, Topic) else map(read_topic, _files(str(each)))
    read = None if labels is None else read_labels(labels)
    return Web(name or web_name(archive), archive, tuple(found), read, labels)


def web_name(archive: Path) -> str:
    """The name of an archive: its file name without the extensions.

    Examples
    --------
    >>> web_name(Path("webs/schools.warc.gz"))
    'schools'
    """
    name = archive.resolve().name
    while name.lower().endswith((".gz", ".warc", ".wacz", ".zip")):
        name = name[: name.rindex(".")]
    return name or "web"


def _files(pattern: str) -> list[Path]:
    """The files that a pattern means, in the order of their names; a path means itself."""
    if not set("*?[") & set(pattern) or Path(pattern).exists():
        return [Path(pattern)]
    found = sorted(map(Path, glob.glob(pattern, recursive=True)))
    if not found:
        raise SettingsError(f"no topic file is called {pattern!r}; give the paths of topic files.")
    return found


def _refuse_duplicates(kind: str, names: Iterable[str]) -> None:
    """SettingsError where two have one name: nobody could tell their figures apart."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            hint = f' or a name of its own, name = "{name}-2"' if kind == WEB else ""
            raise SettingsError(f"{kind} {name!r} is given twice; give each one once{hint}.")
        seen.add(name)


@dataclass(frozen=True)
class Grid:
    """Webs with their topics x strategies x seed conditions x draws x random seeds.

    Parameters
    ----------
    webs : archives, each with its topics and labels.
    contenders : strategies with their parameters.
    baseline : the label of the contender that the others are compared with; by default the first.
    options : what holds for every run. Its ``strategies`` and ``baseline`` are those as written;
        ``measure`` is labelled harvest where it is not set, or HR without labels.

    SettingsError, LabelsError or UnknownNameError for a grid that cannot be run.
    """

    webs: tuple[Web, ...]
    contenders: tuple[Contender, ...]
    baseline: str = ""
    options: CompareOptions = field(default_factory=CompareOptions)

    def __post_init__(self) -> None:
        _refuse_empty(self)
        labels = [each.label for each in self.contenders]
        for kind, names in (
            (WEB, [web.name for web in self.webs]), ("seeds", self.options.seeds),
            ("strategy", labels),
        ):  # fmt: skip
            _refuse_duplicates(kind, names)
        for seeds in self.options.seeds:
            if seeds not in SEEDS:
                raise UnknownNameError("kind of seeds", seeds, SEEDS)
        if not self.baseline:
            object.__setattr__(self, "baseline", labels[0])
        if self.baseline not in labels:
            raise UnknownNameError("baseline", self.baseline, labels)
        if self.options.measure:
            measure_named(self.options.measure)
        for web in self.webs:
            _check_web(self, web)

    def web(self, name: str) -> Web:
        """The web of this name."""
        return next(web for web in self.webs if web.name == name)

    def contender(self, label: str) -> Contender:
        """The contender of this label."""
        return next(each for each in self.contenders if each.label == label)

    @property
    def cache(self) -> CacheChoice:
        """Where pages, terms and vectors are cached between runs."""
        return CacheChoice().changed(self.options.cache, self.options.cache_limit)

    @property
    def rules(self) -> dict[str, object]:
        """The options named in :data:`RULES`."""
        return {name: getattr(self.options, name) for name in RULES}

    def spec(self, spec: StrategySpec) -> StrategySpec:
        """The strategy with the rule for inlinks; unchanged where all links score alike anyway."""
        try:
            return with_inlink_rule(spec, self.options.inlinks)
        except SettingsError:
            return spec

    def as_known(self, topic: Topic) -> Topic:
        """The topic as runs know it; SettingsError where nothing would be left of it."""
        return without_examples(topic) if self.options.keywords_only else topic

    @property
    def steady(self) -> tuple[str, ...]:
        """Contenders that run with one random seed though more are requested."""
        if self.options.random_seeds == 1:
            return ()
        return tuple(each.label for each in self.contenders if is_deterministic(each.spec))

    def cells(self) -> Iterator[Cell]:
        """Every run, topic by topic, and in a topic by what the strategies are compared on."""
        steady = self.steady
        topics = [(web.name, topic.name) for web in self.webs for topic in web.topics]
        for (web, topic), seeds, draw, each in product(
            topics, self.options.seeds, range(self.options.draws), self.contenders
        ):
            for number in range(1 if each.label in steady else self.options.random_seeds):
                yield Cell(web, topic, each.label, seeds, draw, number)

    def to_json(self) -> dict[str, object]:
        """As a grid file has it, without what is not set and has no default."""
        labelled = {web.labels is not None for web in self.webs}
        measure = LABELLED_HARVEST if labelled == {True} else HARVEST
        budget = BUDGET_WITH_LABELS if labelled == {True} else DEFAULT_BUDGET
        asked = self.options
        optional = {**self.rules, KEEP_CRAWLS: asked.keep_crawls, **self.cache.to_json()}
        return {
            "strategies": [each.label for each in self.contenders],
            "baseline": self.baseline,
            "seeds": list(asked.seeds),
            "draws": asked.draws,
            "random_seeds": asked.random_seeds,
            "measure": asked.measure or measure.name,
            # The default budget is named where it is the same for all webs.
            **({"budget": budget} if len(labelled) == 1 else {}),
            **{key: value for key, value in optional.items() if value is not None},
            WEB: [web.to_json() for web in self.webs],
        }


def _refuse_empty(grid: Grid) -> None:
    """A comparison of nothing would end well and say nothing."""
    if not grid.webs:
        raise SettingsError(
            "there is nothing to crawl; give an archive and topics, or a grid file."
        )
    if not grid.contenders:
        raise SettingsError("there is nothing to compare; give two strategies or more.")
    if not grid.options.seeds:
        raise SettingsError(f"there are no seeds to start from; give some of {', '.join(SEEDS)}.")
    for name in ("draws", "random_seeds"):
        if (count := getattr(grid.options, name)) < 1:
            raise SettingsError(f"{name} is 1 or more, not {count}.")


def _check_web(grid: Grid, web: Web) -> None:
    """Topics must survive the rules; what is drawn or measured by labels needs labels."""
    for topic in web.topics:
        grid.as_known(topic)
        if web.labels is not None:
            web.labels.of(topic.name)
    if web.labels is not None:
        return
    draws, budget = grid.options.draws, grid.options.budget
    drawn = [f"{seeds} seeds" for seeds in grid.options.seeds if seeds != GIVEN]
    if draws > 1 or drawn:
        what = "draws" if draws > 1 else drawn[0]
        raise SettingsError(
            f"web {web.name!r} has no labels, and {what} are drawn by them; give --labels."
        )
    if budget is not None:
        Budget.parse(budget, None)
    for each in grid.contenders:
        each.spec.require_labels(None)


# Values by key, from a grid file or from options, and the grid they describe.


def make_grid(values: Values) -> Grid:
    """Build the grid that the values describe, and read its files.

    InputError of the fitting kind: an unknown key or name, a value of the wrong type, a file that
    cannot be read, an empty grid.
    """
    options = _grid_options(values)
    webs = tuple(_make_web(_check_table(table)) for table in _as_list(values.get(WEB, ())))
    labelled = all(web.labels is not None for web in webs)
    found, left_out = named_contenders(options.strategies, labelled)
    for sentence in left_out:
        warn_caller(sentence)
    baseline = None if options.baseline is None else contender(options.baseline)
    if baseline is not None and baseline.label not in [each.label for each in found]:
        found.insert(0, baseline)  # it runs too
    return Grid(webs, tuple(found), "" if baseline is None else baseline.label, options)


def _grid_options(values: Values) -> CompareOptions:
    """Check the values of a grid apart from its webs."""
    webs = values.get(WEB, ())
    if not isinstance(webs, list | tuple | Mapping):
        raise SettingsError(f"{WEB} takes tables; write [[web]], not {webs!r}.")
    return CompareOptions(**{key: value for key, value in values.items() if key != WEB})  # type: ignore[arg-type]


_WEB_KEYS = {
    "name": "a text",
    "archive": "the path of an archive",
    "topics": 'a list of topic files such as ["topics/*.toml"]',
    "labels": "the path of a labels file",
}


def _check_table(table: object) -> Values:
    if not isinstance(table, Mapping):
        raise SettingsError("web must be a list of tables; write [[web]] above its keys.")
    for key, value in table.items():
        if key not in _WEB_KEYS:
            raise UnknownNameError("key of [[web]]:", key, _WEB_KEYS)
        for each in _as_list(value) if key == "topics" else [value]:
            if not isinstance(each, Topic | PathLike | str) or not str(each).strip():
                raise SettingsError(f"{key} takes {_WEB_KEYS[key]}, not {value!r}.")
    return table


def _make_web(table: Values) -> Web:
    if table.get("archive") is None:
        raise SettingsError('a web has no archive; add a line such as archive = "a.warc.gz".')
    topics: Sequence[Topic | str] = _as_list(table.get("topics", ()))  # type: ignore[assignment]
    labels = None if table.get("labels") is None else Path(str(table["labels"]))
    return read_web(Path(str(table["archive"])), topics, labels, str(table.get("name", "")))


def _as_list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]


# The grid file.


def read_grid_file(path: Path) -> dict[str, object]:
    """Read the values of a grid file, with paths as this process finds them.

    SettingsError names the file and what is wrong with it. The files it names are not opened.
    """
    content = read_toml(path, "grid file")
    try:
        _grid_options(content)
        webs = [_check_table(table) for table in _as_list(content.get(WEB, ()))]
    except (SettingsError, UnknownNameError) as error:
        raise SettingsError(f"grid file {path}: {error}") from None
    found = _with_paths_resolved(content, path.parent)
    return (
        {**found, WEB: [_with_paths_resolved(web, path.parent) for web in webs]} if webs else found
    )


def _with_paths_resolved(values: Values, folder: Path) -> dict[str, object]:
    paths = ("archive", "topics", "labels", "wordnet", CACHE)
    return {k: _resolve(k, v, folder) if k in paths else v for k, v in values.items()}


def _resolve(key: str, value: object, folder: Path) -> object:
    if isinstance(value, list):
        return [_resolve(key, each, folder) for each in value]
    if key == CACHE and str(value).strip().lower() == NO_CACHE:
        return value
    return str(folder / str(value).strip())


def write_grid_file(path: Path, grid: Grid) -> None:
    """Write the grid as a file that :func:`read_grid_file` reads back, atomically.

    Topics are named by their files; :func:`with_topic_files` gives one to each.
    """
    import tomlkit

    full = str(path.resolve())
    named = full if full.isprintable() else path.name
    again = shlex.join(["scenthound", "compare", f"--grid={named}", "--out=ANOTHER-FOLDER"])
    document = tomlkit.document()
    document.add(tomlkit.comment(f"What was compared. The same again: {again}"))
    for key, value in grid.to_json().items():
        if key != WEB:
            document.add(key, tomlkit.item(value))
    tables = tomlkit.aot()
    for web in grid.webs:
        tables.append(tomlkit.item(web.to_json()))
    document.add(WEB, tables)
    write_bytes(path, tomlkit.dumps(document).encode())


def with_topic_files(grid: Grid, folder: Path) -> Grid:
    """The grid with a file for every topic, so that it can be repeated; new ones go to ``folder``.

    FolderError where they cannot be written.
    """
    webs = []
    for web in grid.webs:
        place = folder / folder_name(web.name)
        topics = tuple(
            topic
            if topic.file  # the number keeps apart topics whose names give one file name
            else _write_topic(topic, place / f"{number:02}-{folder_name(topic.name)}.toml")
            for number, topic in enumerate(web.topics, start=1)
        )
        webs.append(replace(web, topics=topics))
    return replace(grid, webs=tuple(webs))


def _write_topic(topic: Topic, path: Path) -> Topic:
    topic = with_absolute_paths(topic)  # names in a topic file are relative to that file
    with os_errors_as(FolderError, f"{path} cannot be written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, topic_text(topic).encode())
    return replace(topic, file=str(path))
