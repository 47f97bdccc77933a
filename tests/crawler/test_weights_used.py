"""What the results say of weights: the strategy's own, given ones, learnt ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scenthound
from crawler.web_building import Field, Plant, page
from scenthound import LinkWeights
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.crawler.results import Run
from scenthound.strategies.catalogue import CATALOGUE

PAGES = 40
GIVEN = LinkWeights({"full": 0.25, "anchor": 0.5}, "vsm", "w.toml")
TOPIC = Topic("storms", ("storm",), ("http://w.test/0",))


@pytest.fixture
def web(plant: Plant) -> Field:
    """Links with ``storm`` in their words lead to pages about storms, the others do not."""
    words = ["storm" if n % 3 else f"cake {n}" for n in range(PAGES)]
    links = [(f"/{n}", f"{words[n]} here") for n in range(PAGES)]
    texts = [f"{words[n]} and {words[n]}, page {n}." for n in range(PAGES)]
    return plant(*(page(f"/{n}", *links, text=texts[n], title=words[n]) for n in range(PAGES)))


def crawled(web: Field, name: str, weights: LinkWeights | None = None, **parameters: int) -> Run:
    plan = ReplayPlan([(CATALOGUE[name], parameters)], budget=str(PAGES), weights=weights)
    (job,) = plan.jobs(web.archive, [TOPIC])
    return run_job(web.archive, job)


def test_the_strategys_own_or_none(web: Field) -> None:
    assert crawled(web, "breadth-first").to_json()["weights"] is None
    assert crawled(web, "shark").weights is None
    assert crawled(web, "vsm").to_json()["weights"] == {
        "values": {"full": 0.5, "anchor": 0.5}, "model": "vsm", "origin": "the strategy's own",
        "learnt_from": None, "reason": None
    }  # fmt: skip


def test_learnt_ones_may_begin_with_given_ones(web: Field) -> None:
    found = crawled(web, "mcoa", every=10).weights
    assert found is not None and found.origin == "learnt in the crawl"
    assert found.learned_from is not None and 20 <= found.learned_from < PAGES
    assert dict(found.values) != dict.fromkeys(found.values, 0.25)
    begun = crawled(web, "mcoa", GIVEN, every=10).weights
    assert begun is not None and begun.origin == "w.toml" and begun.learned_from
    assert list(begun.values) == ["full", "anchor"] and dict(begun.values) != GIVEN.values
    too_late = crawled(web, "mcoa", every=1_000).weights
    assert too_late is not None and too_late.is_remarkable
    assert (too_late.origin, too_late.learned_from) == ("the strategy's own", 0)
    assert dict(too_late.values) == dict.fromkeys(("full", "title", "anchor", "context"), 0.25)


def test_what_cannot_be_used_is_told_before_an_archive_is_opened() -> None:
    with pytest.raises(SettingsError, match="'fish' takes no weights"):
        ReplayPlan([(CATALOGUE["vsm"], {}), (CATALOGUE["fish"], {})], weights=GIVEN)


def test_from_python(web: Field, tmp_path: Path) -> None:
    file = tmp_path / "w.toml"
    file.write_text("[weights]\nanchor = 0.5\nfull = 0.25\n")
    runs = [
        scenthound.replay(web.archive.path, TOPIC, "vsm", weights=given, out=tmp_path / name)
        for given, name in ((str(file), "a"), (file, "b"), (GIVEN, "c"))
    ]
    assert len({run.order for run in runs}) == 1
    crawl_spec = json.loads((tmp_path / "a" / "crawl.json").read_text())
    assert crawl_spec["settings"]["weights"] == {
        "values": {"full": 0.25, "anchor": 0.5}, "model": None, "origin": str(file)
    }  # fmt: skip
    results = json.loads((tmp_path / "c" / "results.json").read_text())
    assert results["weights"]["origin"] == "w.toml"


def test_what_is_no_weights(web: Field, tmp_path: Path) -> None:
    cases: list[tuple[object, str]] = [
        ({"full": 0.5}, r"write LinkWeights\(\{...\}\)"),
        (7, r"weights takes a path or LinkWeights\(...\), not a value of type int"),
        ("", "weights is an empty path"),
        ("nowhere.toml", "weights file nowhere.toml: No such file"),
    ]
    for given, message in cases:
        with pytest.raises(SettingsError, match=message):
            scenthound.replay(web.archive.path, TOPIC, "vsm", weights=given)  # type: ignore[arg-type]
        with pytest.raises(SettingsError, match=message):
            scenthound.crawl(TOPIC, tmp_path / "c", "vsm", weights=given)  # type: ignore[arg-type]
        assert not (tmp_path / "c").exists()
