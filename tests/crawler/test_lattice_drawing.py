"""Pictures of concept lattices."""

from __future__ import annotations

from pathlib import Path

import pytest

from papers.table_one import context_of, table_one
from scenthound.core.errors import InputError
from scenthound.output.lattice_drawing import draw_lattice, drawn_part, levels_of, places_of
from scenthound.papers.olmoaco.formal_context import FormalContext, concept_lattice

HOSTILE = ["$x^2$", "\\frac{", "a\x00b", "\u53f0\u98ce", "\u202egnp", "<svg>", "w" * 90, "\ud800"]


@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<?xml")])
def test_the_suffix_says_what_is_written(tmp_path: Path, suffix: str, start: bytes) -> None:
    for name in ("one", "two"):
        draw_lattice(concept_lattice(table_one()), tmp_path / f"{name}.{suffix}")
    written = (tmp_path / f"one.{suffix}").read_bytes()
    assert written.startswith(start)
    assert written == (tmp_path / f"two.{suffix}").read_bytes()


def test_terms_and_texts_are_in_the_picture(tmp_path: Path) -> None:
    draw_lattice(concept_lattice(table_one()), tmp_path / "lattice.svg", title="Table 1")
    picture = (tmp_path / "lattice.svg").read_text()
    for text in ("Table 1", "term 1", "term 6", "doc 1", "doc 5", "#3b6fb6"):
        assert text in picture


def test_levels_of_table_one() -> None:
    """Top, three single terms, four pairs of them, two texts, bottom."""
    lattice = concept_lattice(table_one())
    levels = levels_of(len(lattice.concepts), lattice.covers)
    assert [levels.count(level) for level in range(5)] == [1, 3, 4, 2, 1]


def test_places_are_apart_and_a_child_is_below_its_parent() -> None:
    lattice = concept_lattice(table_one())
    places = places_of(levels_of(len(lattice.concepts), lattice.covers), lattice.covers)
    assert len({tuple(place) for place in places.tolist()}) == len(lattice.concepts)
    assert all(places[upper, 1] > places[lower, 1] for upper, lower in lattice.covers)


def test_of_a_large_lattice_what_has_a_label_is_drawn() -> None:
    lattice = concept_lattice(table_one())
    concepts, covers = drawn_part(lattice, 10)
    assert len(concepts) == 9 and all(each.objects or each.attributes for each in concepts)
    pairs = {tuple(sorted((concepts[u].attributes, concepts[v].attributes))) for u, v in covers}
    assert ((0,), (5,)) in pairs
    assert len(drawn_part(lattice, 3)[0]) == 3
    assert drawn_part(lattice, 11) == (lattice.concepts, lattice.covers)


def test_any_name_can_be_drawn(tmp_path: Path) -> None:
    rows = ["".join("x" if j <= i else "." for j in range(len(HOSTILE))) for i in range(3)]
    context = context_of(rows, HOSTILE)
    named = FormalContext(tuple(HOSTILE[:3]), context.attributes, context.incidence)
    for name in ("hostile.svg", "hostile.png"):
        draw_lattice(concept_lattice(named), tmp_path / name, title=HOSTILE[0])
        assert (tmp_path / name).stat().st_size > 0
    assert "<svg>" not in (tmp_path / "hostile.svg").read_text()


def test_another_suffix_or_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    lattice = concept_lattice(table_one())
    with pytest.raises(InputError, match=r"cannot draw to .*\.gif; give a file name that ends in"):
        draw_lattice(lattice, tmp_path / "lattice.gif")
    with pytest.raises(InputError, match="give a path to write to"):
        draw_lattice(lattice, tmp_path / "missing" / "lattice.svg")
