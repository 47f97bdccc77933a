"""A report as HTML: one file that asks nobody for anything, and trusts nothing that was crawled."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from scenthound.reporting.document import Document
from scenthound.reporting.visible_text import cut, visible, web_address

GENERATOR = "Scenthound report"
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
"""Content security policy: no script runs and nothing is loaded, whatever a page smuggled in."""


def rendered(document: Document, pictures: Mapping[str, Markup]) -> str:
    """The HTML of a report.

    Parameters
    ----------
    document : what it holds.
    pictures : its plots as inline SVG, by name.
    """
    return (
        _environment()
        .get_template("report.html")
        .render(
            document=document,
            pictures=pictures,
            policy=POLICY,
            generator=GENERATOR,
            version=version("scenthound"),
        )
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("scenthound.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_seen,
    )
    environment.filters["cut"] = cut
    environment.filters["web_address"] = web_address
    environment.filters["figure"] = lambda value, digits=4: f"{value:.{digits}f}"
    return environment


def _seen(value: object) -> object:
    """Whatever is put into the page: a text has nothing invisible in it."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
