"""The libraries that ontologies are learnt with, and how they are brought."""

from __future__ import annotations

from importlib.util import find_spec

from scenthound.core.errors import SettingsError

INSTALL = "pip install 'scenthound[ontology]'"
"""The command that brings the extra."""
_LIBRARIES = {"sklearn": "scikit-learn", "efficient_apriori": "efficient-apriori"}


def require_learning() -> None:
    """SettingsError where a library is missing; none is loaded, which takes a second."""
    for module, name in _LIBRARIES.items():
        if find_spec(module) is None:
            raise SettingsError(
                f"the topic names no ontology, and learning one needs {name}; install it with: "
                f"{INSTALL}."
            )
