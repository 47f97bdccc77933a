"""Which links of a web are training links, what they are worth, and what is told of the others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.web_building import Plant, at, moved, page, raw
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.strategies.weighted import TEXTS
from scenthound.tuning.collecting import KNOWN, MISSING, UNFETCHED, UNREADABLE
from scenthound.tuning.links import TrainingLink, TrainingLinks, kept_line
from scenthound.tuning.plan import LinkPlan
from scenthound.tuning.pre_crawl import links_of_archive
from tuning.link_making import STORMS, collected, hub, made_links, ways


def test_a_link_has_the_values_of_its_texts_and_the_relevance_of_its_target(plant: Plant) -> None:
    field = plant(
        page("/", ("/a", "storm"), ("/b", "cake"), text="home", title="storm"),
        page("/a", text="storm"),
        page("/b", text="cake"),
    )
    found = collected(field)
    assert found.links.names == TEXTS
    storm, cake = found.links.links
    full = storm.values[0]
    assert storm == TrainingLink(at("/"), at("/a"), "storm", (full, 1.0, 1.0, 1.0), 1.0)
    assert cake == TrainingLink(at("/"), at("/b"), "cake", (full, 1.0, 0.0, 0.0), 0.0)
    assert 0.0 < full < 1.0
    assert (found.links.topic, found.links.model) == ("storms", "vsm")


def test_links_stand_in_the_order_in_which_their_targets_were_fetched(plant: Plant) -> None:
    field = plant(
        page("/", "/a", "/b"), page("/a", "/c", text="a"), page("/b", "/d", text="b"),
        page("/c", text="c"), page("/d", text="d"),
    )  # fmt: skip
    found = collected(field)
    assert [way[:2] for way in ways(found)] == [
        ("/", "/a"),
        ("/", "/b"),
        ("/a", "/c"),
        ("/b", "/d"),
    ]
    assert found.fetched == 5


def test_there_is_one_link_a_target_the_first_that_led_there(plant: Plant) -> None:
    field = plant(
        page("/", ("/a", "one"), ("/b", "two"), ("/b", "storm")),
        page("/a", ("/b", "storm storm"), ("/", "home"), text="a"),
        page("/b", ("/a", "back"), text="b"),
    )
    assert ways(collected(field)) == [("/", "/a", "one"), ("/", "/b", "two")]


def test_seeds_are_given_and_no_links(plant: Plant) -> None:
    field = plant(page("/", "/s", "/a"), page("/s", "/a", text="s"), page("/a", text="a"))
    topic = replace(STORMS, seeds=(at("/"), at("/s")))
    assert [way[1] for way in ways(collected(field, topic))] == ["/a"]


def test_a_link_to_a_redirect_belongs_to_the_page_at_its_end(plant: Plant) -> None:
    field = plant(
        page("/", ("/old", "moved"), ("/new", "direct")),
        moved("/old", "/older"), moved("/older", "/new"), page("/new", text="storm"),
    )  # fmt: skip
    found = collected(field)
    assert ways(found) == [("/", "/new", "moved")]
    assert found.left_out == {}


def test_another_way_to_a_page_that_is_known_gives_no_second_link(plant: Plant) -> None:
    field = plant(
        page("/", ("/new", "direct"), ("/old", "moved"), ("/back", "home")),
        moved("/old", "/new"), moved("/back", "/"), page("/new", text="storm"),
    )  # fmt: skip
    found = collected(field)
    assert ways(found) == [("/", "/new", "direct")]
    assert found.left_out == {KNOWN: 2}


def test_targets_that_gave_no_link_are_counted_by_reason(plant: Plant) -> None:
    field = plant(
        page("/", "/gone", "/lost", "/err", "/picture", "/empty", "/a", "/b"),
        page("/err", status=500), raw("/picture", b"\x89PNG\x00\x00", "image/png"),
        raw("/empty", b""), page("/a", text="a"), page("/b", text="b"),
    )  # fmt: skip
    found = collected(field, links=1)
    assert found.left_out == {MISSING: 2, UNREADABLE: 3, UNFETCHED: 1}
    assert [way[1] for way in ways(found)] == ["/a"]


def test_seeds_that_are_missing_are_told_and_not_counted_as_links(plant: Plant) -> None:
    field = plant(page("/", "/a"), page("/a", text="a"))
    found = collected(field, replace(STORMS, seeds=(at("/nowhere"), at("/"))))
    assert found.left_out == {}
    assert "1 of 2 seeds are not in the archive" in field.warnings[0]


def test_the_crawl_ends_as_soon_as_there_are_enough(plant: Plant) -> None:
    field = plant(*hub(30))
    heard: list[tuple[int, int]] = []
    found = links_of_archive(
        field.archive, STORMS, LinkPlan("vsm", links=4), field.warnings.append,
        lambda done, wanted: heard.append((done, wanted)),
    )  # fmt: skip
    assert (len(found.links), found.wanted, found.fetched) == (4, 4, 5)
    assert found.left_out == {UNFETCHED: 27}
    assert heard == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
    assert field.warnings == []


def test_an_archive_that_is_too_small_says_how_many_there_were(plant: Plant) -> None:
    field = plant(page("/", "/a"), page("/a", text="a"))
    assert len(collected(field, links=50).links) == 1
    assert "gave 1 links of the 50 wanted" in field.warnings[-1]


def test_nothing_excluded_or_not_to_be_followed_is_fetched(plant: Plant) -> None:
    seed = raw("/", b"<a href=/a rel=nofollow>a</a><a href=/private/b>b</a><a href=/c>c</a>")
    others = [page(path, text="storm") for path in ("/a", "/private/b", "/c")]
    found = collected(plant(seed, *others), replace(STORMS, exclude=("*/private/*",)))
    assert [way[1] for way in ways(found)] == ["/c"]


def test_structure_adds_its_evidence(plant: Plant) -> None:
    field = plant(
        page("/", "/a", "/b", text="storm"), page("/a", "/b", text="cake"), page("/b", text="b"),
    )  # fmt: skip
    found = collected(field, structure=True)
    assert found.links.names == (*TEXTS, "host", "source", "inlinks")
    a, b = (link.values for link in found.links.links)
    assert a[-1] == 1 / 2 and b[-1] == 2 / 3  # of one page, of two
    assert a[5] == b[5] > 0.0  # the seed's relevance
    assert a[4] == pytest.approx(a[5])  # the host has given the seed alone


def test_the_same_archive_gives_the_same_links(plant: Plant) -> None:
    field = plant(*hub(12))
    for model in ("vsm", "soft-svsm", "soft-sdvsm"):
        assert collected(field, model=model) == collected(field, model=model)


def test_parameters_of_the_model_change_its_values(plant: Plant) -> None:
    field = plant(page("/", ("/a", "gale")), page("/a", text="storm"))
    strict = collected(field, model="soft-svsm", parameters={"floor": 1.0})
    lenient = collected(field, model="soft-svsm", parameters={"floor": 0.0, "power": 1})
    anchor = TEXTS.index("anchor")
    assert strict.links.links[0].values[anchor] < lenient.links.links[0].values[anchor]
    assert lenient.parameters == {"floor": 0.0, "power": 1.0}


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"model": "sosvsm"}, "unknown model 'sosvsm'"),
        ({"model": "vsm", "parameters": {"power": 2.0}}, "unknown key for model 'vsm'"),
        ({"links": 0}, "from 1 to 1,000,000, not 0"),
        ({"links": 10**7}, "from 1 to 1,000,000"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(plan: dict[str, object], said: str) -> None:
    with pytest.raises((SettingsError, UnknownNameError), match=said):
        LinkPlan(**plan)  # type: ignore[arg-type]


@pytest.mark.parametrize(("count", "train"), [(0, 0), (1, 1), (2, 1), (5, 3), (1000, 500)])
def test_the_first_half_trains_and_the_second_tests(count: int, train: int) -> None:
    links = made_links(count)
    assert (links.train, links.test) == (train, count - train)
    assert links.rows.shape == (count, 4) and links.targets.shape == (count,)


def test_a_split_of_ones_own_is_kept() -> None:
    links = replace(made_links(10), split=7)
    assert (links.train, links.test) == (7, 3)


def test_anchors_are_kept_as_one_harmless_line() -> None:
    assert kept_line("  a\n\tb\x1b[31m\x00c\u202e d ") == "a b [31m c d"
    assert kept_line("x" * 10_000) == "x" * 200
    assert kept_line("") == ""
    assert kept_line("\ud800") == ""


def test_links_compare_by_what_they_hold() -> None:
    assert TrainingLinks("t", "vsm", ("full",), ()) == TrainingLinks("t", "vsm", ("full",), ())
