"""Layouts: what a host puts around the text of its pages."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

META = '<meta http-equiv="Content-Type" content="text/html; charset={charset}">'


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page ready to be laid out; all but ``title`` and ``site`` is HTML already."""

    title: str
    site: str
    head: str
    navigation: list[str]
    blocks: list[str]
    aside: list[str]
    footer: list[str]


def lay_out(sheet: Sheet, skin: str) -> str:
    """The whole page in the manner of ``skin``."""
    title = escape(sheet.title, quote=False)
    site = escape(sheet.site, quote=False)
    body = _SKINS[skin].format(
        title=title,
        site=site,
        navigation=" | ".join(sheet.navigation),
        items="\n".join(f"<li>{item}</li>" for item in sheet.navigation),
        text="\n".join(sheet.blocks),
        aside="\n".join(f"<li>{item}</li>" for item in sheet.aside),
        footer=" &middot; ".join(sheet.footer),
    )
    head = f"<head>\n<title>{title} - {site}</title>\n{sheet.head}\n</head>"
    return f'<!DOCTYPE html>\n<html lang="en">\n{head}\n{body}\n</html>\n'


def print_version(sheet: Sheet) -> str:
    """The text alone, as print pages have it: nearly a duplicate."""
    title = escape(sheet.title, quote=False)
    text = "\n".join(sheet.blocks)
    return (
        f"<html>\n<head><title>Print: {title}</title></head>\n<body>\n<h1>{title}</h1>\n{text}\n"
        f"<p>Printed from {escape(sheet.site)}.</p>\n</body></html>\n"
    )


def break_markup(page: str, quirk: str) -> str:
    """Spoil the markup the way hand-written pages are spoiled."""
    if quirk == "unclosed":
        return page.replace("</p>", "").replace("</li>", "").replace("</body>", "")
    if quirk == "nested":
        return page.replace("<h1>", '<a name="top"><a href="#top"><h1><b><i>', 1)
    return page


_SKINS = {
    "wiki": """<body>
<div id="head"><a href="/">{site}</a></div>
<div id="content">
<h1>{title}</h1>
{text}
</div>
<div id="sidebar"><h4>Navigation</h4><ul>
{items}
</ul><h4>Elsewhere</h4><ul>
{aside}
</ul></div>
<div id="footer">{footer}</div>
</body>""",
    "plain": """<body>
<header><p>{site}</p><nav>{navigation}</nav></header>
<main>
<h1>{title}</h1>
{text}
</main>
<aside><h2>You may also like</h2><ul>
{aside}
</ul></aside>
<footer><p>{footer}</p></footer>
</body>""",
    "portal": """<body class="portal">
<div class="top"><span class="logo">{site}</span><ul class="menu">
{items}
</ul></div>
<div class="teasers"><h3>Most read</h3><ol>
{aside}
</ol></div>
<div class="story">
<h1>{title}</h1>
{text}
</div>
<div class="bottom">{footer}</div>
</body>""",
    "table": """<body bgcolor="#ffffff">
<table width="100%"><tr><td colspan="2"><font size="5">{site}</font></td></tr>
<tr><td valign="top" width="180"><small>{navigation}</small><ul>
{aside}
</ul></td>
<td valign="top"><h1>{title}</h1>
{text}
</td></tr></table>
<hr><center><small>{footer}</small></center>
</body>""",
}
