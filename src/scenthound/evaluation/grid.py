"""The grid of a comparison: webs, contenders, seeds and rules, checked before the first run
starts.
"""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from os import PathLike
from pathlib import Path

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Budget, Topic
from scenthound.core.options import SIMILARITY, CompareOptions, check_judge
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.crawler.replay_plan import BUDGET_WITH_LABELS, DEFAULT_BUDGET
from scenthound.crawler.run_caches import CacheChoice
from scenthound.evaluation.contenders import Contender, is_deterministic, refuse_duplicates
from scenthound.evaluation.outcomes import (
    GIVEN,
    HARVEST,
    LABELLED_HARVEST,
    SEEDS,
    Cell,
    measure_named,
)
from scenthound.similarity.topic_file import read_topic, without_examples
from scenthound.strategies.catalogue import parse_inlink_rule, with_inlink_rule
from scenthound.strategies.spec import StrategySpec


@dataclass(frozen=True, slots=True)
class Rules:
    """How much every run may fetch, and how its pages are read and judged.

    Parameters
    ----------
    budget : pages, or a multiple of the labelled ones; None for ``2x``, or 1,000 without labels.
    judge, threshold : what tells relevant pages, and from which value; None to calibrate it.
    count_missing : charge the budget for links that lead out of the archive.
    pdf : are PDFs pages too?
    inlinks : how several links to a page count, in place of the strategies' own ways.
    wordnet : a WordNet folder in place of the shipped one.
    keywords_only : does no run know an example page, given or drawn?

    SettingsError or UnknownNameError for what cannot be.
    """

    budget: str | None = None
    judge: str = SIMILARITY
    threshold: float | None = None
    count_missing: bool = False
    pdf: bool = False
    inlinks: str | None = None
    wordnet: str | None = None
    keywords_only: bool = False

    def __post_init__(self) -> None:
        check_judge(self.judge)
        if self.budget is not None:
            Budget.parse(self.budget, labelled=1)
        if self.inlinks is not None:
            parse_inlink_rule(self.inlinks)
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise SettingsError(f"a threshold lies within 0 and 1, not at {self.threshold}.")

    def spec(self, spec: StrategySpec) -> StrategySpec:
        """The strategy with this rule for inlinks; as it is where all links score alike anyway."""
        try:
            return with_inlink_rule(spec, self.inlinks)
        except SettingsError:
            return spec

    def topic(self, topic: Topic) -> Topic:
        """The topic as runs know it; SettingsError where nothing would be left of it."""
        return without_examples(topic) if self.keywords_only else topic

    def to_json(self) -> dict[str, object]:
        """By name."""
        return asdict(self)


# What is crawled in a comparison: an archive, the topics that are looked for, their labels.


_ENDINGS = (".gz", ".warc", ".wacz", ".zip")

_PATTERN = frozenset("*?[")


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
        names = [topic.name for topic in self.topics]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise SettingsError(f"topic {twice!r} is given twice; give each one once.")

    def topic(self, name: str) -> Topic:
        """The topic of this name."""
        return next(topic for topic in self.topics if topic.name == name)

    def to_json(self) -> dict[str, object]:
        """As a grid file has it, with paths that are found from everywhere."""
        files = [str(Path(topic.file).resolve()) for topic in self.topics if topic.file]
        made: dict[str, object] = {
            "name": self.name,
            "archive": str(self.archive.resolve()),
            "topics": files,
        }
        if self.labels_file is not None:
            made["labels"] = str(self.labels_file.resolve())
        return made


def read_web(
    archive: Path, topics: Sequence[Topic | str | Path], labels: Path | None, name: str = ""
) -> Web:
    """A web with its files read; topics may be patterns such as ``topics/*.toml``.

    InputError of some kind for a file that cannot be used.
    """
    found: list[Topic] = []
    for each in topics:
        found += [each] if isinstance(each, Topic) else map(read_topic, _files(each))
    read = None if labels is None else read_labels(labels)
    return Web(name or web_name(archive), archive, tuple(found), read, labels)


