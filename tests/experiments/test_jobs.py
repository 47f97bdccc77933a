"""What is checked before the first fetch: some missing is a warning, all missing an error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engines.web_building import Field, Plant, at, labelled, moved, page
from scenthound.core.errors import FolderError, LabelsError, SettingsError, TopicError
from scenthound.core.model import Topic
from scenthound.core.parameters import Parameters
from scenthound.experiments.jobs import Job, Plan
from scenthound.experiments.runner import run
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe

TOPIC = Topic("storms", ("storm",), (at("/"),))
BREADTH_FIRST: tuple[Recipe, Parameters] = (CATALOGUE["breadth-first"], {})


@pytest.fixture
def web(plant: Plant) -> Field:
    return plant(page("/", "/a"), page("/a"), page("/b"), moved("/out", "http://x.test/"))


def jobs(
    web: Field, plan: Plan | None = None, topics: Sequence[Topic] = (TOPIC,)
) -> tuple[list[Job], list[str]]:
    """The jobs, and the warnings."""
    warnings: list[str] = []
    return (plan or Plan([BREADTH_FIRST])).jobs(web.archive, topics, warnings.append), warnings


def refused(
    web: Field, error: type[Exception], plan: Plan | None = None, topics: Sequence[Topic] = (TOPIC,)
) -> str:
    """The one sentence of the error."""
    with pytest.raises(error) as caught:
        jobs(web, plan, topics)
    message = str(caught.value)
    assert "\n" not in message and message.endswith((".", "?"))
    return message


def test_some_seeds_missing(web: Field) -> None:
    topic = replace(TOPIC, seeds=(at("/"), at("/gone"), at("/gone")))
    (job,), warnings = jobs(web, topics=[topic])
    assert warnings == [f"topic 'storms': 1 of 2 seeds are not in the archive, e.g. {at('/gone')}"]
    assert run(web.archive, job).missing == 1


def test_all_seeds_missing(web: Field) -> None:
    message = refused(web, SettingsError, topics=[replace(TOPIC, seeds=(at("/gone"),))])
    assert "none of its 1 seeds is in" in message and str(web.archive.path) in message


def test_no_seeds(web: Field) -> None:
    assert "has no seeds" in refused(web, SettingsError, topics=[replace(TOPIC, seeds=())])


def test_seeds_of_a_topic_made_in_python_are_made_canonical(web: Field) -> None:
    (job,), warnings = jobs(web, topics=[replace(TOPIC, seeds=("HTTP://w.test:80",))])
    assert (job.topic.seeds, warnings) == ((at("/"),), [])


def test_some_examples_missing(web: Field) -> None:
    topic = replace(TOPIC, examples=("storm", at("/gone")))
    (job,), warnings = jobs(web, topics=[topic])
    assert len(job.briefing.examples) == 1
    assert warnings[0].startswith("topic 'storms': 1 of 2 examples cannot be read")


def test_all_examples_missing(web: Field) -> None:
    topic = replace(TOPIC, examples=(at("/gone"), "no.html"))
    assert "none of its 2 examples" in refused(web, TopicError, topics=[topic])


def test_some_labels_missing(web: Field) -> None:
    labels = labelled("/a", "/gone", "/b", "/out")
    (job,), warnings = jobs(web, Plan([BREADTH_FIRST], labels))
    assert job.labels == frozenset({at("/a"), at("/b")})
    assert warnings == [
        "topic 'storms': 2 of 4 labelled pages are not in the archive and are left out, "
        f"e.g. {at('/gone')}"
    ]


def test_all_labels_missing(web: Field) -> None:
    message = refused(web, LabelsError, Plan([BREADTH_FIRST], labelled("/gone")))
    assert "none of its 1 labelled pages is in" in message


def test_topic_not_in_the_labels(web: Field) -> None:
    message = refused(web, LabelsError, Plan([BREADTH_FIRST], labelled("/a", topic="storm")))
    assert "labels.tsv" in message and "did you mean 'storm'?" in message


@pytest.mark.parametrize(
    ("budget", "labels", "pages"),
    [
        (None, False, 1000),
        (None, True, 4),
        ("2x", True, 4),
        ("1.5x", True, 3),
        ("0.1x", True, 1),
        ("7", True, 7),
        ("7", False, 7),
    ],
)
def test_budget(web: Field, budget: str | None, labels: bool, pages: int) -> None:
    plan = Plan([BREADTH_FIRST], labelled("/a", "/b") if labels else None, budget)
    ((job,), _) = jobs(web, plan)
    assert job.budget.pages == pages


def test_labels_outside_the_archive_do_not_enter_the_budget(web: Field) -> None:
    ((job,), _) = jobs(web, Plan([BREADTH_FIRST], labelled("/a", "/gone")))
    assert job.budget.pages == 2


@pytest.mark.parametrize("budget", ["0", "-1", "many", "2y", "0x", "1.5"])
def test_budget_that_cannot_be_used(web: Field, budget: str) -> None:
    plan = Plan([BREADTH_FIRST], labelled("/a"), budget)
    assert "budget" in refused(web, SettingsError, plan)


def test_multiple_of_labels_without_labels(web: Field) -> None:
    message = refused(web, SettingsError, Plan([BREADTH_FIRST], budget="2x"))
    assert "counts labelled pages; give --labels" in message


def test_topics_and_strategies_make_all_pairs_topic_by_topic(web: Field) -> None:
    plan = Plan([BREADTH_FIRST, (CATALOGUE["random"], {})])
    made, _ = jobs(web, plan, [TOPIC, replace(TOPIC, name="other")])
    assert [(job.topic.name, job.recipe.name) for job in made] == [
        ("storms", "breadth-first"),
        ("storms", "random"),
        ("other", "breadth-first"),
        ("other", "random"),
    ]


def test_two_topics_of_one_name(web: Field) -> None:
    assert "topic 'storms' is given twice" in refused(web, SettingsError, topics=[TOPIC, TOPIC])


def test_one_strategy_twice(web: Field) -> None:
    message = refused(web, SettingsError, Plan([BREADTH_FIRST, BREADTH_FIRST]))
    assert "strategy 'breadth-first' is given twice" in message


def test_two_topics_that_would_share_a_folder(web: Field, tmp_path: Path) -> None:
    topics = [replace(TOPIC, name="big storms"), replace(TOPIC, name="big/storms")]
    plan = Plan([BREADTH_FIRST], out=tmp_path / "out")
    message = refused(web, SettingsError, plan, topics)
    assert "topic folder 'big-storms' is given twice" in message
    assert len(jobs(web, None, topics)[0]) == 2


def test_folder_that_is_taken_is_told_before_the_first_fetch(web: Field, tmp_path: Path) -> None:
    plan = Plan([BREADTH_FIRST, (CATALOGUE["random"], {})], budget="1", out=tmp_path)
    run(web.archive, jobs(web, plan)[0][1])
    assert "storms/random holds a crawl already" in refused(web, FolderError, plan)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_threshold_out_of_range(web: Field, threshold: float) -> None:
    message = refused(web, SettingsError, Plan([BREADTH_FIRST], threshold=threshold))
    assert "within 0 and 1" in message


def test_parameter_out_of_range_is_told_before_the_first_fetch(web: Field, tmp_path: Path) -> None:
    plan = Plan([BREADTH_FIRST, (CATALOGUE["shark"], {"decay": 2.0})], out=tmp_path / "out")
    assert "'shark': decay" in refused(web, SettingsError, plan)
    assert not (tmp_path / "out").exists()


def test_strategy_that_cannot_be_built_leaves_no_folder(web: Field, tmp_path: Path) -> None:
    """Otherwise the next try, put right, would find the folder taken."""
    (job,), _ = jobs(web, Plan([(CATALOGUE["shark"], {})], out=tmp_path / "out"))
    with pytest.raises(SettingsError):
        run(web.archive, replace(job, parameters={"decay": 2.0}))
    assert not (tmp_path / "out").exists()


def test_only_a_strategy_that_needs_labels_is_refused_without(web: Field) -> None:
    assert "needs labelled pages" in refused(web, SettingsError, Plan([(CATALOGUE["oracle"], {})]))


def test_recipe_of_ones_own(web: Field) -> None:
    own = replace(CATALOGUE["vsm"], name="mine")
    assert isinstance(own, Recipe)
    ((job,), _) = jobs(web, Plan([(own, {})]))
    assert run(web.archive, job).strategy == "mine"
