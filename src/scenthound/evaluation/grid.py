"""The grid of a comparison: strategies with parameters (such as ``olmoaco xi=2``), webs, seeds and
rules, and the runs that they make. A grid can be written as a file: ``grid_file``.
"""

from __future__ import annotations

import glob
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import product
from pathlib import Path

from scenthound.core.command_options import CompareOptions
from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.core.model import Budget, Topic
from scenthound.core.parameters import Value, parse_value
from scenthound.crawler.caches import CacheChoice
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.crawler.replay_plan import BUDGET_WITH_LABELS, DEFAULT_BUDGET, check_distinct
from scenthound.evaluation import outcomes
from scenthound.similarity.topic_file import read_topic, without_examples
from scenthound.strategies.baselines import BestFirst, Fish, Oracle, Shark, Unscored
from scenthound.strategies.catalogue import STRATEGIES, with_inlink_rule
from scenthound.strategies.spec import StrategySpec
from scenthound.strategies.weighting import BalancedTexts, FixedWeights

ALL = "all"
"""Stands for every strategy that can be run here."""
_DETERMINISTIC_SCORERS = (Unscored, Oracle, BestFirst, Fish, Shark)
_DETERMINISTIC_MODELS = frozenset({"vsm", "ssrm", "svsm", "soft-svsm", "sentences-light"})
_LIBRARIES = {
    "neural": ("torch", "transformers", "gensim", "h5py"),
    "ontology": ("rdflib", "sklearn", "efficient_apriori"),
}
"""What the strategies of an extra load; an extra that is not here is taken to be installed."""


def is_deterministic(spec: StrategySpec) -> bool:
    """Does the strategy crawl alike with every random seed?

    True for those that are known never to use their random generator. An unknown strategy is taken
    to use it, so that its runs with other seeds are not left out.
    """
    scorer = spec.scorer
    if not spec.is_greedy:
        return False
    if isinstance(scorer, FixedWeights | BalancedTexts):
        return scorer.model.name in _DETERMINISTIC_MODELS
    return scorer in _DETERMINISTIC_SCORERS


@dataclass(frozen=True)
class Contender:
    """A strategy and the parameters that were set; one strategy may come with several.

    UnknownNameError for an unknown strategy or parameter, SettingsError for a value of the wrong
    type.
    """

    name: str
    parameters: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked = self.spec.check(self.parameters)
        ordered = {key: checked[key] for key in self.spec.parameters if key in checked}
        object.__setattr__(self, "parameters", ordered)

    @property
    def spec(self) -> StrategySpec:
        """The strategy, ours or that of an installed package."""
        return STRATEGIES[self.name]

    @property
    def label(self) -> str:
        """The name in tables, with the parameters that were set; :func:`contender` reads it."""
        return " ".join(
            [self.name, *(f"{k}={_format_value(v)}" for k, v in self.parameters.items())]
        )

    def changed(self, parameters: Mapping[str, Value]) -> Contender:
        """The same with other values for some parameters."""
        return Contender(self.name, {**self.parameters, **parameters})


def contender(text: str) -> Contender:
    """Read a strategy and its parameters.

    Examples
    --------
    >>> contender("shark decay=.25").label
    'shark decay=0.25'
    """
    try:
        name, *settings = shlex.split(text)
    except ValueError:  # a quote that is not closed, or no word
        raise SettingsError(
            f'{text!r} is no strategy; write one such as "shark decay=0.3".'
        ) from None
    pairs = [word.partition("=") for word in settings]
    for key, equals, _ in pairs:
        if not (key and equals):
            raise SettingsError(
                f"strategy {text!r}: {key!r} is no KEY=VALUE; write {name} and behind it what is "
                "to be set, such as decay=0.3."
            )
    return Contender(name, {key: _parse_value(written) for key, _, written in pairs})


def _parse_value(text: str) -> Value:
    parsed = parse_value(text)
    return text if isinstance(parsed, list) else parsed


