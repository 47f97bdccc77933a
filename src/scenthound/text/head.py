"""What the head of a page declares: title, description, robots, canonical, base, language."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scenthound.text.codes import single_language

OWN_NAME = "scenthound"
"""The name under which a page can speak to this crawler alone."""

_DECLARATIONS = 'meta[content], base[href], html[lang], head link[rel~="canonical" i][href]'
_RULES = frozenset({"nofollow", "noindex", "none"})
_REFRESH = re.compile(
    r"^\s*+[\d.]*+\s*+[;,]?+\s*+url\s*+=\s*+['\"]?+([^'\"]+)", re.IGNORECASE
)  # possessive: without the ``+`` a row of blanks takes cubic time


def squeeze(text: str) -> str:
    """``text`` with every run of white space made one space."""
    return " ".join(text.split())


class Head:
    """Title, meta data, base and canonical addresses (as written) of a page.

    ``robots`` is what the page says to robots; where it names us, what it says to us.
    """

    def __init__(self, tree: LexborHTMLParser) -> None:
        title = tree.css_first("title:not(svg *)")
        self.title = squeeze(title.text()) if title is not None else ""
        self.description = self.keywords = self.refresh = self.base = ""
        self.canonicals: list[str] = []
        self.language: str | None = None
        self._said: dict[str, frozenset[str]] = {}
        for node in tree.css(_DECLARATIONS):
            self._read(node)
        self.robots = self._said.get(OWN_NAME, self._said.get("robots", frozenset()))

    def _read(self, node: LexborNode) -> None:
        attributes = node.attributes
        if node.tag == "html":
            self.language = single_language(attributes.get("lang") or "") or self.language
        elif node.tag == "base":
            self.base = self.base or attributes.get("href") or ""
        elif node.tag == "link":
            self.canonicals.append(attributes.get("href") or "")
        else:
            self._meta(attributes)

    def _meta(self, attributes: dict[str, str | None]) -> None:
        content = attributes.get("content") or ""
        name = (attributes.get("name") or "").lower()
        if name == "description":
            self.description = self.description or squeeze(content)
        elif name == "keywords":
            self.keywords = squeeze(content.replace(",", " "))
        elif name in ("robots", OWN_NAME):
            words = _RULES.intersection(re.split(r"[,\s]+", content.lower()))
            both = {"nofollow", "noindex"} if "none" in words else set()
            self._said[name] = self._said.get(name, frozenset()) | words | both
        else:
            self._http_equivalent((attributes.get("http-equiv") or "").lower(), content)

    def _http_equivalent(self, name: str, content: str) -> None:
        if name == "refresh":
            match = _REFRESH.match(content)
            self.refresh = match[1].strip() if match else ""
        elif name == "content-language":
            self.language = self.language or single_language(content)
