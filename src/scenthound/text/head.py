"""What the head of a page declares: title, description, robots, base, language."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

_REFRESH = re.compile(
    r"^\s*+[\d.]*+\s*+[;,]?+\s*+url\s*+=\s*+['\"]?+([^'\"]+)", re.IGNORECASE
)  # possessive: without the ``+`` a row of blanks takes cubic time


def squeeze(text: str) -> str:
    """``text`` with every run of white space made one space."""
    return " ".join(text.split())


class Head:
    """Title, meta data and base of a page."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        title = tree.css_first("title:not(svg *)")
        self.title = squeeze(title.text()) if title is not None else ""
        self.description = self.keywords = self.refresh = self.base = ""
        self.robots: frozenset[str] = frozenset()
        self.language: str | None = None
        for node in tree.css("meta[content], base[href], html[lang]"):
            self._read(node)

    def _read(self, node: LexborNode) -> None:
        attributes = node.attributes
        if node.tag == "html":
            self.language = (attributes.get("lang") or "").strip().lower()[:20] or None
        elif node.tag == "base":
            self.base = self.base or attributes.get("href") or ""
        else:
            self._meta(attributes)

    def _meta(self, attributes: dict[str, str | None]) -> None:
        content = attributes.get("content") or ""
        name = (attributes.get("name") or "").lower()
        if name == "description":
            self.description = self.description or squeeze(content)
        elif name == "keywords":
            self.keywords = squeeze(content.replace(",", " "))
        elif name == "robots":
            words = frozenset(re.split(r"[,\s]+", content.lower()))
            self.robots |= words | ({"nofollow", "noindex"} if "none" in words else set())
        elif (attributes.get("http-equiv") or "").lower() == "refresh":
            match = _REFRESH.match(content)
            self.refresh = match[1].strip() if match else ""
