"""Where the Scrapy add-on was in version 0.1: settings of projects name it by its path."""

import sys
import warnings

from scenthound import scrapy

warnings.warn(
    "scenthound.live.addon has moved: write scenthound.scrapy in its place.",
    DeprecationWarning,
    stacklevel=2,
)
# ``scenthound.live.addon.FocusedCrawl`` in ADDONS is loaded as a module of this one.
sys.modules["scenthound.live.addon"] = scrapy
__path__: list[str] = []
