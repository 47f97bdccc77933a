"""What is written can be read back, and is the same byte for byte."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from sample.sample_once import sample_web
from scenthound.core.model import Topic
from scenthound.sample import SampleWeb, build, write_labels, write_topics, write_warc


@pytest.fixture(scope="module")
def warc(web: SampleWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample web as an archive."""
    path = tmp_path_factory.mktemp("warc") / "sample.warc.gz"
    write_warc(web, path)
    return path


def test_warc_holds_every_response(web: SampleWeb, warc: Path) -> None:
    found = {}
    with warc.open("rb") as stream:
        for record in ArchiveIterator(stream):
            assert record.rec_type == "response"
            url = record.rec_headers.get_header("WARC-Target-URI")
            status = int(record.http_headers.get_statuscode())
            found[url] = (status, record.content_stream().read())
    assert found == {url: (r.status, r.body) for url, r in web.responses.items()}


def test_warc_keeps_redirects(web: SampleWeb, warc: Path) -> None:
    with warc.open("rb") as stream:
        locations = [r.http_headers.get_header("Location") for r in ArchiveIterator(stream)]
    assert len([x for x in locations if x]) == sum(
        response.header("Location") is not None for response in web.responses.values()
    )


def test_warc_is_the_same_byte_for_byte(web: SampleWeb, warc: Path, tmp_path: Path) -> None:
    again, other = tmp_path / "again.warc.gz", tmp_path / "other.warc.gz"
    write_warc(build(web.seed), again)
    write_warc(sample_web(web.seed + 1), other)
    assert again.read_bytes() == warc.read_bytes()
    assert other.read_bytes() != warc.read_bytes()


def test_warc_is_small(warc: Path) -> None:
    assert warc.stat().st_size < 5_000_000


def test_topics_can_be_read_back(web: SampleWeb, tmp_path: Path) -> None:
    paths = write_topics(web, tmp_path / "topics")
    read = [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths]
    assert [Topic(**values) for values in read] == list(web.topics)
    assert [set(values) for values in read] == [{"name", "keywords", "seeds", "examples"}] * 8


def test_labels_are_sorted_lines(web: SampleWeb, tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    write_labels(web, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    assert dict(line.split("\t") for line in lines) == web.labels
