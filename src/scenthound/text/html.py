"""HTML: bytes to text, a guard against markup that is too costly to parse, what the head declares,
and one walk over the tree for text, tag groups and anchors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode
from w3lib.encoding import html_body_declared_encoding, html_to_unicode, http_content_type_encoding

from scenthound.text.languages import single_language

MAX_BYTES = 10 * 1024 * 1024
_SNIFFED = 1024
_NOT_OF_THE_WEB = {"unicode-escape", "raw-unicode-escape", "punycode", "idna", "utf-7"}
"""Codecs of Python that no browser knows: a page that names one means something else."""
_DIRTY = 0.05
"""Control bytes among the first of a page that calls itself HTML; media have twice as many."""
_CONTROL_BYTES = bytes(set(range(0x20)) - set(b"\t\n\f\r\x1b")) + b"\x7f"
_MARKUP = re.compile(
    rb"<(?:!doctype|!--|html|head|title|meta|link|body|div|p|a|h[1-6]|table|ul|br|span)[\s>/-]",
    re.IGNORECASE,
)
_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_TEXT_TYPES = (*_HTML_TYPES, "text/plain", "text/xml", "application/xml")
_MEDIA_SIGNATURES = (
    b"%PDF-", b"%!PS", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b",
)  # fmt: skip


def is_text(body: bytes, content_type: str) -> bool:
    """Can ``body`` hold a page? Says no to media, declared or not, and to NUL bytes.

    A few NUL bytes in what is declared as HTML and has tags are dirt.
    """
    declared = media_type(content_type)
    if (declared and declared not in _TEXT_TYPES) or body.startswith(_MEDIA_SIGNATURES):
        return False
    if b"\x00" not in body[:_SNIFFED] or body.startswith(_BYTE_ORDER_MARKS):
        return True
    # Tags, and hardly any control bytes: no picture has both.
    start = body[:_SNIFFED]
    dirt = len(start) - len(start.translate(None, _CONTROL_BYTES))
    is_html = declared in _HTML_TYPES and _MARKUP.search(start) is not None
    return is_html and dirt <= _DIRTY * len(start)


def media_type(content_type: str) -> str:
    """``text/html`` of ``Text/HTML; charset=x``; empty where the header names no type."""
    first = re.split(r"[;,]", content_type, maxsplit=1)[0].strip().lower()
    return first if "/" in first else ""


def decode(body: bytes, content_type: str = "") -> str:
    """Text of ``body``: byte order mark, then HTTP header, then meta tag, then UTF-8, cp1252.

    Never raises: what cannot be decoded becomes U+FFFD. At most :data:`MAX_BYTES` are read.
    """
    body = body[:MAX_BYTES]
    try:
        if body.isascii() and b"\x1b" not in body:
            return body.decode("ascii")
        declared = {http_content_type_encoding(content_type), html_body_declared_encoding(body)}
        if declared & _NOT_OF_THE_WEB:
            return body.decode(_guess(body), "replace")
        return str(html_to_unicode(content_type or None, body, auto_detect_fun=_guess)[1])
    except (LookupError, ValueError):
        return body.decode("utf-8", "replace")


def _guess(body: bytes) -> str:
    """UTF-8 where the bytes are, otherwise windows-1252: what browsers assume."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A multi-byte character cut at the size limit is still UTF-8.
        return "utf-8" if error.start >= len(body) - 3 else "cp1252"
    return "utf-8"


# The tags of a page in order, without comments and scripts, and without building a tree.

_BLANK = r"[ \t\n\f\r]"
_NAME = r"[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+"
_VALUE = rf"(?:{_BLANK}*+={_BLANK}*+(?:\"[^\"]*+\"?|'[^']*+'?|[^ \t\n\f\r>\"'][^ \t\n\f\r>]*+)?)?"
ATTRIBUTE_NAME = re.compile(rf"({_NAME}){_VALUE}")
"""Finds the names of the attributes in the ``rest`` of a tag."""
_TAG_OR_COMMENT = re.compile(
    r"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|(/?)([a-zA-Z][^ \t\n\f\r/>]*+)((?:[ \t\n\f\r/]++|{_NAME}{_VALUE})*+)"
    r"|(?:[!?]|/[^a-zA-Z])[^>]*+)",
    re.DOTALL,
)  # possessive, so that the whole page is read once, whatever stands in it
_RAW = {
    name: re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE)
    for name in "script style textarea title xmp iframe noembed noframes".split()
}
"""Elements that hold no tags, and how they end."""
_NOT_RAW_INSIDE = frozenset({"svg", "math", "select"})


class Tag(NamedTuple):
    """A tag: where it begins, its name in lower case, and what stands behind the name."""

    start: int
    name: str
    is_end: bool
    rest: str


def tags(html: str) -> Iterator[Tag]:
    """Every tag of ``html``; an empty page has none.

    Comments, scripts and other raw text are passed over. In doubt, as inside drawings, what
    may be no tag is taken for one.
    """
    at = foreign = 0
    while found := _TAG_OR_COMMENT.search(html, at):
        at = found.end()
        if found[2] is None:
            continue
        tag = Tag(found.start(), found[2].lower(), found[1] == "/", found[3])
        yield tag
        if tag.name in _NOT_RAW_INSIDE:
            foreign = max(0, foreign - 1) if tag.is_end else foreign + 1
        elif tag.name in _RAW and not tag.is_end and not foreign:
            end = _RAW[tag.name].search(html, at)
            at = end.start() if end else len(html)


