"""A page that a browser had to show: both are in the WARC file, and the shown one is read back."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.core.errors import FolderError
from scenthound.store.exchange import Position
from scenthound.store.segments import segment_path
from scenthound.store.warc import WarcWriter
from scenthound.store.warc_reading import read_position
from store.warc_making import ABOUT, check, exchange, records

SHOWN = "<h1>Stürme</h1>\r\n\r\n<p>WARC/1.1".encode()
LARGE = random.Random(0).randbytes(3_000_000)
"""It does not become smaller: reading it takes several pieces."""


def written(folder: Path, *rendered: bytes | None) -> list[Position]:
    writer = WarcWriter.open(folder, None, ABOUT)
    positions = [
        writer.write(replace(exchange(n), rendered=each), [("page", str(n))])
        for n, each in enumerate(rendered, start=1)
    ]
    writer.close()
    return positions


def test_the_records_and_how_they_belong_together(tmp_path: Path) -> None:
    written(tmp_path, SHOWN)
    info, response, shown, request, metadata = records(segment_path(tmp_path, 1))
    assert [info.kind, response.kind, shown.kind] == ["warcinfo", "response", "conversion"]
    assert [request.kind, metadata.kind] == ["request", "metadata"]
    assert response.content == exchange().body
    assert shown.content == SHOWN
    assert shown.warc["WARC-Refers-To"] == response.warc["WARC-Record-ID"]
    assert shown.warc["WARC-Target-URI"] == response.warc["WARC-Target-URI"]
    assert shown.warc["Content-Type"] == "text/html; charset=utf-8"
    assert check(tmp_path) == 0


@pytest.mark.parametrize("shown", [SHOWN, b"", LARGE], ids=["page", "empty", "large"])
def test_what_was_shown_is_read_back_with_headers_that_fit(tmp_path: Path, shown: bytes) -> None:
    folder = tmp_path
    positions = written(folder, None, shown, None)
    plain, page, last = (read_position(folder, each) for each in positions)
    assert (page.body, page.rendered) == (shown, True)
    assert page.headers == {"content-type": "text/html; charset=utf-8", "server": "x"}
    assert (plain.body, plain.rendered) == (exchange().body, False)
    assert (last.body, last.rendered) == (exchange().body, False)


def test_a_file_that_was_cut_in_it_is_told(tmp_path: Path) -> None:
    (position,) = written(tmp_path, LARGE)
    path = segment_path(tmp_path, 1)
    path.write_bytes(path.read_bytes()[: position.offset + position.length + 1_000_000])
    with pytest.raises(FolderError, match="the file was changed"):
        read_position(tmp_path, position)
