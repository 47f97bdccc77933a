"""Write the sample web down in the formats every crawl can read."""

from __future__ import annotations

import json
import uuid
from io import BytesIO
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from scenthound.core.model import Topic
from scenthound.sample.web import Response, SampleWeb

DATE = "2024-01-01T00:00:00Z"
REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 404: "Not Found", 500: "Error"}


def write_warc(web: SampleWeb, path: Path) -> None:
    """One gzipped WARC 1.1 response record for each response.

    Dates and record identifiers follow from the seed, so the file is the same byte for byte
    whenever it is written.
    """
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True, warc_version="WARC/1.1")
        for response in web.responses.values():
            record = writer.create_warc_record(
                response.url,
                "response",
                payload=BytesIO(response.body),
                length=len(response.body),  # without it warcio leaves temporary files open
                http_headers=_status_line(response),
                warc_headers_dict={
                    "WARC-Record-ID": _record_id(web.seed, response.url),
                    "WARC-Date": DATE,
                },
            )
            writer.write_record(record)


def _status_line(response: Response) -> StatusAndHeaders:
    status = f"{response.status} {REASONS[response.status]}"
    return StatusAndHeaders(status, list(response.headers), protocol="HTTP/1.1")


def _record_id(seed: int, url: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{seed} {url}')}>"


def write_topics(web: SampleWeb, folder: Path) -> list[Path]:
    """One TOML file for each topic; returns their paths in the order of the topics."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for topic in web.topics:
        path = folder / f"{topic.name.replace(' ', '-')}.toml"
        path.write_text(_toml(topic), encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


def _toml(topic: Topic) -> str:
    lists = (
        ("keywords", topic.keywords),
        ("seeds", topic.seeds),
        ("examples", topic.examples),
    )
    return f"name = {_text(topic.name)}\n" + "".join(_array(name, vs) for name, vs in lists)


def _array(name: str, values: tuple[str, ...]) -> str:
    lines = "".join(f"    {_text(value)},\n" for value in values)
    return f"{name} = [\n{lines}]\n"


def _text(value: str) -> str:
    """A TOML basic string: JSON writes the same escapes."""
    return json.dumps(value, ensure_ascii=False)


def write_labels(web: SampleWeb, path: Path) -> None:
    """A line ``URL<TAB>topic`` for each labelled page, sorted."""
    lines = sorted(f"{url}\t{topic}\n" for url, topic in web.labels.items())
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
