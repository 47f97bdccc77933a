"""HTML to what a focused crawler reads: title, tag groups, visible text, links with anchors and
contexts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode
from w3lib.encoding import html_body_declared_encoding, html_to_unicode, http_content_type_encoding

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Document, Link
from scenthound.core.urls import DEFAULT_PORTS, BaseUrl, is_media, tidy
from scenthound.text.nesting import FORMATTING, MAX_DEPTH, cut_where_costly

# Bytes to text.

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


SMALL_PAGE, FEW_TAGS, FEW_FORMATS = 128 * 1024, 2_000, 200
"""A page within these limits takes about a second at worst, so it is not looked at."""
_FORMAT = re.compile(rf"<(?:{'|'.join(sorted(FORMATTING))})[ \t\n\f\r/>]", re.IGNORECASE)


def limit_nesting(html: str) -> str:
    """``html``, cut where it is too costly for an HTML parser; ordinary pages come back unread."""
    # In the worst case a page within these limits is parsed at once; its tags are not read.
    count = html.count("<")
    is_small = len(html) <= SMALL_PAGE and count <= MAX_DEPTH
    if is_small and (count <= FEW_TAGS or len(_FORMAT.findall(html)) <= FEW_FORMATS):
        return html
    return cut_where_costly(html)


# What the head of a page declares.

OWN_NAME = "scenthound"
"""The name under which a page can speak to this crawler alone."""
_DECLARATIONS = 'meta[content], base[href], html[lang], head link[rel~="canonical" i][href]'
_RULES = frozenset({"nofollow", "noindex", "none"})
_REFRESH = re.compile(
    r"^\s*+[\d.]*+\s*+[;,]?+\s*+url\s*+=\s*+['\"]?+([^'\"]+)", re.IGNORECASE
)  # possessive: without the ``+`` a row of blanks takes cubic time
_LONGEST_LANGUAGE = 20
"""Characters of a declaration that are kept."""


def single_language(declared: str) -> str | None:
    """What a page or a header declares, in lower case; None for nothing and for several."""
    code = declared.strip().lower()[:_LONGEST_LANGUAGE]
    return None if "," in code else code or None


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


# Links.

CONTEXT_CHARACTERS = 250
"""A context reaches at most this far on either side of its anchor, within its block."""
ANCHOR_CHARACTERS = 5_000
"""Kept of an anchor: links that stand in links would each repeat the rest of the page."""
MAX_EXAMPLES = 5
_SPACE = re.compile(r"[ \n]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")


def base_of(url: str, declared: str) -> BaseUrl:
    """What relative links of the page at ``url`` refer to; ``declared`` is its base tag."""
    here = BaseUrl(url)
    if not declared:
        return here
    try:
        return BaseUrl(here.resolve(declared))
    except MalformedUrlError:
        return here


def links_of(
    anchors: list[Anchor], text: str, base: BaseUrl
) -> tuple[tuple[Link, ...], dict[str, tuple[int, tuple[str, ...]]]]:
    """The links among ``anchors``, and a count with examples of those that can be none."""
    links: list[Link] = []
    unusable: dict[str, list[str]] = {}
    for anchor in anchors:
        href = tidy(anchor.href)
        target, reason = _target(href, base)
        if reason:
            unusable.setdefault(reason, []).append(href[:200])
        else:
            links.append(_link(anchor, target, text))
    counted = {r: (len(e), tuple(e[:MAX_EXAMPLES])) for r, e in unusable.items()}
    return tuple(links), counted


def _link(anchor: Anchor, target: str, text: str) -> Link:
    end = max(anchor.start, min(anchor.end, anchor.start + ANCHOR_CHARACTERS))
    words = text[anchor.start : end].strip()
    if anchor.alternatives:
        words = f"{words} {anchor.alternatives}".strip()
    context = _context(text, anchor.start, end, anchor.block)
    rel = frozenset(anchor.rel.lower().split()) if anchor.rel else frozenset()
    return Link(target, words, context, rel)


def _context(text: str, start: int, end: int, block: tuple[int, int] | None) -> str:
    """Words of the block around an anchor, at whole words, the anchor left in."""
    first, last = block if block is not None else (0, len(text))
    if start - first > CONTEXT_CHARACTERS:
        space = _SPACE.search(text, start - CONTEXT_CHARACTERS, start)
        first = space.end() if space else start
    if last - end > CONTEXT_CHARACTERS:
        reach = end + CONTEXT_CHARACTERS
        last = max(end, text.rfind(" ", end, reach), text.rfind("\n", end, reach))
    return text[first:last].strip()


def _target(href: str, base: BaseUrl) -> tuple[str, str]:
    """Where ``href`` leads, or an empty text and why it can lead to no page."""
    if not href or href.startswith("#"):
        return "", "same page"
    scheme = _SCHEME.match(href)
    if scheme and scheme[1].lower() not in DEFAULT_PORTS:
        return "", "other scheme"
    try:
        target = base.resolve(href)
    except MalformedUrlError:
        return "", "malformed"
    return ("", "media") if is_media(target) else (target, "")


# The extraction of a page.

MAX_TEXT = 1_000_000
"""Characters kept of the text of a page, and of each tag group: more is a dump, no page."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one page says and where it points.

    ``follow`` and ``index`` are its robots meta; ``canonical`` is the address it wants to be
    known by, if it names exactly one. ``cut`` says that it was nested too deep, or too tangled,
    to be read to its end.
    """

    document: Document
    links: tuple[Link, ...] = ()
    unusable: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    follow: bool = True
    index: bool = True
    canonical: str | None = None
    cut: bool = False


def extract(body: bytes, url: str, content_type: str = "") -> Extraction:
    """Read the page ``body`` found at the canonical ``url``.

    An empty, binary or unreadable body gives an empty document without links; nothing a
    page contains makes this raise. Of the text and of each group :data:`MAX_TEXT` characters
    are kept, to the last blank; links that stand further down are still links.
    """
    if not body or not is_text(body, content_type):
        return Extraction(Document())
    text = decode(body, content_type)
    if media_type(content_type) == "text/plain":
        kept = _cut(text)
        return Extraction(Document(text=kept, groups={"body": kept}))
    return extract_html(text, url)


def extract_html(html: str, url: str) -> Extraction:
    """Read already decoded ``html``; see :func:`extract`."""
    whole = html.replace("\x00", "")
    parsed = limit_nesting(whole)
    tree = LexborHTMLParser(parsed)
    head = Head(tree)
    walk = Walk()
    if tree.root is not None:
        walk.over(tree.root)
    if head.refresh:
        walk.anchors.append(Anchor(head.refresh, "", 0, 0, (0, 0)))
    text = "".join(walk.pieces)
    base = base_of(url, head.base)
    links, unusable = links_of(walk.anchors, text, base)
    if walk.surplus:
        unusable["too many links"] = (walk.surplus, tuple(walk.surplus_examples))
    return Extraction(
        _document(head, walk, text.strip()),
        links,
        unusable,
        follow="nofollow" not in head.robots,
        index="noindex" not in head.robots,
        canonical=_canonical(head.canonicals, base),
        cut=len(parsed) < len(whole),
    )


def _canonical(declared: list[str], base: BaseUrl) -> str | None:
    """The one address a page declares as its own; None for none, a malformed one, or several."""
    try:
        found = {base.resolve(href) for href in declared if href.strip()}
    except MalformedUrlError:
        return None
    return found.pop() if len(found) == 1 else None


def _document(head: Head, walk: Walk, text: str) -> Document:
    groups = {
        name: _cut("".join(pieces).strip())
        for name, pieces in zip(GROUPS, walk.groups, strict=True)
    }
    title = head.title or collapse_whitespace(groups["title"])[:200]
    declared = f"{head.title} {head.keywords} {head.description}"
    groups["title"] = _cut(collapse_whitespace(f"{declared} {groups['title']}"))
    return Document(_cut(title), _cut(text), _cut(head.description), groups, head.language)


def _cut(text: str) -> str:
    """``text`` up to the last blank within :data:`MAX_TEXT`; one endless word is cut in two."""
    if len(text) <= MAX_TEXT:
        return text
    blank = max(text.rfind(" ", 0, MAX_TEXT + 1), text.rfind("\n", 0, MAX_TEXT + 1))
    return text[: blank if blank > 0 else MAX_TEXT].rstrip()
