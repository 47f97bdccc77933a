"""One walk over the tree of a page: its text, its tag groups, its anchors by position.

The text of the page is put together piece by piece, so that a link's anchor and the block
around it are known as positions in that text. Tag groups (olmoaco section 3.2), from the
highest: ``title`` (title, meta keywords and description, h1), ``heading`` (h2, h3),
``emphasis`` (h4 to h6, bold), ``body`` (running text), ``rest`` (what is not body:
navigation, footers, asides, image alternatives). A text belongs to the highest group it is
in, once; navigation stays ``rest`` whatever its tags.
"""

from __future__ import annotations

from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from scenthound.text.head import squeeze

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
    {
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "math",
        "object",
        "canvas",
        "head",
        "title",
        "noframes",
    }
)
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol option "
    "p pre section select summary table tbody td tfoot th thead tr ul".split()
)
_BREAKS = frozenset({"br", "hr", "img"})
_FRAMES = frozenset({"frame", "iframe"})


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
        elif tag == "area" or tag in _FRAMES:
            self._point(node, tag)
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
            alternative = squeeze(node.attributes.get("alt") or "")
            if alternative:
                self.groups[_REST].append(f" {alternative} ")
                anchor = self._anchor
                if anchor is not None and len(anchor.alternatives) < ENOUGH_ALTERNATIVES:
                    anchor.alternatives += alternative + " "
        self._space(" ")

    def _point(self, node: LexborNode, tag: str) -> None:
        attributes = node.attributes
        href = attributes.get("href" if tag == "area" else "src")
        if href and not self._is_surplus(href):
            label = attributes.get("alt" if tag == "area" else "title") or ""
            here = self._length
            self._add(Anchor(href, attributes.get("rel") or "", here, here, None, squeeze(label)))

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
