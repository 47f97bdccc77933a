"""A figure as SVG: as a file of its own, and inside a page, where it follows light and dark."""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from scenthound.reporting.plot_style import GRID, INK, MUTED, OTHERS, PAPER, SERIES
from scenthound.reporting.visible_text import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_VARIABLES = {
    "#000000": "--ink", INK: "--ink", MUTED: "--muted", GRID: "--line", PAPER: "--paper",
    OTHERS: "--others",
    **{colour: f"--series-{place}" for place, colour in enumerate(SERIES, start=1)},
}  # fmt: skip
"""Colours that the style sheet of the page sets, for light, dark and print."""
_COLOUR = re.compile("|".join(_VARIABLES), re.IGNORECASE)
_STYLE = re.compile(r'style="[^"]*"')
_LEFT_OUT = re.compile(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->", re.DOTALL)
_EMPTY = re.compile(r"<defs>\s*</defs>\s*")
_TAG = re.compile(r"<[^>]*>")
_ID = re.compile(r'(\bid="|href="#|url\(#)([A-Za-z_][\w.-]*)')
_OPENING = re.compile(r"<svg\b[^>]*>", re.DOTALL)
_VIEW = re.compile(r'viewBox="[^"]*"')
_NUMBER = re.compile(r"(?<![\w#])-?\d+\.\d{3,}")


def svg_of(figure: Figure) -> bytes:
    """The figure as an SVG file: the same figure always gives the same bytes."""
    import matplotlib

    kept = io.BytesIO()
    with (
        warnings.catch_warnings(),
        # Text stays text, so that the reader's fonts show what ours lack.
        matplotlib.rc_context({"svg.hashsalt": "scenthound", "svg.fonttype": "none"}),
    ):
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(kept, format="svg", metadata={"Date": None, "Creator": None})
    return kept.getvalue()


def inline(svg: bytes, name: str, title: str, description: str) -> Markup:
    """The content of an SVG file as part of an HTML page.

    Parameters
    ----------
    svg : as :func:`svg_of` gives it.
    name : of the plot; the ids in the page begin with it, so that no two are the same.
    title, description : for those who cannot see it.
    """
    text = svg.decode("utf-8")
    body = _EMPTY.sub("", _LEFT_OUT.sub("", text[text.index("<svg") :]))
    opening = _OPENING.match(body)
    assert opening is not None, "matplotlib wrote no SVG"
    view = _VIEW.search(opening[0])
    inner = _TAG.sub(lambda tag: _tag(tag[0], name), body[opening.end() :])
    told = "".join(
        f'<{tag} id="{name}-{tag}">{escape(visible(words))}</{tag}>'
        for tag, words in (("title", title), ("desc", description))
    )
    head = (
        f'<svg class="plot" role="img" aria-labelledby="{name}-title {name}-desc" '
        f"{view[0] if view else ''}>"
    )
    return Markup(head + told + inner)


def _tag(tag: str, name: str) -> str:
    """What stands between tags are names of topics, which are left as they are."""
    own = _ID.sub(rf"\g<1>{name}-\g<2>", tag)
    return _NUMBER.sub(_shorter, _STYLE.sub(_themed, own))


def _themed(style: re.Match[str]) -> str:
    return _COLOUR.sub(lambda found: f"var({_VARIABLES[found[0].lower()]})", style[0])


def _shorter(number: re.Match[str]) -> str:
    """A hundredth of a point is finer than any screen."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
