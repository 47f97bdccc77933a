"""What a crawler meets in the sample web besides pages: copies, errors, redirects, files, frames,
hostile markup and a calendar without end.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from html import escape

from scenthound.core.urls import canonical
from scenthound.sample.plan import Plan, PlannedPage
from scenthound.sample.responses import Response, make_response, redirect
from scenthound.sample.themes import (
    MIRROR,
    MIRRORED,
    TRAP,
    WORDS,
    Target,
    data_bytes,
    data_text,
    slug,
)

MIRRORED_PAGES = 24
SECOND_URLS = 14
PRINT_VERSIONS = 20


@dataclass(frozen=True, slots=True)
class Copy:
    """A second address of ``original``; a print version has the text without the surroundings."""

    url: str
    original: PlannedPage
    printed: bool = False

    @property
    def target(self) -> Target:
        """The link that leads here."""
        words = "Print version" if self.printed else self.original.title
        return Target(self.url, words)


def plan_copies(plan: Plan, rng: random.Random) -> list[Copy]:
    """Copies of open pages only: a copy must not become a way into a bridged cluster."""
    able = [leaf for leaf in plan.leaves.values() if leaf.open and leaf.subject]
    mirrored = [leaf for leaf in able if leaf.host == MIRRORED]
    return [
        Copy(f"http://{MIRROR}/", plan.leaves[f"http://{MIRRORED}/"]),
        *(
            Copy(leaf.url.replace(f"//{MIRRORED}/", f"//{MIRROR}/"), leaf)
            for leaf in rng.sample(mirrored, MIRRORED_PAGES)
        ),
        *(Copy(_with(leaf.url, "ref=rss"), leaf) for leaf in rng.sample(able, SECOND_URLS)),
        *(
            Copy(_with(leaf.url, "print=1"), leaf, True)
            for leaf in rng.sample(able, PRINT_VERSIONS)
        ),
    ]


def _with(url: str, query: str) -> str:
    return canonical(f"{url}{'&' if '?' in url else '?'}{query}")


# A calendar that always has a next month.

MONTHS = 80
FIRST_YEAR = 2016


def month_url(index: int) -> str:
    """Address of the month ``index`` months after the first; any index is possible."""
    year, month = divmod(index, 12)
    return canonical(f"http://{TRAP}/calendar?month={FIRST_YEAR + year}-{month + 1:02}")


def calendar_pages(notices: list[PlannedPage], rng: random.Random) -> list[Response]:
    """The months that exist; the first and the last link to months that do not."""
    return [make_response(month_url(index), _month(index, notices, rng)) for index in range(MONTHS)]


def _month(index: int, notices: list[PlannedPage], rng: random.Random) -> str:
    year, month = divmod(index, 12)
    name = WORDS["months"][month]
    days = sorted(rng.sample(range(1, 29), 5))
    return data_text("month.html").format(
        name=f"{name} {FIRST_YEAR + year}",
        before=month_url(index - 1),
        after=month_url(index + 1),
        next_year=f"{FIRST_YEAR + year + 1}-{month + 1:02}",
        events="\n".join(f"<li>{day} {name}: {rng.choice(WORDS['events'])}</li>" for day in days),
        notice=rng.choice(notices),
    )


# Redirects, errors, files, and pages that test a parser.

HUGE_SIZE = 3_000_000
DANGLING = 24


def moved_pages(
    leaves: list[PlannedPage], rng: random.Random
) -> tuple[list[Response], list[Target]]:
    """Old addresses that redirect to pages, and the links people still make to them."""
    responses: list[Response] = []
    targets: list[Target] = []
    for index, leaf in enumerate(leaves):
        old = canonical(f"http://{leaf.host}/old/{slug(leaf.title)}-{index}")
        status = rng.choice((301, 301, 302))
        where = leaf.url if index % 3 else leaf.url.removeprefix(f"http://{leaf.host}")
        responses.append(redirect(old, where, status))
        targets.append(Target(old, leaf.title))
        if index < 3:
            older = canonical(f"http://{leaf.host}/older/{index}")
            responses.append(redirect(older, old, 302))
            targets.append(Target(older, leaf.title))
    return responses, targets


def oddities(leaves: list[PlannedPage], rng: random.Random) -> list[Response]:
    """A redirect loop, errors, files that are no pages, and pages that test a parser."""
    register = _register(rng)
    linked = rng.sample(leaves, 6)
    frames = "".join(f'<frame src="{leaf.url}">' for leaf in linked[:2])
    areas = "".join(
        f'<area shape="rect" coords="{10 * i},0,{10 * i + 9},9" alt="{escape(leaf.title)}" '
        f'href="{leaf.url}">'
        for i, leaf in enumerate(linked)
    )
    written = {
        "register.html": register.encode(),
        "frames.html": data_text("frames.html").rstrip("\n").format(frames=frames).encode(),
        "map.html": data_text("map.html").rstrip("\n").format(areas=areas).encode(),
    }
    made = []
    for line in data_text("oddities.txt").splitlines()[2:]:
        status, url, body, kind = line.split(" ", 3)
        if status.startswith("3"):
            made.append(redirect(url, body, int(status)))
        else:
            raw = written[body] if body in written else data_bytes(body)
            made.append(make_response(url, raw, kind, int(status)))
    return made


def dangling(rng: random.Random) -> list[Target]:
    """Links to pages that do not exist at all."""
    words = ("Jaguar care", "Python tricks", "Java at home", "Storm songs", "Amazon trip")
    return [
        Target(
            canonical(f"http://{rng.choice(WORDS['error_hosts'])}/lost/{n}.html"), rng.choice(words)
        )
        for n in range(DANGLING)
    ]


def link_to(response: Response) -> Target:
    """A link that says little about what it leads to."""
    return Target(response.url, response.url.rsplit("/", 1)[-1] or "page")


def _register(rng: random.Random) -> str:
    """The rain gauge of one station, hour by hour for decades: a very long page."""
    lines = [
        "<html><head><title>Station register</title></head><body><h1>Station register</h1><pre>"
    ]
    size = 0
    while size < HUGE_SIZE:
        hour, rain, pressure = len(lines) - 1, max(0, rng.randint(-30, 9)), rng.randint(0, 3)
        line = f"hour {hour:06} pressure 10{pressure}0 rain {rain} mm wind calm observer 4"
        lines.append(line)
        size += len(line) + 1
    lines.append('</pre><a href="/">Storm Watch</a></body></html>')
    return "\n".join(lines)
