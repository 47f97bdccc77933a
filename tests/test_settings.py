"""Settings: one file, ``--set`` over it, and errors that name where the mistake is."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from scenthound.cli.settings import Settings, read_settings
from scenthound.core.crawl import Greedy
from scenthound.core.errors import SettingsError
from scenthound.core.model import Combination
from scenthound.core.registry import Registry
from scenthound.strategies.baselines import Unscored
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import ScorerFactory, StrategyContext, StrategySpec


class Shark(Unscored):
    def __init__(
        self, strategy_context: StrategyContext, *,
        decay: float = 0.5, depth: int = 3, strict: bool = False, model: str = "vsm",
    ) -> None:  # fmt: skip
        super().__init__(strategy_context)


class Fish(Unscored):
    def __init__(
        self, strategy_context: StrategyContext, *, decay: float = 0.1, width: int = 5
    ) -> None:
        super().__init__(strategy_context)


def spec(name: str, scorer: ScorerFactory) -> StrategySpec:
    return StrategySpec(name, scorer, Greedy, Combination.MAX, "ours", "for the tests")


SHARK, FISH, PLAIN = spec("shark", Shark), spec("fish", Fish), spec("plain", Unscored)
TABLE = Registry("strategy", (SHARK, FISH, PLAIN))
ALL = ("shark", "fish", "plain")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "c.toml"


def settings(*assignments: str, chosen: tuple[str, ...] = ALL) -> Settings:
    return read_settings(None, assignments, chosen, TABLE)


def from_file(
    config: Path, text: str, *assignments: str, chosen: tuple[str, ...] = ALL
) -> Settings:
    config.write_text(text, encoding="utf-8")
    return read_settings(config, assignments, chosen, TABLE)


def test_a_file_sets_the_replay_and_single_strategies(config: Path) -> None:
    text = '[replay]\nbudget = "2x"\nrandom_seed = 7\n[shark]\ndecay = 0.4\n[fish]\nwidth = 9\n'
    found = from_file(config, text)
    assert found.of("replay") == {"budget": "2x", "random_seed": 7}
    assert found.for_strategy(SHARK) == {"decay": 0.4}
    assert found.for_strategy(FISH) == {"width": 9}
    assert found.for_strategy(PLAIN) == {}


def test_a_path_in_a_file_is_relative_to_the_file(config: Path) -> None:
    for written, meant in (("dict", config.parent / "dict"), ("/usr/dict", Path("/usr/dict"))):
        # a byte-order mark is no mistake
        found = from_file(config, f'\ufeff[replay]\nwordnet = "{written}"\nrandom_seed = 3\n')
        assert found.of("replay") == {"wordnet": str(meant), "random_seed": 3}


def test_which_table_counts_for_a_strategy(config: Path) -> None:
    for text, spec, values in [
        # the common table is for each that has the key
        ("[strategy]\ndecay = 0.4\nwidth = 2\n", SHARK, {"decay": 0.4}),
        ("[strategy]\ndecay = 0.4\nwidth = 2\n", FISH, {"decay": 0.4, "width": 2}),
        ("[strategy]\ndecay = 0.4\nwidth = 2\n", PLAIN, {}),
        ("[fish]\ndecay = 0.9\n[strategy]\ndecay = 0.4\n", FISH, {"decay": 0.9}),
    ]:
        assert from_file(config, text).for_strategy(spec) == values
    others = "[fish]\nwidth = 2\n[strategy]\nwidth = 3\n"  # which are not in the run
    assert from_file(config, others, chosen=("shark",)).for_strategy(SHARK) == {}


def test_options_win_over_the_file_and_the_special_over_the_common(config: Path) -> None:
    for file, options, decay in [
        ("[shark]\ndecay = 0.1\n", ["shark.decay=0.2"], 0.2),
        ("[strategy]\ndecay = 0.1\n", ["shark.decay=0.2"], 0.2),
        ("[strategy]\ndecay = 0.1\n", ["strategy.decay=0.2"], 0.2),
        ("[shark]\ndecay = 0.1\n", ["strategy.decay=0.2"], 0.2),
        ("", ["shark.decay=0.2", "shark.decay=0.3"], 0.3),
        ("", ["strategy.decay=0.2", "shark.decay=0.3"], 0.3),
        ("", ["shark.decay=0.3", "strategy.decay=0.2"], 0.3),
    ]:
        assert from_file(config, file, *options).for_strategy(SHARK) == {"decay": decay}
    found = from_file(config, "[shark]\ndecay = 0.1\ndepth = 4\n", "shark.depth=5")
    assert found.for_strategy(SHARK) == {"decay": 0.1, "depth": 5}


def test_a_value_is_read_as_toml_or_else_as_text() -> None:
    for option, key, value in [
        ("shark.decay=1", "decay", 1.0),
        (" shark.decay = 1e-3 ", "decay", 0.001),
        ("shark.strict=true", "strict", True),
        ("shark.model=ssrm", "model", "ssrm"),
        ("shark.model='a=b.c'", "model", "a=b.c"),
        ("shark.model=2024-01-01", "model", "2024-01-01"),
    ]:
        found = settings(option).for_strategy(SHARK)
        assert found == {key: value}
        assert type(found[key]) is type(value)


def test_a_value_of_another_type_is_refused(config: Path) -> None:
    for option in [
        "shark.decay=high", "shark.decay=true", "shark.decay='0.4'", "shark.decay=",
        "shark.depth=2.0", "shark.depth=true", "shark.depth=x", "shark.strict=1",
        "shark.strict=yes", "shark.model=7", "strategy.decay=high",
    ]:  # fmt: skip
        with pytest.raises(SettingsError, match=r"takes a value like .*, not ") as caught:
            settings(option)
        assert str(caught.value).startswith(f"--set {option}: shark.")
    lines = ["decay = 'high'", "decay = true", "depth = 1.5", "strict = 0", "decay = [0.4]"]
    for table, line in product(["shark", "strategy"], lines):
        with pytest.raises(SettingsError, match=r"takes a value like .*, not ") as caught:
            from_file(config, f"[{table}]\n{line}\n")
        assert str(caught.value).startswith(f"config file {config}: shark.")


def test_the_replay_takes_these() -> None:
    for option, value in [
        ("replay.budget=2x", "2x"),
        ("replay.random_seed=-1", -1),
        ("replay.count_missing=true", True),
        ("replay.judge=ontology", "ontology"),
        ("replay.threshold=0.25", 0.25),
        ("replay.wordnet=/usr/share/wordnet", "/usr/share/wordnet"),
        ("replay.weights=w.toml", "w.toml"),
    ]:
        assert settings(option).of("replay").get(option[7:].partition("=")[0]) == value


def test_the_replay_refuses_these(config: Path) -> None:
    for option, message in [
        ("replay.budget=true", "replay.budget takes a number of pages or a multiple of"),
        ("replay.budget=lots", "replay.budget 'lots' is not understood; give --budget"),
        ("replay.budget=0", "a budget of 0 pages fetches nothing; give --budget 1 or more."),
        ("replay.random_seed=1.5", "replay.random_seed takes a whole number, not 1.5."),
        ("replay.count_missing=1", "replay.count_missing takes true or false, not 1."),
        ("replay.judge=5", 'replay.judge takes "similarity" or "ontology", not 5.'),
        ("replay.judge=ontologie", "unknown judge 'ontologie'; did you mean 'ontology'?"),
        ("replay.threshold=nan", "replay.threshold takes a number within 0 and 1, not nan."),
        ("replay.threshold=50", "replay.threshold lies within 0 and 1, not at 50."),
        ("replay.wordnet=", "replay.wordnet takes the path of a WordNet folder, not ''."),
        ("replay.weights=0.5", "replay.weights takes the path of a weights file, not 0.5."),
    ]:
        with pytest.raises(SettingsError) as caught:
            settings(option)
        assert str(caught.value).startswith(f"--set {option}: {message}")


def test_an_unknown_name_is_answered_with_what_was_meant(config: Path) -> None:
    for table, key, message in [
        ("shrak", "decay", "unknown table 'shrak'; did you mean 'shark'?"),
        ("shark", "decya", "unknown key for strategy 'shark': 'decya'; did you mean 'decay'?"),
        ("shark", "zzz", "unknown key for strategy 'shark': 'zzz'; choose one of: decay, depth, "
         "model, strict."),
        ("plain", "decay", "unknown key for strategy 'plain': 'decay'; there are none."),
        ("replay", "budgt", "unknown key of [replay]: 'budgt'; did you mean 'budget' or 'judge'?"),
        ("strategy", "decya", "unknown strategy key 'decya'; did you mean 'decay'?"),
    ]:  # fmt: skip
        with pytest.raises(SettingsError) as caught:
            settings(f"{table}.{key}=1")
        assert str(caught.value) == f"--set {table}.{key}=1: {message}"
        with pytest.raises(SettingsError) as caught:
            from_file(config, f"[{table}]\n{key} = 1\n")
        assert str(caught.value) == f"config file {config}: {message}"


def test_options_that_cannot_be_used() -> None:
    form = "write it as TABLE.KEY=VALUE, e.g. shark.decay=0.4."
    malformed = ["", "=", "shark", "shark.decay", "decay=0.4", ".decay=1", "shark.=1", "=0.4"]
    for option, message in [
        ("fish.width=2",
         "strategy 'fish' is not in this run; add --strategy fish or drop the option."),
        ("strategy.width=2", "no strategy of this run has the key 'width'; drop the option."),
        *((option, form) for option in malformed),
    ]:  # fmt: skip
        with pytest.raises(SettingsError) as caught:
            settings(option, chosen=("shark", "plain"))
        assert str(caught.value) == f"--set {option}: {message}"


def test_a_file_that_cannot_be_read_is_named(config: Path) -> None:
    for content, message in [
        (None, r": No such file or directory; give the path of a TOML file\.$"),
        *((content, r" is not valid TOML: .*\.$")
          for content in (b"[replay", b"seed", b"\xff\xfe", b"[a]\n[a]\n")),
        (b"decay = 0.4", r": 'decay' must be a table, as \[decay\]"),
        (b"[[shark]]\ndecay = 0.4", r": 'shark' must be a table, as \[shark\]"),
    ]:  # fmt: skip
        if content is not None:
            config.write_bytes(content)
        with pytest.raises(SettingsError, match=rf"^config file .*c\.toml{message}"):
            read_settings(config, [], ALL, TABLE)


def test_every_strategy_of_the_catalogue_can_be_set_to_its_defaults(config: Path) -> None:
    specs = [each for each in CATALOGUE.values() if each.parameters]
    assert specs
    lines = [
        f"[{each.name}]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in each.parameters.items())
        for each in specs
    ]
    config.write_text("\n".join(lines))
    found = read_settings(config, [], list(CATALOGUE), CATALOGUE)
    assert [found.for_strategy(each) for each in specs] == [each.parameters for each in specs]
