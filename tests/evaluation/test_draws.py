"""Seeds and example pages that are drawn, and the pages that can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from crawler.web_building import at
from evaluation.grid_web import path_of, small_web
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.evaluation.worker import PAPER_SEED_COUNT, ArchivePages, draw_topic
from scenthound.storage.archive import Archive, open_archive


def urls(kind: str, count: int) -> list[str]:
    return [f"http://{kind}.test/{number}" for number in range(count)]


class Pages(ArchivePages):
    """So many pages of either kind; addresses in ``unfit`` cannot be drawn."""

    def __init__(self, labelled: int, others: int, unfit: Sequence[str] = ()) -> None:
        self._good, self._bad = urls("good", labelled), urls("bad", others)
        self._unfit = set(unfit)

    def labelled(self) -> list[str]:
        return self._good

    @property
    def others(self) -> list[str]:
        return self._bad

    def page(self, url: str) -> str | None:
        return None if url in self._unfit else url

    start = page


TOPIC = Topic("storms", ("storm",), tuple(urls("seed", 3)), tuple(urls("example", 4)))
MANY = Pages(50, 50)


def test_the_first_draw_keeps_the_examples_and_given_seeds() -> None:
    assert draw_topic(TOPIC, MANY, "given", 0) == TOPIC
    for seeds, kind in (("relevant", "good"), ("irrelevant", "bad")):
        drawn = draw_topic(TOPIC, MANY, seeds, 0)
        assert drawn.examples == TOPIC.examples and len(set(drawn.seeds)) == 3
        assert all(url.startswith(f"http://{kind}.test/") for url in drawn.seeds)
    drawn = draw_topic(Topic("storms", ("storm",)), MANY, "irrelevant", 1)
    assert len(drawn.seeds) == PAPER_SEED_COUNT and drawn.examples == ()
    for seeds in ("given", "relevant", "irrelevant"):
        with pytest.raises(SettingsError, match="has no page"):
            draw_topic(replace(TOPIC, examples=()), Pages(0, 0), seeds, 1)


def test_later_draws_draw_as_many_as_the_file_has() -> None:
    for seeds in ("given", "relevant", "irrelevant"):
        draws = [draw_topic(TOPIC, MANY, seeds, number) for number in (1, 2, 3)]
        for drawn in draws:
            assert len(set(drawn.seeds)) == 3 and len(set(drawn.examples)) == 4
            assert set(drawn.seeds).isdisjoint(drawn.examples)
            assert set(drawn.examples) <= set(urls("good", 50))
            assert (drawn.name, drawn.keywords) == (TOPIC.name, TOPIC.keywords)
        assert len({drawn.seeds for drawn in draws}) == 3
        examples = [draw_topic(TOPIC, MANY, "given", number).examples for number in (1, 2, 3)]
        assert [drawn.examples for drawn in draws] == examples, "they do not depend on the seeds"
        assert len(set(examples)) == 3


@pytest.fixture
def archive(folder: Path, tmp_path: Path) -> Iterator[Archive]:
    with open_archive(folder / "small.warc.gz", cache=tmp_path) as opened:
        yield opened


def test_a_label_on_a_redirect_is_one_on_its_page_and_seeds_lead_on(
    folder: Path, archive: Archive
) -> None:
    web = small_web(folder)
    assert web.labels is not None
    pages = ArchivePages(archive, web.topic("storms"), web.labels)
    target = at(path_of("storms", 3))
    assert at("/old-storm.html") in pages.labelled() and target not in pages.labelled()
    assert pages.page(at("/old-storm.html")) == target
    assert target not in pages.others and at(path_of("coffee", 3)) in pages.others
    assert pages.start(at(path_of("town", 1))) == at(path_of("town", 1))
    assert pages.start(at("/empty.html")) is None
    assert pages.start(at("/old-storm.html")) is None, "a redirect is no page"
    assert pages.page(at("/nowhere.html")) is None
