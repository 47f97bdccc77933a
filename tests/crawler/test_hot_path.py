"""A crawl does not carry what only its readers need: main text, languages, tables, browsers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from crawler.live_running import with_tests

HEAVY = ("trafilatura", "py3langid", "pyarrow", "pypdf", "playwright", "scrapy_playwright")
CRAWL = """
import sys
from pathlib import Path
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, page
with LiveWeb(hosts=1) as web:
    seed = web.add(1, "/", page("Sturm", "Ein Sturm, ein Orkan und Hagel.", ["/2"]))
    web.add(1, "/2", page("Storm", "A storm, a hurricane and hail."))
    assert crawl(Path(sys.argv[1]), [seed]).run.fetched == 2
"""
DOWNLOADER = "import sys\nimport scenthound.fetch.downloader\n"
LOADED = "print(*sorted({name.partition('.')[0] for name in sys.modules}))"


@pytest.mark.parametrize("code", [CRAWL, DOWNLOADER], ids=["crawl", "downloader"])
def test_a_crawl_imports_nothing_that_only_readers_need(code: str, tmp_path: Path) -> None:
    script = [sys.executable, "-c", code + LOADED, str(tmp_path / "out")]
    ran = subprocess.run(script, env=with_tests(), capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    assert "scenthound" in loaded
    assert [name for name in HEAVY if name in loaded] == []
