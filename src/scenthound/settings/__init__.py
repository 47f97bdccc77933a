"""One TOML file, and ``--set TABLE.KEY=VALUE``, mapped to the parts.

A settings file has a table for replays, one for live crawls, one for every chosen strategy at
once, and one for each strategy by name. Replays pass over ``[crawl]`` and crawls over
``[replay]``::

    [replay]
    budget = "2x"
    random_seed = 7

    [crawl]             # the fields of CrawlOptions
    max_pages = 5000
    max_time = "2h"
    delay = 1.5
    include = ["*/news/*", "*storm*"]

    [strategy]          # for each strategy of the run that has the key
    decay = 0.4

    [shark]             # for one of them
    anchor_weight = 0.9
"""

from scenthound.settings.assignments import CRAWL
from scenthound.settings.keys import BESIDE_OPTIONS, INLINKS, WEIGHTS, WORDNET, CrawlValue
from scenthound.settings.reading import (
    REPLAY,
    Given,
    Settings,
    option_values,
    read_settings,
)

__all__ = [
    "BESIDE_OPTIONS",
    "CRAWL",
    "INLINKS",
    "REPLAY",
    "WEIGHTS",
    "WORDNET",
    "CrawlValue",
    "Given",
    "Settings",
    "option_values",
    "read_settings",
]
