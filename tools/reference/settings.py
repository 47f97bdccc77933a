"""Every key of a settings file: from the options of a crawl, and the table of replays."""

from __future__ import annotations

import dataclasses

from tools.reference.commands import commands, options, tree
from tools.reference.docstrings import docstring
from tools.reference.markdown import code, prose, table

from scenthound import api
from scenthound.live.options import CrawlOptions
from scenthound.settings.keys import BESIDE_OPTIONS, CRAWL_KEYS, REPLAY_KEYS, TIMES

_KINDS = {int: "whole number", float: "number", bool: "true or false", str: "text", tuple: "texts"}


def page() -> str:
    """The tables ``[crawl]`` and ``[replay]``."""
    columns = ("key", "takes", "default", "option", "what it is")
    return "\n".join(
        [
            "## The table [crawl]\n",
            table(columns, [_crawl_row(key) for key in CRAWL_KEYS]),
            "## The table [replay]\n",
            table(columns, [_replay_row(key) for key in REPLAY_KEYS]),
        ]
    )


def _crawl_row(key: str) -> tuple[str, ...]:
    defaults = {each.name: each.default for each in dataclasses.fields(CrawlOptions)}
    takes = "time" if key in TIMES else _KINDS[CRAWL_KEYS[key]]
    where = api.crawl if key in BESIDE_OPTIONS else CrawlOptions
    about = dict(docstring(where).parameters).get(key, "")
    return code(key), takes, _value(defaults.get(key)), _option("crawl", key), prose(about)


def _replay_row(key: str) -> tuple[str, ...]:
    kinds = REPLAY_KEYS[key]
    several = kinds if isinstance(kinds, tuple) else (kinds,)
    takes = " or ".join(dict.fromkeys(_KINDS[kind] for kind in several if kind is not int))
    about = dict(docstring(api.replay).parameters).get(key, "")
    return code(key), takes or _KINDS[int], "-", _option("replay", key), prose(about)


def _option(command: str, key: str) -> str:
    found = dict(commands(tree()))[command]
    names = [option.opts[0] for option in options(found) if option.name == key]
    return code(names[0]) if names else "-"


def _value(default: object) -> str:
    if default is None or default is dataclasses.MISSING or default == ():
        return "-"
    if isinstance(default, str):
        return code(default)
    shown = str(default).lower() if isinstance(default, bool) else f"{default:,}"
    return code(shown.replace(",", "_"))
