"""The themes of the sample web, written by hand: eight topics and five kinds of noise."""

from __future__ import annotations

from scenthound.sample.theme import Theme, read_theme
from scenthound.sample.themes import (
    astronomy,
    bigcats,
    cars,
    coffee,
    cooking,
    gossip,
    myth,
    programming,
    rainforest,
    snakes,
    sports,
    storms,
    town,
)


def topic_themes() -> tuple[Theme, ...]:
    """The themes a crawl can be about."""
    return (
        read_theme("storms", storms.TEXT),
        read_theme("rainforest", rainforest.TEXT),
        read_theme("coffee", coffee.TEXT),
        read_theme("programming", programming.TEXT),
        read_theme("big cats", bigcats.TEXT),
        read_theme("cars", cars.TEXT),
        read_theme("snakes", snakes.TEXT),
        read_theme("astronomy", astronomy.TEXT),
    )


def noise_themes() -> tuple[Theme, ...]:
    """The themes no topic asks for."""
    return (
        read_theme("town", town.TEXT),
        read_theme("cooking", cooking.TEXT),
        read_theme("sports", sports.TEXT),
        read_theme("gossip", gossip.TEXT),
        read_theme("myth", myth.TEXT),
    )
