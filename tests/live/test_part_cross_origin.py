"""What a page may read of another origin: what that one lets it, as in any browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from live.script_web import SCRIPT, XHR, Web, data, moved
from scenthound.live.cross_origin import closed, may_read

OTHER = "http://b.test/data"
MODULE = {"origin": "http://a.test"}


@pytest.mark.parametrize(
    ("allows", "may"),
    [("*", True), (" http://a.test ", True), ("", False), ("http://b.test", False),
     ("null", False), ("http://a.test, *", False), ("http://a.test.evil.test", False)],
)  # fmt: skip
def test_who_may_read(allows: str, may: bool) -> None:
    assert may_read("http://a.test", {"access-control-allow-origin": allows}) is may


def test_an_answer_that_names_nobody_is_for_its_own_origin() -> None:
    own = {"access-control-allow-origin": "http://b.test:8080", "x-a": "b"}
    assert closed("http://b.test:8080/data?x", {"x-a": "b"}) == own
    said = {"access-control-allow-origin": "*"}
    assert closed("http://b.test/", said) == said


@pytest.mark.parametrize("kind", ["fetch", "xhr"])
def test_data_of_another_origin_is_given_where_it_says_so(kind: str) -> None:
    wanted = replace(XHR, url=OTHER, kind=kind)
    assert Web(data(OTHER)).fetch(wanted) == [None]
    assert Web(data(OTHER, Access_Control_Allow_Origin="*")).fetch(wanted) != [None]
    assert Web(data()).fetch(replace(XHR, kind=kind)) != [None]  # its own


@pytest.mark.parametrize("url", ["https://a.test/data", "http://a.test:8080/data"])
def test_another_scheme_or_port_is_another_origin(url: str) -> None:
    assert Web(data(url)).fetch(replace(XHR, url=url)) == [None]
    assert Web(moved(XHR.url, url), data(url, Access_Control_Allow_Origin="*")).fetch(XHR) == [None]


def test_a_script_is_run_from_anywhere_and_a_module_only_where_it_says_so() -> None:
    script = replace(SCRIPT, url=OTHER)
    module = replace(script, headers=MODULE)
    assert Web(data(OTHER)).fetch(script) != [None]
    assert Web(data(OTHER)).fetch(module) == [None]
    assert Web(data(OTHER, Access_Control_Allow_Origin="http://a.test")).fetch(module) != [None]


def test_a_module_that_moves_elsewhere_is_not_its_own_any_more() -> None:
    module = replace(SCRIPT, headers=MODULE)
    assert Web(moved(SCRIPT.url, OTHER), data(OTHER)).fetch(module) == [None]
    open_to_all = data(OTHER, Access_Control_Allow_Origin="*")
    assert Web(moved(SCRIPT.url, OTHER), open_to_all).fetch(module) != [None]


def test_a_frame_that_stands_for_nobody_reads_nothing_of_the_page_either() -> None:
    assert Web(data()).fetch(replace(XHR, headers={"origin": "null"})) == [None]
