"""Human labels: which pages are about which topic. Read for evaluation, never by a strategy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from scenthound.core.errors import LabelsError, MalformedUrlError, UnknownNameError
from scenthound.core.urls import canonical


class Labels:
    """Labelled pages by topic; a page may belong to several topics."""

    def __init__(self, pages: Mapping[str, frozenset[str]], source: str) -> None:
        self._pages = pages
        self._source = source

    @property
    def file(self) -> Path | None:
        """The file they were read from, by its whole path; None where there is none."""
        path = Path(self._source)
        return path.resolve() if path.is_file() else None

    def of(self, topic: str) -> frozenset[str]:
        """Canonical URLs of the topic's pages; LabelsError if the file has none."""
        if topic not in self._pages:
            hint = UnknownNameError("topic", topic, self._pages)
            raise LabelsError(f"labels file {self._source} has no page for this topic: {hint}")
        return self._pages[topic]


def read_labels(path: str | Path) -> Labels:
    """A file of lines ``URL <tab> topic``; empty lines and lines that start with # are passed."""
    path = Path(path)
    pages: dict[str, set[str]] = {}
    for number, line in _lines(path):
        url, tab, topic = line.partition("\t")
        if not tab or not topic.strip() or "\t" in topic.strip():
            raise LabelsError(f"labels file {path}, line {number}: expected URL, tab, topic.")
        try:
            pages.setdefault(topic.strip(), set()).add(canonical(url))
        except MalformedUrlError as error:
            raise LabelsError(f"labels file {path}, line {number}: {error}.") from None
    if not pages:
        raise LabelsError(f"labels file {path} is empty; give lines of URL, tab, topic.")
    return Labels({topic: frozenset(urls) for topic, urls in pages.items()}, str(path))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise LabelsError(f"labels file {path}: {error.strerror}; give its path.") from None
    except UnicodeDecodeError:
        raise LabelsError(f"labels file {path} is not UTF-8 text.") from None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line
