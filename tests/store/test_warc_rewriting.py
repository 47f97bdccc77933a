"""Records taken apart, and made anew with other numbers or with a body."""

from __future__ import annotations

import io
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from warcio.archiveiterator import ArchiveIterator

from scenthound.store.warc_records import page_records
from scenthound.store.warc_rewriting import (
    METADATA,
    fields_in,
    opened,
    opened_text,
    renumbered,
    restored,
)
from store.warc_making import AT, check, exchange, records

NEW = UUID(int=7)
FIELDS = [
    ("page", "3"), ("linkedFromPage", "2 0.5"), ("linkedFromPage", "1 None"), ("priority", "1"),
    ("page", "of a book"),
]  # fmt: skip


def members(content: bytes) -> list[bytes]:
    """The records of a page one by one: each is a gzip member."""
    starts = []
    with io.BytesIO(content) as file:
        iterator = ArchiveIterator(file)
        for _ in iterator:
            starts.append(iterator.get_record_offset())
    return [content[a:b] for a, b in zip(starts, [*starts[1:], len(content)], strict=True)]


def test_numbers_in_metadata() -> None:
    _, others = page_records(exchange(), FIELDS, None, uuid4)
    metadata = opened(members(others)[-1])
    changed = opened(renumbered(metadata, lambda n: 10 * n, lambda: NEW))
    assert changed.kind == metadata.kind == METADATA
    assert list(fields_in(changed.block)) == [
        ("page", "30"), ("linkedFromPage", "20 0.5"), ("linkedFromPage", "10 None"),
        ("priority", "1"), ("page", "of a book"),
    ]  # fmt: skip
    before, after = dict(metadata.headers), dict(changed.headers)
    differ = {name for name in before if before[name] != after[name]}
    assert differ == {"WARC-Record-ID", "WARC-Block-Digest", "Content-Length"}
    assert after["WARC-Record-ID"] == f"<{NEW.urn}>" and list(before) == list(after)


def test_a_copy_with_the_body_of_its_original(tmp_path: Path) -> None:
    original, _ = page_records(exchange(1), [], None, uuid4)
    copy, others = page_records(exchange(2), [], ("http://a.test/1?q=storm", AT), uuid4)
    whole = restored(opened(copy), opened(original))
    path = tmp_path / "pages-00001.warc.gz"
    path.write_bytes(original + whole + others)
    first, second, *_ = records(path)
    assert (second.kind, second.content) == ("response", first.content)
    assert second.warc["WARC-Target-URI"] == "http://a.test/2?q=storm"
    assert second.warc["WARC-Payload-Digest"] == first.warc["WARC-Payload-Digest"]
    assert second.warc["WARC-Record-ID"] == dict(opened(copy).headers)["WARC-Record-ID"]
    assert not {name for name in second.warc if name.startswith(("WARC-Refers", "WARC-Profile"))}
    assert check(tmp_path) == 0


@pytest.mark.parametrize(
    "record",
    [b"", b"WARC/1.1\r\n\r\n", b"WARC/1.1\r\nContent-Length: 9\r\n\r\nabc", b"x\r\n\r\nabc"],
)
def test_what_is_no_record(record: bytes) -> None:
    with pytest.raises(ValueError, match="no WARC record"):
        opened_text(record)


def test_what_is_not_compressed() -> None:
    with pytest.raises(ValueError):
        opened(b"WARC/1.1\r\nContent-Length: 0\r\n\r\n")