def web_name(archive: Path) -> str:
    """What an archive is called: its file name without the endings.

    Examples
    --------
    >>> web_name(Path("webs/schools.warc.gz"))
    'schools'
    """
    name = archive.resolve().name
    while name.lower().endswith(_ENDINGS):
        name = name[: name.rindex(".")]
    return name or "web"


def _files(pattern: str | Path) -> list[Path]:
    """The files that a pattern means, in the order of their names; a path means itself."""
    text = str(pattern)
    if not _PATTERN & set(text) or Path(text).exists():
        return [Path(text)]
    found = sorted(map(Path, glob.glob(text, recursive=True)))
    if not found:
        raise SettingsError(f"no topic file is called {text!r}; give the paths of topic files.")
    return found


# The keys of a grid file: what each takes.


Fits = Callable[[object], bool]

WEB = "web"

KEEP_CRAWLS = "keep_crawls"

RULES = tuple(each.name for each in fields(Rules))


def is_text(value: object) -> bool:
    """Is it a text, or a path, that says something?"""
    return isinstance(value, str | PathLike) and bool(str(value).strip())


def _are_topics(value: object) -> bool:
    listed = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(each, Topic) or is_text(each) for each in listed)


Keys = Mapping[str, tuple[Fits, str]]
"""By key: what fits, and what it takes in words."""

WEB_KEYS: Keys = {
    "name": (is_text, "a text"),
    "archive": (is_text, "the path of an archive"),
    "topics": (_are_topics, 'a list of topic files such as ["topics/*.toml"]'),
    "labels": (is_text, "the path of a labels file"),
}


def check_values(where: str, values: Mapping[str, object], keys: Keys) -> None:
    """UnknownNameError for a key that there is not, SettingsError for a value that does not fit.

    Parameters
    ----------
    where : whose keys they are, for the message.
    values, keys : what is given, and what there is.
    """
    for key, value in values.items():
        if key not in keys:
            raise UnknownNameError(f"key of {where}:", key, keys)
        fits, wanted = keys[key]
        if isinstance(value, list | tuple) and "" in value:
            raise SettingsError(f"{key} has an empty text in it; give {wanted}.")
        if not fits(value):
            raise SettingsError(f"{key} takes {wanted}, not {value!r}.")


def grid_options(values: Mapping[str, object]) -> CompareOptions:
    """The options among the values of a grid; beside them stand its webs.

    UnknownNameError for a key that there is not, SettingsError for a value that does not fit.
    """
    known = CompareOptions.model_fields
    for key, value in values.items():
        if key == WEB and not isinstance(value, list | tuple | Mapping):
            raise SettingsError(f"{WEB} takes tables; write [[web]], not {value!r}.")
        if key != WEB and key not in known:
            raise UnknownNameError("key of the grid:", key, (WEB, *known))
    return CompareOptions(**{key: value for key, value in values.items() if key != WEB})  # type: ignore[arg-type]


# The grid: which runs a comparison has, checked before the first one starts.