# A guard against pages on which any HTML parser takes quadratic time.
#
# Such pages are nested very deep, or have thousands of names, of attributes in one tag, of
# choices in one list, or formatting that is never closed, which the parser repeats in every
# block. The guard counts what a parser would have to do and cuts the page where that is too much,
# at a million tags at the latest.

MAX_DEPTH = 5_000
MAX_STEPS = 400_000_000
"""Comparisons that a parser may have to make for one page: about a second."""
SMALL_PAGE, FEW_TAGS, FEW_FORMATS = 128 * 1024, 2_000, 200
"""A page within these limits takes about a second at worst, so it is not looked at."""
_NEVER_NESTED = frozenset(
    "br hr img input meta link area base col embed source track wbr p li td th tr dt dd option "
    "script style body html head".split()
)
_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_FORMAT = re.compile(rf"<(?:{'|'.join(sorted(_FORMATTING))})[ \t\n\f\r/>]", re.IGNORECASE)
_MERGED = frozenset({"html", "body"})
_DRAWN = frozenset(
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan stop image "
    "lineargradient radialgradient clippath mask pattern marker animate filter".split()
)
_COST_OF_TAG, _COST_OF_ELEMENT, _COST_OF_OPTION = 400, 500, 4
_NAMES_PER_STEP = 4
_MAX_EQUAL_FORMATS = 3
_COMPARED_FORMATS = 64
"""Open formats compared with a new one: all of an honest page, and never too many."""


def limit_nesting(html: str) -> str:
    """``html``, cut where it would nest or cost beyond :data:`MAX_DEPTH`, :data:`MAX_STEPS`.

    Ordinary pages, which are small and have few tags, come back unread. Tags that close
    each other (``p``, ``li``, table cells) do not count as nesting.
    """
    # In the worst case a page within these limits is parsed at once; its tags are not read.
    count = html.count("<")
    is_small = len(html) <= SMALL_PAGE and count <= MAX_DEPTH
    if is_small and (count <= FEW_TAGS or len(_FORMAT.findall(html)) <= FEW_FORMATS):
        return html
    work = _Work()
    for tag in tags(html):
        work.add(tag)
        if work.depth > MAX_DEPTH or work.steps > MAX_STEPS:
            return html[: tag.start]
    return html


class _Work:
    """What a parser has done up to a tag: elements open, comparisons made."""

    def __init__(self) -> None:
        self.depth = self.steps = 0
        self._formats = 0
        """Formatting that is open: of equal tags a parser repeats at most three."""
        self._open_formats: dict[str, list[str]] = {}
        self._names: set[str] = set()
        self._merged = self._options = 0
        self._in_drawing = False

    def add(self, tag: Tag) -> None:
        """Count one more tag."""
        name = tag.name
        self.steps += self.depth + _COST_OF_TAG
        self._meet([name])
        if tag.rest:
            self._attributes(tag)
        if name in _FORMATTING:
            self._format(tag)
        else:
            self.steps += self._formats * _COST_OF_ELEMENT
        if name == "option":
            self._options += 1
            self.steps += self._options * _COST_OF_OPTION
        self._nest(tag)

    def _meet(self, names: list[str]) -> None:
        """A parser keeps names in a table of fixed size: each new one takes longer."""
        known = len(self._names)
        self._names.update(names)
        fresh = len(self._names) - known
        if fresh:
            self.steps += fresh * len(self._names) // _NAMES_PER_STEP

    def _attributes(self, tag: Tag) -> None:
        """Each attribute is compared with all others of its element."""
        names = ATTRIBUTE_NAME.findall(tag.rest)
        others = len(names)
        if tag.name in _MERGED:  # all tags of the body add to the one body
            self._merged += len(names)
            others = self._merged
        self.steps += len(names) * others
        self._meet(names)

    def _nest(self, tag: Tag) -> None:
        if tag.name == "svg":
            self._in_drawing = not tag.is_end
        elif tag.name not in _DRAWN:
            self._in_drawing = False
        if tag.name in _NEVER_NESTED or (self._in_drawing and tag.rest.endswith("/")):
            return
        self.depth = max(0, self.depth - 1) if tag.is_end else self.depth + 1

    def _format(self, tag: Tag) -> None:
        """Open what ``tag`` opens, or close the last of its name."""
        opened = self._open_formats.setdefault(tag.name, [])
        if not tag.is_end:
            if opened[-_COMPARED_FORMATS:].count(tag.rest) < _MAX_EQUAL_FORMATS:
                opened.append(tag.rest)
                self._formats += 1
        elif opened:
            opened.pop()
            self._formats -= 1


# What the head of a page declares.

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
            attributes = node.attributes
            if node.tag == "html":
                self.language = single_language(attributes.get("lang") or "") or self.language
            elif node.tag == "base":
                self.base = self.base or attributes.get("href") or ""
            elif node.tag == "link":
                self.canonicals.append(attributes.get("href") or "")
            else:
                self._meta(attributes)
        self.robots = self._robots.get(OWN_NAME, self._robots.get("robots", frozenset()))

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
    """A link as the walk finds it: positions in the text being put together."""

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
        self.anchors.append(anchor)
        self._waiting.append(anchor)
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
            anchor = Anchor(href, rel, self._length, self._length, None, label)
            self.anchors.append(anchor)
            self._waiting.append(anchor)

    def _is_surplus(self, href: str) -> bool:
        """Has the page enough links? Then this one is only counted."""
        self._href_length += len(href)
        if len(self.anchors) < MAX_LINKS and self._href_length <= MAX_HREFS:
            return False
        self.surplus += 1
        if len(self.surplus_examples) < SURPLUS_EXAMPLES:
            self.surplus_examples.append(href[:200])
        return True
