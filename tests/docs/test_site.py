"""The documentation site builds without a warning, and loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
_TITLES = re.compile(r"""<span class="md-ellipsis">([^<]*)<""")
_LOADED = re.compile(r"""<(?:script|img|iframe|source)[^>]*\ssrc=["']?([^"'\s>]+)""")
_LINKED = re.compile(r"""<link(?![^>]*rel=["']?canonical)[^>]*\shref=["']?([^"'\s>]+)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    return folder


def test_every_page_is_built_with_its_reference(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    built = {path.relative_to(site).with_suffix(".md") for path in site.rglob("*.html")}
    assert pages - built == set()
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    assert "--max-pages" in commands and "<!-- reference" not in commands
    assert commands.count("<table>") > 15


def test_the_navigation_does_not_repeat_itself_and_leads_on(site: Path) -> None:
    page = (site / "howto" / "scope.html").read_text(encoding="utf-8")
    navigation = page[page.index("md-nav--primary") : page.index("md-content")]
    titles = [" ".join(title.split()) for title in _TITLES.findall(navigation)]
    assert titles.count("How to") == titles.count("Reference") == 1
    assert "md-footer__link--prev" in page and "md-footer__link--next" in page


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = [*_LOADED.findall(text), *_LINKED.findall(text)]
        assert loaded
        assert [url for url in loaded if url.startswith(("http:", "https:", "//"))] == [], page
