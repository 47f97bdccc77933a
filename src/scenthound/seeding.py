"""Where search providers were in version 0.1: plug-ins import from ``scenthound.seeding.found``."""

import sys
import warnings
from types import ModuleType

from scenthound.crawler.seeds.search import SearchError, SearchProvider, SearchResult

warnings.warn(
    "scenthound.seeding.found has moved: import SearchResult (it was Found) and SearchError from "
    "scenthound.crawler.seeds.search.",
    DeprecationWarning,
    stacklevel=2,
)
_found = ModuleType("scenthound.seeding.found")
vars(_found).update(Found=SearchResult, SearchError=SearchError, SearchProvider=SearchProvider)
sys.modules[_found.__name__] = _found
__path__: list[str] = []
