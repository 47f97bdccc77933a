"""Cache and inlinks in a settings file and with ``--set``."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.cli.options import option_values
from scenthound.cli.settings import Settings, read_settings
from scenthound.core.errors import SettingsError
from scenthound.strategies.catalogue import CATALOGUE


def settings(config: Path | None, *assignments: str, command: str = "crawl") -> Settings:
    return read_settings(config, assignments, ["vsm"], CATALOGUE, command)


@pytest.mark.parametrize("table", ["crawl", "replay"])
def test_a_file_may_say_all_of_it(tmp_path: Path, table: str) -> None:
    config = tmp_path / "c.toml"
    config.write_text(f'[{table}]\ncache = "kept"\ncache_limit = "5MB"\ninlinks = "last"\n')
    expected = {"cache": str(tmp_path / "kept"), "cache_limit": 5_000_000, "inlinks": "last"}
    assert settings(config, command=table).tables[table] == expected
    config.write_text(f'[{table}]\ncache = "None"\n')
    assert settings(config, command=table).tables[table] == {"cache": "None"}


def test_a_limit_may_be_a_number_of_bytes() -> None:
    assert settings(None, "crawl.cache_limit=5000000").of("crawl") == {"cache_limit": 5_000_000}
    found = settings(None, "replay.cache_limit=5000000", command="replay")
    assert found.of("replay").get("cache_limit") == 5_000_000


@pytest.mark.parametrize("table", ["crawl", "replay"])
@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("cache_limit=abc", "'abc' is no size for a cache; give one such as 500MB"),
        ("cache_limit=12", "a cache of 12 bytes is too small"),
        ("cache_limit=true", "cache_limit takes a size such as 500MB, 2GB or 1.5GiB, not True"),
        ("cache=7", 'cache takes the path of a folder, or "none", not 7'),
        ("cache= ", 'cache takes the path of a folder, or "none", not'),
        ("inlinks=sum", "give max, mean or last as inlinks, not 'sum'"),
        ("inlinks=3", 'inlinks takes "max", "mean" or "last", not 3'),
    ],
)
def test_what_cannot_be(table: str, assignment: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings(None, f"{table}.{assignment}", command=table)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"--set {table}.")


def test_options_are_named() -> None:
    with pytest.raises(SettingsError, match=r"^--cache-limit huge: 'huge' is no size for a cache"):
        option_values({"cache_limit": "huge"})
    with pytest.raises(SettingsError, match=r"^--inlinks sum: give max, mean or last as"):
        option_values({"inlinks": "sum"})
    given = {"cache": "x", "cache_limit": "9MB", "inlinks": "max"}
    assert option_values(dict(given)) == {**given, "cache_limit": 9_000_000}
