"""A calendar that always has a next month."""

from __future__ import annotations

import random

from scenthound.core.urls import canonical
from scenthound.sample.hosts import TRAP
from scenthound.sample.pages import Leaf
from scenthound.sample.response import Response, answer

MONTHS = 80
FIRST_YEAR = 2016
NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
EVENTS = (
    "Open council meeting", "Choir practice", "Flea market", "Blood donation", "Chess night",
    "Hedge cutting day", "Book sale", "Bicycle check", "Senior citizens' tea", "Lantern walk",
)  # fmt: skip


def month_address(index: int) -> str:
    """Address of the month ``index`` months after the first; any index is possible."""
    year, month = divmod(index, 12)
    return canonical(f"http://{TRAP}/calendar?month={FIRST_YEAR + year}-{month + 1:02}")


def calendar_pages(notices: list[Leaf], rng: random.Random) -> list[Response]:
    """The months that exist; the first and the last link to months that do not."""
    return [answer(month_address(index), _month(index, notices, rng)) for index in range(MONTHS)]


def _month(index: int, notices: list[Leaf], rng: random.Random) -> str:
    year, month = divmod(index, 12)
    name = f"{NAMES[month]} {FIRST_YEAR + year}"
    days = sorted(rng.sample(range(1, 29), 5))
    events = "\n".join(f"<li>{day} {NAMES[month]}: {rng.choice(EVENTS)}</li>" for day in days)
    notice = rng.choice(notices)
    return (
        f"<html><head><title>Calendar: {name}</title></head><body>\n"
        f'<p><a href="{month_address(index - 1)}">previous month</a> | '
        f'<a href="{month_address(index + 1)}">next month</a> | '
        f'<a href="?month={FIRST_YEAR + year + 1}-{month + 1:02}">next year</a></p>\n'
        f"<h1>{name}</h1>\n<ul>\n{events}\n</ul>\n"
        f'<p>See also: <a href="{notice.url}">{notice.title}</a></p>\n</body></html>\n'
    )
