"""The HTML of a page: what its head declares, and one walk over its tree for text, tag groups and
anchors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from scenthound.text.languages import single_language

OWN_NAME = "scenthound"
"""The name under which a page can speak to this crawler alone."""


_DECLARATIONS = 'meta[content], base[href], html[lang], head link[rel~="canonical" i][href]'

_RULES = frozenset({"nofollow", "noindex", "none"})

_REFRESH = re.compile(
    r"^\s*+[\d.]*+\s*+[;,]?+\s*+url\s*+=\s*+['\"]?+([^'\"]+)", re.IGNORECASE
)  # possessive: without the ``+`` a row of blanks takes cubic time


def collapse_whitespace(text: str) -> str:
    """``text`` with every run of white space made one space."""
    return " ".join(text.split())


class Head:
    """Title, meta data, base and canonical addresses (as written) of a page.

    ``robots`` are the rules for this crawler where the page names it, else those for all robots.
    """

    def __init__(self, tree: LexborHTMLParser) -> None:
        title = tree.css_first("title:not(svg *)")
        self.title = collapse_whitespace(title.text()) if title is not None else ""
        self.description = self.keywords = self.refresh = self.base = ""
        self.canonicals: list[str] = []
        self.language: str | None = None
        self._robots: dict[str, frozenset[str]] = {}
        for node in tree.css(_DECLARATIONS):
            self._read(node)
        self.robots = self._robots.get(OWN_NAME, self._robots.get("robots", frozenset()))

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
            self.description = self.description or collapse_whitespace(content)
        elif name == "keywords":
            self.keywords = collapse_whitespace(content.replace(",", " "))
        elif name in ("robots", OWN_NAME):
            words = _RULES.intersection(re.split(r"[,\s]+", content.lower()))
            both = {"nofollow", "noindex"} if "none" in words else set()
            self._robots[name] = self._robots.get(name, frozenset()) | words | both
        elif (equivalent := (attributes.get("http-equiv") or "").lower()) == "refresh":
            match = _REFRESH.match(content)
            self.refresh = match[1].strip() if match else ""
        elif equivalent == "content-language":
            self.language = self.language or single_language(content)


# One walk over the tree of a page: its text, its tag groups, its anchors by position.
#
# The text of the page is put together piece by piece, so that a link's anchor and the block
# around it are known as positions in that text. Tag groups (olmoaco section 3.2), from the
# highest: ``title`` (title, meta keywords and description, h1), ``heading`` (h2, h3),
# ``emphasis`` (h4 to h6, bold), ``body`` (running text), ``rest`` (what is not body: navigation,
# footers, asides, image alternatives). A text belongs to the highest group it is in, once;
# navigation stays ``rest`` whatever its tags.


GROUPS = ("title", "heading", "emphasis", "body", "rest")

MAX_LINKS = 10_000
"""Links read from one page; a page with more is a trap or a dump."""

MAX_HREFS = 2_000_000
"""Characters of those links together."""

ENOUGH_ALTERNATIVES = 5_000
"""With so many characters from its images an anchor takes no further ones."""

SURPLUS_EXAMPLES = 5


_TITLE, _HEADING, _EMPHASIS, _BODY, _REST = range(5)

_GROUP_OF = {
    "h1": _TITLE, "h2": _HEADING, "h3": _HEADING, "h4": _EMPHASIS, "h5": _EMPHASIS,
    "h6": _EMPHASIS, "b": _EMPHASIS, "strong": _EMPHASIS,
}  # fmt: skip

_MARGINS = frozenset({"nav", "footer", "aside"})

_UNREAD = frozenset(
    "script style noscript template svg math object canvas head title noframes".split()
)

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol option "
    "p pre section select summary table tbody td tfoot th thead tr ul".split()
)

_BREAKS = frozenset({"br", "hr", "img"})

_POINTERS = {"area": ("href", "alt"), "frame": ("src", "title"), "iframe": ("src", "title")}
"""Links that are no anchors: the attributes that hold their address and their words."""


@dataclass(slots=True)
class Anchor:
    """A link as met on the walk: positions in the text being put together."""

    href: str
    rel: str
    start: int
    end: int
    block: tuple[int, int] | None
    alternatives: str = ""


@dataclass(slots=True)
class _Open:
    """An element whose end matters: what to restore and to close when the walk leaves it."""

    node: LexborNode
    group: int
    anchor: Anchor | None = None
    block_start: int = -1
    first_waiting: int = 0
    outer: Anchor | None = None


class Walk:
    """Depth-first over the tree, in document order, with an end for every element."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.groups: list[list[str]] = [[] for _ in GROUPS]
        self.anchors: list[Anchor] = []
        self.surplus = 0
        self.surplus_examples: list[str] = []
        self._length = 0
        self._href_length = 0
        self._spaced = True
        self._group = self._last_group = _BODY
        self._anchor: Anchor | None = None
        self._waiting: list[Anchor] = []

    def over(self, root: LexborNode) -> None:
        """Visit every node below ``root``."""
        stack: list[_Open] = []
        node: LexborNode | None = root
        while node is not None:
            child = self._enter(node, stack)
            if child is not None:
                node = child
                continue
            while node is not None:
                if stack and stack[-1].node.mem_id == node.mem_id:
                    self._leave(stack.pop())
                following = node.next
                if following is not None:
                    node = following
                    break
                node = node.parent

    def _enter(self, node: LexborNode, stack: list[_Open]) -> LexborNode | None:
        """Read one node; gives its first child unless what is below is not to be read."""
        tag = node.tag
        if tag == "-text":
            self._text(node.text_content or "")
            return None
        if tag in _UNREAD or tag is None:
            return None
        if tag == "a":
            self._open_anchor(node, stack)
        elif tag in _BLOCKS or tag in _GROUP_OF:
            self._open_block(node, tag, stack)
        elif tag in _BREAKS:
            self._break(node, tag)
        elif tag in _POINTERS:
            self._point(node, *_POINTERS[tag])
            return None  # what is between the tags of a frame is its source, for no reader
        return node.first_child

    def _text(self, raw: str) -> None:
        words = raw.split()
        if not words:
            self._space(" ")
            return
        if raw[0].isspace():
            self._space(" ")
        piece = " ".join(words)
        self.pieces.append(piece)
        group = self._group
        if self._spaced or group != self._last_group:
            self.groups[group].append(" ")
            self._last_group = group
        self.groups[group].append(piece)
        self._length += len(piece)
        self._spaced = False
        if raw[-1].isspace():
            self._space(" ")

    def _space(self, space: str) -> None:
        if not self._spaced:
            self.pieces.append(space)
            self._length += 1
            self._spaced = True

    def _open_anchor(self, node: LexborNode, stack: list[_Open]) -> None:
        attributes = node.attributes
        href = attributes.get("href")
        if href is None or self._is_surplus(href):
            return
        anchor = Anchor(href, attributes.get("rel") or "", self._length, -1, None)
        self._add(anchor)
        stack.append(_Open(node, self._group, anchor, outer=self._anchor))
        self._anchor = anchor

    def _open_block(self, node: LexborNode, tag: str, stack: list[_Open]) -> None:
        opened = _Open(node, self._group)
        if tag in _BLOCKS:
            self._space("\n")
            opened.block_start = self._length
            opened.first_waiting = len(self._waiting)
        stack.append(opened)
        if tag in _MARGINS:
            self._group = _REST
        elif self._group != _REST:
            self._group = min(self._group, _GROUP_OF.get(tag, self._group))

    def _leave(self, opened: _Open) -> None:
        self._group = opened.group
        if opened.anchor is not None:
            opened.anchor.end = self._length
            self._anchor = opened.outer
        elif opened.block_start >= 0:
            span = (opened.block_start, self._length)
            # Anchors of blocks inside this one have left the list: theirs is the nearer block.
            for anchor in self._waiting[opened.first_waiting :]:
                anchor.block = span
            del self._waiting[opened.first_waiting :]
            self._space("\n")

    def _break(self, node: LexborNode, tag: str) -> None:
        if tag == "img":
            alternative = collapse_whitespace(node.attributes.get("alt") or "")
            if alternative:
                self.groups[_REST].append(f" {alternative} ")
                anchor = self._anchor
                if anchor is not None and len(anchor.alternatives) < ENOUGH_ALTERNATIVES:
                    anchor.alternatives += alternative + " "
        self._space(" ")

    def _point(self, node: LexborNode, address: str, words: str) -> None:
        attributes = node.attributes
        href, rel = attributes.get(address), attributes.get("rel") or ""
        if href and not self._is_surplus(href):
            label = collapse_whitespace(attributes.get(words) or "")
            self._add(Anchor(href, rel, self._length, self._length, None, label))

    def _is_surplus(self, href: str) -> bool:
        """Has the page enough links? Then this one is only counted."""
        self._href_length += len(href)
        if len(self.anchors) < MAX_LINKS and self._href_length <= MAX_HREFS:
            return False
        self.surplus += 1
        if len(self.surplus_examples) < SURPLUS_EXAMPLES:
            self.surplus_examples.append(href)
        return True

    def _add(self, anchor: Anchor) -> None:
        self.anchors.append(anchor)
        self._waiting.append(anchor)
