"""The thirty hosts: what they are called, which themes they carry and which kinds of pages.

No topic has a host to itself and no host a single theme, so that a host name is never enough
to tell what a page is about.
"""

from __future__ import annotations

from dataclasses import dataclass

ALL = ("storms", "rainforest", "coffee", "programming", "big cats", "cars", "snakes", "astronomy")


@dataclass(frozen=True, slots=True)
class Host:
    """A host, its themes and page kinds. ``home`` is the topic of its homepage, if it has one."""

    name: str
    title: str
    themes: tuple[str, ...]
    kinds: tuple[str, ...]
    skin: str
    home: str | None = None


MIRROR = "www.openpedia.test"
MIRRORED = "openpedia.test"
SLOW = "slowlibrary.test"
TRAP = "townhall.test"
DIRECTORY = "linkatlas.test"
ENCYCLOPEDIA = MIRRORED

HOSTS = (
    Host("openpedia.test", "Openpedia", ALL, ("article",), "wiki"),
    Host(
        "fieldnotes.test",
        "Field Notes",
        ("rainforest", "big cats", "snakes", "storms", "astronomy", "cooking"),
        ("article", "blog"),
        "plain",
    ),
    Host(SLOW, "The Slow Library", (*ALL, "myth"), ("article", "faq"), "table"),
    Host(
        "dailycourier.test",
        "The Daily Courier",
        (*ALL, "town", "sports", "gossip"),
        ("news",),
        "portal",
    ),
    Host("forumplaza.test", "Forum Plaza", ALL, ("forum",), "table"),
    Host("bloghaven.test", "Blog Haven", (*ALL, "cooking", "gossip"), ("blog",), "plain"),
    Host(DIRECTORY, "Link Atlas", ALL, (), "table"),
    Host(
        "marketrow.test",
        "Market Row",
        ("coffee", "cars", "programming", "astronomy", "cooking"),
        ("faq", "news"),
        "portal",
    ),
    Host(
        "stormwatch.test",
        "Storm Watch",
        ("storms", "astronomy", "town"),
        ("news", "article", "faq"),
        "portal",
        "storms",
    ),
    Host(
        "skyalmanac.test",
        "Sky Almanac",
        ("storms", "astronomy", "myth"),
        ("article", "blog", "news"),
        "plain",
    ),
    Host(
        "canopyjournal.test",
        "Canopy Journal",
        ("rainforest", "big cats", "snakes"),
        ("news", "article", "blog"),
        "wiki",
        "rainforest",
    ),
    Host(
        "greenriver.test",
        "Green River",
        ("rainforest", "coffee", "town"),
        ("blog", "faq", "news"),
        "plain",
    ),
    Host(
        "beanledger.test",
        "The Bean Ledger",
        ("coffee", "cooking", "rainforest"),
        ("news", "faq", "article"),
        "portal",
        "coffee",
    ),
    Host(
        "morningcup.test",
        "Morning Cup",
        ("coffee", "programming", "gossip"),
        ("blog", "forum"),
        "plain",
    ),
    Host(
        "codeharbor.test",
        "Code Harbor",
        ("programming", "coffee", "sports"),
        ("article", "faq", "forum"),
        "wiki",
        "programming",
    ),
    Host(
        "byteworkshop.test",
        "Byte Workshop",
        ("programming", "astronomy", "cars"),
        ("blog", "news", "faq"),
        "portal",
    ),
    Host(
        "bigcatwatch.test",
        "Big Cat Watch",
        ("big cats", "rainforest", "sports"),
        ("news", "faq", "article"),
        "portal",
        "big cats",
    ),
    Host("wildpaws.test", "Wild Paws", ("big cats", "snakes"), ("forum", "blog", "faq"), "table"),
    Host(
        "enginebay.test",
        "Engine Bay",
        ("cars", "sports", "programming"),
        ("article", "forum", "news"),
        "table",
        "cars",
    ),
    Host(
        "classicgarage.test",
        "Classic Garage",
        ("cars", "town", "gossip"),
        ("blog", "faq", "news"),
        "plain",
    ),
    Host(
        "scalesandtails.test",
        "Scales and Tails",
        ("snakes", "rainforest", "cooking"),
        ("article", "faq", "news"),
        "wiki",
        "snakes",
    ),
    Host(
        "terrariumtalk.test",
        "Terrarium Talk",
        ("snakes", "rainforest", "big cats"),
        ("forum", "blog"),
        "table",
    ),
    Host(
        "starcharts.test",
        "Star Charts",
        ("astronomy", "myth", "gossip"),
        ("article", "faq", "news"),
        "wiki",
        "astronomy",
    ),
    Host("nightsky.test", "Night Sky", ("astronomy", "storms"), ("blog", "forum"), "plain"),
    Host("starlane.test", "Starlane", ("gossip", "sports", "cars"), ("news", "blog"), "portal"),
    Host(
        "kitchentable.test",
        "The Kitchen Table",
        ("cooking", "coffee", "town"),
        ("blog", "article", "news"),
        "plain",
    ),
    Host(
        "touchline.test",
        "Touchline",
        ("sports", "town", "cars", "storms"),
        ("news", "article", "blog"),
        "portal",
    ),
    Host(
        "mythlore.test",
        "Mythlore",
        ("myth", "gossip", "big cats", "snakes"),
        ("article", "news", "blog"),
        "wiki",
    ),
    Host(TRAP, "Town Hall", ("town", "sports"), ("article", "news"), "table"),
    Host(MIRROR, "Openpedia", (), (), "wiki"),
)


def host_named(name: str) -> Host:
    """The host called ``name``."""
    return next(host for host in HOSTS if host.name == name)
