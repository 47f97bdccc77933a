""""""

from __future__ import annotations

import gzip
from itertools import pairwise

from scenthound.crawler.sitemaps import MAX_XML_BYTES, Entry, Sitemap, decompress, read_sitemap

PLAIN = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
  <url><loc> http://a.test/1 </loc><lastmod>2024-05-31</lastmod></url>
  <url><news:news><news:title>Typhoon near</news:title></news:news><loc>http://a.test/2</loc></url>
  <url><lastmod>2024</lastmod></url>
</urlset>"""
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY f SYSTEM "file:///etc/hostname">'
    + "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise("abcdefghi"))
    + "]><urlset><url><loc>http://a.test/&i;</loc></url>"
    '<url x="&i;"><loc>http://a.test/&f;</loc></url></urlset>'
)


def urls(body: bytes) -> list[str]:
    return [entry.url for entry in read_sitemap(body).pages]


def test_pages_with_dates_and_news_titles() -> None:
    assert read_sitemap(PLAIN.encode()).pages == (
        Entry("http://a.test/1", modified="2024-05-31"),
        Entry("http://a.test/2", "Typhoon near"),
    )


def test_an_index_lists_sitemaps() -> None:
    body = b"<sitemapindex><sitemap><loc>http://a.test/s.xml</loc></sitemap></sitemapindex>"
    assert read_sitemap(body) == Sitemap(sitemaps=(Entry("http://a.test/s.xml"),))


def test_any_encoding_packed_or_not() -> None:
    for encoding in ("utf-8-sig", "utf-16", "iso-8859-1"):
        name = encoding.removesuffix("-sig")
        page = "<url><loc>http://a.test/é</loc></url>"
        body = f'<?xml version="1.0" encoding="{name}"?><urlset>{page}</urlset>'.encode(encoding)
        assert urls(body) == urls(gzip.compress(body)) == ["http://a.test/é"]


def test_addresses_as_sites_write_them() -> None:
    lines = b"\xef\xbb\xbfhttp://a.test/1\r\njunk\n HTTPS://a.test/2 \n"
    assert urls(lines) == ["http://a.test/1", "HTTPS://a.test/2"]
    bare_ampersands = b"<urlset><url><loc>http://a.test/?a=1&b=2&amp;c=3</loc></url></urlset>"
    assert urls(bare_ampersands) == ["http://a.test/?a=1&b=2&c=3"]


def test_what_is_broken_is_read_as_far_as_it_goes() -> None:
    broken = PLAIN.replace("</news:news>", "").replace("</lastmod></url>", "</url>", 1)
    assert "http://a.test/1" in urls(broken.encode())
    cut = PLAIN.encode()[: PLAIN.index("http://a.test/2") + 10]
    assert urls(cut) == ["http://a.test/1"]


def test_entities_are_neither_expanded_nor_loaded() -> None:
    assert urls(BOMB.encode()) == ["http://a.test/", "http://a.test/"]


def test_a_packed_bomb_is_cut() -> None:
    packed = gzip.compress(b"<urlset>" + b" " * (3 * MAX_XML_BYTES))
    assert len(decompress(packed)) == MAX_XML_BYTES
    assert len(decompress(packed, most=100)) == 100


def test_what_is_no_sitemap_is_an_empty_one() -> None:
    for body in (b"", b"<", b"<html><body>no</body></html>", b"\x1f\x8bbroken", b"\x00\x01"):
        assert read_sitemap(body) == Sitemap()