@dataclass(frozen=True)
class Grid:
    """Webs with their topics x strategies x seed conditions x draws x random seeds.

    Parameters
    ----------
    webs : archives, each with its topics and labels.
    contenders : strategies with their parameters.
    baseline : the label of the contender that the others are compared with; by default the first.
    seeds : some of :data:`.model.SEEDS`.
    draws : how many; the first takes seeds and example pages as the topic file has them.
    random_seeds : how many; strategies that leave nothing to chance run with the first alone.
    rules : what holds for every run.
    cache : where pages, terms and vectors are kept between runs.
    measure : the figure that is compared; "" for labelled harvest, or HR without labels.
    keep_crawls : does every run leave its crawl folder?

    SettingsError, LabelsError or UnknownNameError for a grid that cannot be run.
    """

    webs: tuple[Web, ...]
    contenders: tuple[Contender, ...]
    baseline: str = ""
    seeds: tuple[str, ...] = (GIVEN,)
    draws: int = 1
    random_seeds: int = 1
    rules: Rules = field(default_factory=Rules)
    cache: CacheChoice = field(default_factory=CacheChoice)
    measure: str = ""
    keep_crawls: bool = False

    def __post_init__(self) -> None:
        _refuse_empty(self)
        refuse_duplicates(self.contenders)
        if not self.baseline:
            object.__setattr__(self, "baseline", self.contenders[0].label)
        labels = [each.label for each in self.contenders]
        if self.baseline not in labels:
            raise UnknownNameError("baseline", self.baseline, labels)
        if self.measure:
            measure_named(self.measure)
        for web in self.webs:
            _check_web(self, web)

    def web(self, name: str) -> Web:
        """The web of this name."""
        return next(web for web in self.webs if web.name == name)

    def contender(self, label: str) -> Contender:
        """The contender of this label."""
        return next(each for each in self.contenders if each.label == label)

    @property
    def steady(self) -> tuple[str, ...]:
        """Contenders that run with one random seed though more are asked for."""
        if self.random_seeds == 1:
            return ()
        return tuple(each.label for each in self.contenders if is_deterministic(each.spec))

    def cells(self) -> Iterator[Cell]:
        """Every run, topic by topic, and in a topic by what the strategies are compared on."""
        steady = self.steady
        for web in self.webs:
            for topic in web.topics:
                for seeds in self.seeds:
                    for draw in range(self.draws):
                        for each in self.contenders:
                            for number in range(1 if each.label in steady else self.random_seeds):
                                yield Cell(web.name, topic.name, each.label, seeds, draw, number)

    def to_json(self) -> dict[str, object]:
        """As a grid file has it; what is not given and has no name is left out."""
        rules = {key: value for key, value in self.rules.to_json().items() if value is not None}
        return {
            "strategies": [each.label for each in self.contenders],
            "baseline": self.baseline,
            "seeds": list(self.seeds),
            "draws": self.draws,
            "random_seeds": self.random_seeds,
            **_default_values(self),
            **({"measure": self.measure} if self.measure else {}),
            **rules,
            KEEP_CRAWLS: self.keep_crawls,
            **{key: value for key, value in self.cache.to_json().items() if value is not None},
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
    if not grid.seeds:
        raise SettingsError(f"there are no seeds to start from; give some of {', '.join(SEEDS)}.")
    for name, count in (("draws", grid.draws), ("random_seeds", grid.random_seeds)):
        if count < 1:
            raise SettingsError(f"{name} is 1 or more, not {count}.")
    for kind, names in ((WEB, [web.name for web in grid.webs]), ("seeds", [*grid.seeds])):
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            hint = f' or a name of its own, name = "{twice}-2"' if kind == WEB else ""
            raise SettingsError(f"{kind} {twice!r} is given twice; give each one once{hint}.")
    for seeds in grid.seeds:
        if seeds not in SEEDS:
            raise UnknownNameError("kind of seeds", seeds, SEEDS)


def _default_values(grid: Grid) -> dict[str, object]:
    """The measure and the budget as by default, where they are the same for all webs."""
    labelled = {web.labels is not None for web in grid.webs}
    measure = LABELLED_HARVEST if labelled == {True} else HARVEST
    budget = BUDGET_WITH_LABELS if labelled == {True} else DEFAULT_BUDGET
    return {"measure": measure.name, **({"budget": budget} if len(labelled) == 1 else {})}


def _check_web(grid: Grid, web: Web) -> None:
    """Topics are what the rules leave of them; what is drawn or measured by labels needs them."""
    for topic in web.topics:
        grid.rules.topic(topic)
    if web.labels is not None:
        for topic in web.topics:
            web.labels.of(topic.name)
        return
    drawn = [seeds for seeds in grid.seeds if seeds != GIVEN]
    what = "draws" if grid.draws > 1 else f"{drawn[0]} seeds" if drawn else ""
    if what:
        raise SettingsError(
            f"web {web.name!r} has no labels, and {what} are drawn by them; give --labels."
        )
    if grid.rules.budget is not None:
        Budget.parse(grid.rules.budget, None)
    for each in grid.contenders:
        each.spec.require_labels(None)
