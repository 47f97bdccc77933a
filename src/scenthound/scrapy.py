"""The Scrapy add-on: a focused crawl inside any Scrapy project.

    ADDONS = {"scenthound.scrapy.FocusedCrawl": 500}

``docs/howto/scrapy.md`` has the settings. The parts are in :mod:`scenthound.crawler.scrapy_addon`.
"""

from scenthound.crawler.scrapy_addon.addon import FocusedCrawl
from scenthound.crawler.scrapy_addon.middleware import ScoringMiddleware
from scenthound.crawler.scrapy_addon.scheduler import BestFirstScheduler

__all__ = ["BestFirstScheduler", "FocusedCrawl", "ScoringMiddleware"]
