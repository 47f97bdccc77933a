"""The files of the front end, which lie in the package. Only those that are there are ever read."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment

FOLDER = Path(__file__).parent / "assets"
INDEX = "index.html"
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


class Assets:
    """The files by name, as they are when the server begins.

    Parameters
    ----------
    folder : where they lie.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = {path.name: path for path in folder.iterdir() if path.suffix in _KINDS}

    def read(self, name: str) -> tuple[bytes, str] | None:
        """Content and type of a file; None for a name that there is not, and for the page."""
        path = None if name == INDEX else self._files.get(name)
        return None if path is None else (path.read_bytes(), _KINDS[path.suffix])

    def index(self, token: str) -> str:
        """The page, with the token that its buttons send."""
        text = self._files[INDEX].read_text(encoding="utf-8")
        return Environment(autoescape=True).from_string(text).render(token=token)
