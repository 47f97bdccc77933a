"""The ontology that steers a live crawl: in its folder when the crawl begins, told if learnt."""

from __future__ import annotations

from pathlib import Path

from crawler.live_running import again, crawl
from crawler.live_web import LiveWeb, MemoryWeb, page
from scenthound.crawler.judges import ONTOLOGY_NAME
from scenthound.papers.ontologies.files import read_ontology

TEXTS = ("A storm is a kind of weather. The storm brought a flood.", "A flood after the storm.")
MINE = "# kept as it was\nstorm\n"


def pages(web: LiveWeb) -> str:
    seed = web.add(1, "/", page("Home", "A storm and a flood.", ["/2"]))
    web.add(1, "/2", page("Two", "The flood of the storm."))
    return seed


def test_a_learnt_one_is_kept_and_told_once(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with MemoryWeb() as web:
        seed = pages(web)
        first = crawl(out, [seed], strategy="olmoaco", examples=TEXTS, max_pages=1)
        kept = read_ontology(out / ONTOLOGY_NAME)
        (out / ONTOLOGY_NAME).write_text(MINE)
        second = again(out, max_pages=2)
    told = f"learned an ontology of {len(kept)} concepts from 2 example pages, kept in {out}"
    assert [line for line in first.warned if told in line] and "storm" in kept
    assert second.run.fetched == 2
    assert not any("learnt" in line for line in second.warned)
    assert (out / ONTOLOGY_NAME).read_text() == MINE
