"""Jobs, labels and errors: what is checked before the first fetch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from crawler.warning_recording import recorded_warnings
from crawler.web_building import Field, Plant, at, labelled, moved, page
from scenthound.core.errors import (
    FolderError,
    LabelsError,
    SettingsError,
    StrategyError,
    UnknownNameError,
)
from scenthound.core.model import Topic
from scenthound.core.parameters import Parameters
from scenthound.crawler.metrics import read_labels
from scenthound.crawler.replay import format_error, run_job
from scenthound.crawler.replay_plan import ReplayJob, ReplayPlan
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategySpec

TOPIC = Topic("storms", ("storm",), (at("/"),))
BREADTH_FIRST: tuple[StrategySpec, Parameters] = (CATALOGUE["breadth-first"], {})


@pytest.fixture
def web(plant: Plant) -> Field:
    return plant(page("/", "/a"), page("/a"), page("/b"), moved("/out", "http://x.test/"))


def jobs(
    web: Field, plan: ReplayPlan | None = None, topics: Sequence[Topic] = (TOPIC,)
) -> tuple[list[ReplayJob], list[str]]:
    """The jobs, and the warnings."""
    with recorded_warnings() as warned:
        return (plan or ReplayPlan([BREADTH_FIRST])).jobs(web.archive, topics), warned


def refused(
    web: Field,
    error: type[Exception],
    plan: ReplayPlan | None = None,
    topics: Sequence[Topic] = (TOPIC,),
) -> str:
    """The one sentence of the error."""
    with pytest.raises(error) as caught:
        jobs(web, plan, topics)
    message = str(caught.value)
    assert "\n" not in message and message.endswith((".", "?"))
    return message


def test_seeds_labels_and_budget(web: Field) -> None:
    topic = replace(TOPIC, seeds=("HTTP://w.test:80", at("/gone"), at("/gone")))
    (job,), warnings = jobs(web, topics=[topic])
    assert job.topic.seeds[0] == at("/")
    assert warnings == [f"topic 'storms': 1 of 2 seeds are not in the archive, e.g. {at('/gone')}"]
    assert run_job(web.archive, job).missing == 1
    message = refused(web, SettingsError, topics=[replace(TOPIC, seeds=(at("/gone"),))])
    assert "none of its 1 seeds is in" in message and str(web.archive.path) in message
    labels = labelled("/a", "/gone", "/b", "/out")
    (job,), warnings = jobs(web, ReplayPlan([BREADTH_FIRST], labels))
    assert job.labels == frozenset({at("/a"), at("/b")})
    assert warnings == [
        "topic 'storms': 2 of 4 labelled pages are not in the archive and are left out, "
        f"e.g. {at('/gone')}"
    ]
    cases: list[tuple[str | None, bool, int]] = [
        (None, False, 1000),
        (None, True, 4),
        ("2x", True, 4),
        ("1.5x", True, 3),
        ("0.1x", True, 1),
        ("7", True, 7),
        ("7", False, 7),
    ]
    for budget, has_labels, pages in cases:
        plan = ReplayPlan([BREADTH_FIRST], labelled("/a", "/b") if has_labels else None, budget)
        ((job,), _) = jobs(web, plan)
        assert job.budget.pages == pages
    assert "budget" in refused(web, SettingsError, ReplayPlan([BREADTH_FIRST], budget="2y"))


def test_topics_and_strategies_make_all_pairs_no_folder_twice(web: Field, tmp_path: Path) -> None:
    plan = ReplayPlan([BREADTH_FIRST, (CATALOGUE["random"], {})])
    made, _ = jobs(web, plan, [TOPIC, replace(TOPIC, name="other")])
    assert [(job.topic.name, job.spec.name) for job in made] == [
        ("storms", "breadth-first"),
        ("storms", "random"),
        ("other", "breadth-first"),
        ("other", "random"),
    ]
    topics = [replace(TOPIC, name="big storms"), replace(TOPIC, name="big/storms")]
    plan = ReplayPlan([BREADTH_FIRST], out=tmp_path / "out")
    message = refused(web, SettingsError, plan, topics)
    assert "topic folder 'big-storms' is given twice" in message
    assert len(jobs(web, None, topics)[0]) == 2


def test_what_is_refused_before_the_first_fetch(web: Field, tmp_path: Path) -> None:
    plan = ReplayPlan([BREADTH_FIRST, (CATALOGUE["random"], {})], budget="1", out=tmp_path)
    run_job(web.archive, jobs(web, plan)[0][1])
    assert "storms/random holds a crawl already" in refused(web, FolderError, plan)
    # Otherwise the next try, put right, would find the folder taken.
    (job,), _ = jobs(web, ReplayPlan([(CATALOGUE["shark"], {})], out=tmp_path / "out"))
    with pytest.raises(SettingsError):
        run_job(web.archive, replace(job, parameters={"decay": 2.0}))
    assert not (tmp_path / "out").exists()
    assert "needs labelled pages" in refused(
        web, SettingsError, ReplayPlan([(CATALOGUE["oracle"], {})])
    )


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "labels.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_labels_are_pages_by_topic(tmp_path: Path) -> None:
    content = (
        "HTTP://a.test\tstorms\n# a remark\n\nhttp://a.test/b\t storms \nhttp://a.test/\tfood\n"
    )
    labels = read_labels(written(tmp_path, content))
    assert labels.of("storms") == {"http://a.test/", "http://a.test/b"}
    assert labels.of("food") == {"http://a.test/"}
    for start in ("", "\ufeff"):
        for end in ("\n", "\r\n"):
            content = f"{start}http://a.test/\tstorms{end}http://a.test/b\tstorms{end}"
            assert len(read_labels(written(tmp_path, content)).of("storms")) == 2
    labels = read_labels(written(tmp_path, "http://a.test/\tstorms\n"))
    with pytest.raises(LabelsError, match=r"labels\.tsv .*'storm'; did you mean 'storms'\?"):
        labels.of("storm")


def test_label_files_that_cannot_be_used_are_named_with_the_line(tmp_path: Path) -> None:
    cases: list[tuple[str, str]] = [
        ("http://a.test/ storms", "expected URL, tab, topic"),
        ("http://a.test/\t", "expected URL, tab, topic"),
        ("a.test\tstorms", "not an http or https URL"),
        ("\tstorms", "the URL is empty"),
    ]
    for line, says in cases:
        path = written(tmp_path, f"http://ok.test/\u2028\tx\n\n{line}\n")
        with pytest.raises(LabelsError) as caught:
            read_labels(path)
        message = str(caught.value)
        assert message.startswith(f"labels file {path}, line 3: ")
        assert says in message and "\n" not in message and message.endswith(".")
    files: list[tuple[Path, str | bytes | None, str]] = [
        (tmp_path / "none.tsv", None, "No such file"),
        (tmp_path, None, "directory"),
        (tmp_path / "labels.tsv", b"http://a.test/\t\xff", "not UTF-8"),
        *((tmp_path / "labels.tsv", text, "is empty") for text in ("", "\n\n", "# a remark\n")),
    ]
    for path, content, says in files:
        if content is not None:
            written(tmp_path, content)
        with pytest.raises(LabelsError, match=says) as caught:
            read_labels(path)
        assert str(path) in str(caught.value)


def test_an_error_is_one_line_and_a_long_one_is_cut() -> None:
    cases: list[tuple[Exception, str]] = [
        (ValueError("too\nlow."), "ValueError: too low"),
        (ZeroDivisionError(), "ZeroDivisionError: ZeroDivisionError"),
        (SettingsError("no\x1b[31m\nseeds."), "SettingsError: no [31m seeds."),
        (
            StrategyError("mine", "failed in score()"),
            "StrategyError: strategy 'mine' failed in score(); correct the package it comes from.",
        ),
    ]
    for error, reported in cases:
        assert format_error(error) == reported
    reported = format_error(UnknownNameError("strategy", "x" * 5_000, ["vsm"]))
    assert reported.startswith("UnknownNameError: unknown strategy 'xxx") and len(reported) == 500


def test_peak_memory_is_not_that_of_the_process_that_started_this_one() -> None:
    """The first process has a block of 200 MB; the second has had no more than its own."""
    asking = "from scenthound.crawler.metrics import peak_rss_mb; print(peak_rss_mb())"
    held = bytearray(b"x") * 200_000_000
    reported = subprocess.run([sys.executable, "-c", asking], capture_output=True, check=True)
    assert 1.0 < float(reported.stdout) < len(held) / 1e6
