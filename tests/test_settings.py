"""Settings: one file, ``--set`` over it, the table of crawls; errors name where the mistake is."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.cli.options import CRAWL_MODELS, keys_of, option_values
from scenthound.cli.settings import CRAWL, Settings, read_settings
from scenthound.core.command_options import RunOptions
from scenthound.core.crawl_loop import Greedy
from scenthound.core.errors import SettingsError
from scenthound.core.model import Combination
from scenthound.core.options import parse_duration
from scenthound.core.registry import Registry
from scenthound.crawler.options import CrawlOptions
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


def test_what_a_file_sets(config: Path) -> None:
    text = '[replay]\nbudget = "2x"\nrandom_seed = 7\n[shark]\ndecay = 0.4\n[fish]\nwidth = 9\n'
    found = from_file(config, text)
    assert found.of("replay") == {"budget": "2x", "random_seed": 7}
    assert found.for_strategy(SHARK) == {"decay": 0.4}
    assert found.for_strategy(FISH) == {"width": 9}
    assert found.for_strategy(PLAIN) == {}
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


def crawl_settings(config: Path | None, *assignments: str, command: str = CRAWL) -> Settings:
    return read_settings(config, assignments, ["vsm"], CATALOGUE, command)


def test_a_file_sets_the_crawl(config: Path) -> None:
    config.write_text(
        '[crawl]\nmax_pages = 5\nmax_time = "2h"\ndelay = 2\nhost_share = 1\n'
        'proxy = "http://p.test:1"\nallow_private = true\nwordnet = "dict"\n'
        'weights = "w.toml"\n'
    )
    assert crawl_settings(config).of("crawl") == {
        "max_pages": 5, "max_time": 7200.0, "delay": 2.0, "host_share": 1.0,
        "proxy": "http://p.test:1", "allow_private": True, "wordnet": str(config.parent / "dict"),
        "weights": str(config.parent / "w.toml"),
    }  # fmt: skip
    config.write_text(
        '[crawl]\ninclude = ["*a*", "*b*"]\nexclude = "*c*"\ncookie_file = "c.txt"\n'
        'netrc = "/home/n"\n'
    )
    assert crawl_settings(config).of("crawl") == {
        "include": ("*a*", "*b*"), "exclude": ("*c*",),
        "cookie_file": str(config.parent / "c.txt"), "netrc": "/home/n",
    }  # fmt: skip
    config.write_text("[crawl]\nrandom_seed = 3\n[replay]\nrandom_seed = 4\n")
    for command in ("crawl", "replay"):
        found = crawl_settings(config, command=command)
        assert (found.of("crawl")["random_seed"], found.of("replay").get("random_seed")) == (3, 4)
    assert set(keys_of(CRAWL_MODELS)) == {*CrawlOptions.model_fields, *RunOptions.model_fields}


def test_what_cannot_be_set() -> None:
    for option, command, message in [
        ("replay.random_seed=1", "crawl", "this is no replay, so it would not be used"),
        ("crawl.random_seed=1", "replay", "this is no crawl, so it would not be used"),
        ("crawl.delya=1", "crawl", "unknown key of [crawl]: 'delya'; did you mean 'delay'?"),
        ("crawl.max_pages=true", "crawl", "crawl.max_pages takes a whole number, not True."),
        ("crawl.max_pages=-1", "crawl", "crawl.max_pages is 1 or more, not -1."),
        ("crawl.timeout=long", "crawl", "crawl.timeout takes a time such as"),
        ("crawl.host_share=nan", "crawl", "crawl.host_share takes a number, not nan."),
        ("crawl.allow_private=yes", "crawl", "crawl.allow_private takes true or false, not 'yes'."),
        ("crawl.retries=-1", "crawl", "crawl.retries is 0 or more, not -1."),
        ("crawl.include=5", "crawl", "crawl.include takes a text or a list of texts such as"),
        ("crawl.include=re:(", "crawl", "crawl.include 're:(' is no regular expression"),
        ("crawl.deny_host=a b", "crawl", "crawl.deny_host 'a b' is no host"),
        ("crawl.wordnet=' '", "crawl", "crawl.wordnet takes the path of a WordNet folder"),
        ("crawl.cache_limit=abc", "crawl", "'abc' is no size for a cache; give one such as"),
        ("crawl.cache_limit=12", "crawl", "a cache of 12 bytes is too small"),
        ("crawl.cache_limit=true", "crawl", "crawl.cache_limit takes a size such as 500MB, 2GB or"),
        ("crawl.cache=7", "crawl", 'crawl.cache takes the path of a folder, or "none", not 7'),
        ("replay.cache=' '", "replay", 'replay.cache takes the path of a folder, or "none", not'),
        ("replay.inlinks=sum", "replay", 'replay.inlinks takes "max", "mean" or "last", not'),
        ("replay.wordnet=", "replay", "replay.wordnet takes the path of a WordNet folder, not ''"),
        ("replay.budget=true", "replay", "replay.budget takes a number of pages or a multiple of"),
        ("replay.budget=lots", "replay", "replay.budget 'lots' is not understood; give a number"),
        ("replay.budget=0", "replay", "a budget of 0 pages fetches nothing; give a budget of 1"),
        ("replay.random_seed=1.5", "replay", "replay.random_seed takes a whole number, not 1.5."),
        ("replay.count_missing=1", "replay", "replay.count_missing takes true or false, not 1."),
        ("replay.judge=5", "replay", 'replay.judge takes "similarity" or "ontology", not 5.'),
        ("replay.judge=ontologie", "replay", 'replay.judge takes "similarity" or "ontology", not'),
        ("replay.threshold=nan", "replay",
         "replay.threshold takes a number within 0 and 1, not nan."),
        ("replay.threshold=50", "replay", "replay.threshold lies within 0 and 1, not at 50."),
        ("replay.weights=0.5", "replay",
         "replay.weights takes the path of a weights file, not 0.5."),
        ("replay.inlinks=3", "replay", 'replay.inlinks takes "max", "mean" or "last", not 3'),
    ]:  # fmt: skip
        with pytest.raises(SettingsError) as caught:
            crawl_settings(None, option, command=command)
        assert str(caught.value).startswith(f"--set {option}: {message}")


def test_no_message_repeats_a_password(config: Path) -> None:
    for option, message in [
        ("crawl.proxy=7", "--set crawl.proxy: crawl.proxy takes a text, not 7."),
        ("crawl.proxy=u:SECRET@127.0.0.1", "--set crawl.proxy: --proxy is no proxy"),
        ("crawl.auth=http://a.org=me:SECRET", "--set crawl.auth: --auth: what stands before"),
        ("crawl.header=Authorization: SECRET", "--set crawl.header: --header Authorization: that"),
        ("crawl.header=Bearer SECRET", "--set crawl.header: --header 'Bearer' is no header"),
        ("crawl.auht=a.org=me:SECRET", "--set crawl.auht: unknown key of [crawl]: 'auht'; did"),
        ("auth=a.org=me:SECRET", "--set auth: write it as TABLE.KEY=VALUE"),
        ("http://me:SECRET@a.org", "--set: write it as TABLE.KEY=VALUE"),
    ]:
        with pytest.raises(SettingsError) as caught:
            crawl_settings(None, option)
        assert str(caught.value).startswith(message)
        assert "SECRET" not in str(caught.value)
    for line in (
        'auth = {"a.org" = "me:SECRET"}', 'auth = ["a.org=me:SECRET", 5]',
        'proxy = ["http://u:SECRET@h"]', 'proxy = "socks5://u:SECRET@h:1"',
    ):  # fmt: skip
        config.write_text(f"[crawl]\n{line}\n")
        with pytest.raises(SettingsError, match=r"^config file .*(auth|proxy)") as caught:
            crawl_settings(config)
        assert "SECRET" not in str(caught.value)


def test_a_mistake_in_a_file_names_the_file(config: Path) -> None:
    for line, message in [
        ("delay = -1", r"delay is 0 or more"),
        ('exclude = ["*"]', r"exclude '\*'"),
    ]:
        config.write_text(f"[crawl]\n{line}\n")
        with pytest.raises(SettingsError, match=rf"^config file .*c\.toml: crawl\.{message}"):
            crawl_settings(config)


def test_cache_and_inlinks(config: Path) -> None:
    for table in ("crawl", "replay"):
        config.write_text(f'[{table}]\ncache = "kept"\ncache_limit = "5MB"\ninlinks = "last"\n')
        kept = str(config.parent / "kept")
        expected = {"cache": kept, "cache_limit": 5_000_000, "inlinks": "last"}
        assert crawl_settings(config, command=table).tables[table] == expected
        config.write_text(f'[{table}]\ncache = "None"\ncache_limit = 5000000\n')
        expected = {"cache": "None", "cache_limit": 5_000_000}
        assert crawl_settings(config, command=table).tables[table] == expected
    with pytest.raises(SettingsError, match=r"^--cache-limit huge: 'huge' is no size for a cache"):
        option_values({"cache_limit": "huge"})
    with pytest.raises(SettingsError, match=r"^--inlinks takes .max., .mean. or .last., not"):
        option_values({"inlinks": "sum"})
    assert option_values({
        "max_pages": "7", "delay": " 1.5s ", "contact": "7", "allow_private": True, "pdf": None,
    }) == {
        "max_pages": 7, "delay": 1.5, "contact": "7", "allow_private": True,
    }  # fmt: skip
    found = crawl_settings(None, "replay.wordnet=[1]", command="replay")
    assert found.of("replay") == {"wordnet": "[1]"}


@given(st.text())
def test_any_text_is_a_time_or_none(text: str) -> None:
    found = parse_duration(text)
    assert found is None or found >= 0


def test_times() -> None:
    for text, seconds in (("0", 0), ("9s", 9), ("100ms", 0.1), ("1.5m", 90), ("2h", 7_200)):
        assert parse_duration(text) == seconds
    for text in ["", "-1", "1w", "1h30m", "m", "1e3", "nan", "1 2", "9" * 400]:
        assert parse_duration(text) is None