def _format_value(value: Value) -> str:
    """Write a value in the shortest form: 2 for 2.0."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return shlex.quote(value) if isinstance(value, str) else repr(value)


def named_contenders(texts: Sequence[str], labelled: bool) -> tuple[list[Contender], list[str]]:
    """Return the contenders that the texts name, and sentences on what ``all`` leaves out.

    Parameters
    ----------
    texts : as :func:`contender` takes them; :data:`ALL` adds every strategy that is not named.
    labelled : are there labels? Without, ``all`` leaves out the strategies that need them.
    """
    found, left_out = [contender(text) for text in texts if text.strip() != ALL], []
    named = {each.name for each in found}
    unnamed = [name for name in STRATEGIES if name not in named] if len(found) < len(texts) else []
    for name in unnamed:
        try:
            spec = STRATEGIES[name]
            unlabelled = spec.needs_labels and not labelled
            reason = "it needs labels" if unlabelled else missing_extra(spec)
        except InputError as error:  # one of another package, which cannot be loaded
            reason = str(error)
        if reason:
            left_out.append(f"{name} is left out: {reason}")
        else:
            found.append(Contender(name))
    return found, left_out


def missing_extra(spec: StrategySpec) -> str:
    """Say how to install the extra that a strategy needs; "" where nothing is missing."""
    missing = [lib for lib in _LIBRARIES.get(spec.extra, ()) if find_spec(lib) is None]
    if not missing:
        return ""
    return f"it needs {missing[0]}; install it with: pip install 'scenthound[{spec.extra}]'"


# Webs, and the grid of everything.

WEB = "web"
KEEP_CRAWLS = "keep_crawls"
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
        check_distinct([topic.name for topic in self.topics], "topic")

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
        labels, seeds = [each.label for each in self.contenders], self.options.seeds
        kinds = ", ".join(outcomes.SEEDS)
        for values, problem in (  # a comparison of nothing would end well and say nothing
            (self.webs, "nothing to crawl; give an archive and topics, or a grid file."),
            (labels, "nothing to compare; give two strategies or more."),
            (seeds, f"no seeds to start from; give some of {kinds}."),
        ):
            if not values:
                raise SettingsError(f"there is {problem}")
        check_distinct([web.name for web in self.webs], WEB, " or a name of its own in its [[web]]")
        check_distinct(seeds, "seeds")
        check_distinct(labels, "strategy")
        for each in seeds:
            if each not in outcomes.SEEDS:
                raise UnknownNameError("kind of seeds", each, outcomes.SEEDS)
        if not self.baseline:
            object.__setattr__(self, "baseline", labels[0])
        if self.baseline not in labels:
            raise UnknownNameError("baseline", self.baseline, labels)
        if self.options.measure:
            outcomes.measure_named(self.options.measure)
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

    def cells(self) -> Iterator[outcomes.Cell]:
        """Every run, topic by topic, and in a topic by what the strategies are compared on."""
        steady = self.steady
        topics = [(web.name, topic.name) for web in self.webs for topic in web.topics]
        for (web, topic), seeds, draw, each in product(
            topics, self.options.seeds, range(self.options.draws), self.contenders
        ):
            for number in range(1 if each.label in steady else self.options.random_seeds):
                yield outcomes.Cell(web, topic, each.label, seeds, draw, number)

    def to_json(self) -> dict[str, object]:
        """As a grid file has it, without what is not set and has no default."""
        asked, labelled = self.options, {web.labels is not None for web in self.webs}
        measure, budget = outcomes.HARVEST, DEFAULT_BUDGET
        if labelled == {True}:
            measure, budget = outcomes.LABELLED_HARVEST, BUDGET_WITH_LABELS
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


def _check_web(grid: Grid, web: Web) -> None:
    """Topics must survive the rules; what is drawn or measured by labels needs labels."""
    for topic in web.topics:
        grid.as_known(topic)
        if web.labels is not None:
            web.labels.of(topic.name)
    if web.labels is not None:
        return
    draws, budget = grid.options.draws, grid.options.budget
    drawn = [f"{seeds} seeds" for seeds in grid.options.seeds if seeds != outcomes.GIVEN]
    if draws > 1 or drawn:
        what = "draws" if draws > 1 else drawn[0]
        raise SettingsError(
            f"web {web.name!r} has no labels, and {what} are drawn by them; give --labels."
        )
    if budget is not None:
        Budget.parse(budget, None)
    for each in grid.contenders:
        each.spec.require_labels(None)
