"""The events of a journal, each as the line that the code writes for an example."""

from __future__ import annotations

import json
from typing import Protocol

from tools.reference.docstrings import parse_docstring
from tools.reference.markdown import prose

from scenthound.core import events
from scenthound.core.events import DroppedLinks, Json, Summary
from scenthound.core.model import Inlink, Part, Score


class Event(Protocol):
    """What the journal takes."""

    def to_json(self) -> Json:
        """The line."""


_URL = "http://stormwatch.test/surge.html"
_SUMMARY = Summary(fetched=7, relevant=3, similarity=1.9, waiting=240)


def examples() -> list[Event]:
    """One event of each kind."""
    return [
        events.StartedEvent(0.0, "storms", "vsm", 100, ("http://stormwatch.test/",), 0.1),
        _page(),
        events.MissingEvent(3, ("http://elsewhere.test/",)),
        events.RedirectEvent("http://stormwatch.test/old", _URL),
        events.RejectedEvent(7.5, "http://stormwatch.test/login", "robots.txt"),
        events.FailedEvent(8.0, "http://slow.test/", "timeout", 1, 38.0),
        events.DroppedEvent(12, "host budget"),
        events.RevisedEvent(8.5, 250, {"full": 0.31, "anchor": 0.42}, 204),
        events.ControlEvent(9.0, "paused", 100),
        events.StoppedEvent(60.0, "budget spent", _SUMMARY),
    ]


def _page() -> events.PageEvent:
    parts = (Part("full", 0.21, 0.5), Part("anchor", 0.44, 0.5))
    inlink = Inlink(3, Score(0.33, parts), "storm surge")
    return events.PageEvent(
        n=7,
        at=7.0,
        url=_URL,
        status=200,
        title="Storm surge",
        depth=2,
        priority=0.325,
        parts=parts,
        inlinks=(inlink,),
        linked_from=2,
        similarity=0.41,
        relevant=True,
        links=24,
        new=9,
        rescored=4,
        closed=8,
        repeated=3,
        drops=DroppedLinks({"media": (2, (f"{_URL}.png",))}),
        redirects=(),
        summary=_SUMMARY,
    )


def page() -> str:
    """A section for each kind."""
    return "\n".join(_section(event) for event in examples())


def _section(event: Event) -> str:
    name = type(event).__name__.removesuffix("Event").lower()
    line = json.dumps(event.to_json(), indent=1, ensure_ascii=False)
    return f"## {name}\n\n{prose(parse_docstring(type(event)).text)}\n\n```json\n{line}\n```\n"
