"""Web archives as something to fetch from: WARC, WACZ, a folder of either, or of HTML files."""

from scenthound.archive.model import Response, Skipped
from scenthound.archive.opening import Archive, open_archive

__all__ = ["Archive", "Response", "Skipped", "open_archive"]
