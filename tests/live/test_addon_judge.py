"""The add-on judges as ``SCENTHOUND_JUDGE`` says."""

from __future__ import annotations

from pathlib import Path

from scrapy.settings import Settings

from live.addon_running import STORM, write_topic
from scenthound.core.model import Candidate, Document, Page, Score
from scenthound.live.addon import FocusedCrawl
from scenthound.live.addon_focus import Judged


def judged(folder: Path, text: str, **settings: object) -> Judged:
    """A page with this text, judged by the add-on of a project with these settings."""
    (folder / "o.txt").write_text("# topic: storm\nstorm\n  typhoon\n")
    topic = write_topic(folder, STORM + 'ontology = "o.txt"\n')
    addon = FocusedCrawl()
    addon.update_settings(
        Settings({"SCENTHOUND_TOPIC": str(topic), "SCENTHOUND_STRATEGY": "vsm", **settings})
    )
    assert addon.focus is not None
    url = "http://a.test/"
    page = Page(url, 200, Document(text=text), ())
    found = addon.focus.judge(Candidate(url, Score(0.0), 0), page)
    addon.focus.close()
    return found


def test_an_ontology_judges(tmp_path: Path) -> None:
    """The keyword is "storm" alone: a typhoon is a concept of the ontology only."""
    assert judged(tmp_path, "A typhoon.").similarity == 0.0
    by_concepts = judged(
        tmp_path, "A typhoon.", SCENTHOUND_JUDGE="ontology", SCENTHOUND_THRESHOLD=0.1
    )
    assert by_concepts.similarity > 0.1 and by_concepts.relevant


def test_a_page_at_sigma_is_not_relevant(tmp_path: Path) -> None:
    given = {"SCENTHOUND_JUDGE": "ontology"}
    sigma = judged(tmp_path, "A typhoon.", **given).similarity
    assert not judged(tmp_path, "A typhoon.", SCENTHOUND_THRESHOLD=sigma, **given).relevant
