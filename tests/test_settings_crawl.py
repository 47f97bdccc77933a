"""The ``[crawl]`` table: the fields of CrawlOptions, from a file, ``--set`` and options."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.cli.options import CRAWL_MODELS, keys_of, option_values
from scenthound.cli.settings import CRAWL, Settings, read_settings
from scenthound.core.command_options import RunOptions
from scenthound.core.errors import SettingsError
from scenthound.core.options import parse_duration
from scenthound.crawler.options import CrawlOptions
from scenthound.strategies.catalogue import CATALOGUE


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "c.toml"


def settings(config: Path | None, *assignments: str, command: str = CRAWL) -> Settings:
    return read_settings(config, assignments, ["vsm"], CATALOGUE, command)


def test_every_field_can_be_set() -> None:
    assert set(keys_of(CRAWL_MODELS)) == {*CrawlOptions.model_fields, *RunOptions.model_fields}


def test_a_file_sets_the_crawl(config: Path) -> None:
    config.write_text(
        '[crawl]\nmax_pages = 5\nmax_time = "2h"\ndelay = 2\nhost_share = 1\n'
        'proxy = "http://p.test:1"\nallow_private = true\nwordnet = "dict"\n'
        'weights = "w.toml"\n'
    )
    assert settings(config).of("crawl") == {
        "max_pages": 5, "max_time": 7200.0, "delay": 2.0, "host_share": 1.0,
        "proxy": "http://p.test:1", "allow_private": True, "wordnet": str(config.parent / "dict"),
        "weights": str(config.parent / "w.toml"),
    }  # fmt: skip


def test_one_file_serves_replays_and_crawls(config: Path) -> None:
    config.write_text("[crawl]\nrandom_seed = 3\n[replay]\nrandom_seed = 4\n")
    for command in ("crawl", "replay"):
        found = settings(config, command=command)
        assert (found.of("crawl")["random_seed"], found.of("replay").get("random_seed")) == (3, 4)


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
        ("replay.inlinks=sum", "replay", "give max, mean or last as inlinks, not 'sum'"),
        ("replay.wordnet=", "replay", "replay.wordnet takes the path of a WordNet folder, not ''"),
        ("replay.inlinks=3", "replay", 'replay.inlinks takes "max", "mean" or "last", not 3'),
    ]:  # fmt: skip
        with pytest.raises(SettingsError) as caught:
            settings(None, option, command=command)
        assert str(caught.value).startswith(f"--set {option}: {message}")


def test_no_message_about_an_option_repeats_a_password() -> None:
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
            settings(None, option)
        assert str(caught.value).startswith(message)
        assert "SECRET" not in str(caught.value)


def test_no_message_about_a_file_repeats_a_password(config: Path) -> None:
    for line in (
        'auth = {"a.org" = "me:SECRET"}', 'auth = ["a.org=me:SECRET", 5]',
        'proxy = ["http://u:SECRET@h"]', 'proxy = "socks5://u:SECRET@h:1"',
    ):  # fmt: skip
        config.write_text(f"[crawl]\n{line}\n")
        with pytest.raises(SettingsError, match=r"^config file .*(auth|proxy)") as caught:
            settings(config)
        assert "SECRET" not in str(caught.value)


def test_a_mistake_in_a_file_names_the_file(config: Path) -> None:
    for line, message in [
        ("delay = -1", r"delay is 0 or more"),
        ('exclude = ["*"]', r"exclude '\*'"),
    ]:
        config.write_text(f"[crawl]\n{line}\n")
        with pytest.raises(SettingsError, match=rf"^config file .*c\.toml: crawl\.{message}"):
            settings(config)


def test_lists_and_paths_in_a_file(config: Path) -> None:
    config.write_text(
        '[crawl]\ninclude = ["*a*", "*b*"]\nexclude = "*c*"\ncookie_file = "c.txt"\n'
        'netrc = "/home/n"\n'
    )
    assert settings(config).of("crawl") == {
        "include": ("*a*", "*b*"), "exclude": ("*c*",),
        "cookie_file": str(config.parent / "c.txt"), "netrc": "/home/n",
    }  # fmt: skip


def test_a_list_is_for_the_crawl_alone() -> None:
    found = settings(None, "replay.wordnet=[1]", command="replay")
    assert found.of("replay") == {"wordnet": "[1]"}


def test_cache_and_inlinks(config: Path) -> None:
    for table in ("crawl", "replay"):
        config.write_text(f'[{table}]\ncache = "kept"\ncache_limit = "5MB"\ninlinks = "last"\n')
        kept = str(config.parent / "kept")
        expected = {"cache": kept, "cache_limit": 5_000_000, "inlinks": "last"}
        assert settings(config, command=table).tables[table] == expected
        config.write_text(f'[{table}]\ncache = "None"\ncache_limit = 5000000\n')
        expected = {"cache": "None", "cache_limit": 5_000_000}
        assert settings(config, command=table).tables[table] == expected
    with pytest.raises(SettingsError, match=r"^--cache-limit huge: 'huge' is no size for a cache"):
        option_values({"cache_limit": "huge"})
    with pytest.raises(SettingsError, match=r"^--inlinks sum: give max, mean or last as"):
        option_values({"inlinks": "sum"})


def test_options_are_read_as_a_file_is() -> None:
    assert option_values({
        "max_pages": "7", "delay": " 1.5s ", "contact": "7", "allow_private": True, "pdf": None,
    }) == {
        "max_pages": 7, "delay": 1.5, "contact": "7", "allow_private": True,
    }  # fmt: skip


@given(st.text())
def test_any_text_is_a_time_or_none(text: str) -> None:
    found = parse_duration(text)
    assert found is None or found >= 0


def test_times() -> None:
    for text, seconds in (("0", 0), ("9s", 9), ("100ms", 0.1), ("1.5m", 90), ("2h", 7_200)):
        assert parse_duration(text) == seconds
    for text in ["", "-1", "1w", "1h30m", "m", "1e3", "nan", "1 2", "9" * 400]:
        assert parse_duration(text) is None
