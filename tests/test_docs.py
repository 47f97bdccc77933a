"""The documentation names files and functions that exist."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACES = ("*.md", "examples/*.md", "docs/**/*.md")
PAGES = sorted(page for place in PLACES for page in ROOT.glob(place))
PACKAGES = sorted(p.name for p in (ROOT / "src" / "scenthound").iterdir() if p.is_dir())


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
        assert [target for target in targets if not (page.parent / target).exists()] == [], page


def test_every_function_of_the_papers_page_exists() -> None:
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    names = re.findall(rf"`((?:{'|'.join(PACKAGES)})\.[\w.]+)`", text)
    assert len(names) > 10
    for name in names:
        module, _, attribute = f"scenthound.{name}".rpartition(".")
        try:
            found = hasattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError:
            found = False
        assert found or importlib.util.find_spec(f"scenthound.{name}"), name


def test_every_package_is_on_the_architecture_page() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert [name for name in PACKAGES if f"`{name}/`" not in text and name != "__pycache__"] == []
