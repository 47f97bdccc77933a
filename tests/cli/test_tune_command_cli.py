"""``scenthound tune`` from end to end, on the sample web."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.commands import Answer, Command
from scenthound import read_links, read_weights
from scenthound.evaluation import tune

FEW = ("--model", "vsm", "--links", "60")


@pytest.fixture
def storms(sample: Path) -> list[str | Path]:
    """An archive and a topic."""
    return [sample / "sample.warc.gz", "--topic", sample / "topics" / "storms.toml"]


def tuned(answer: Answer) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(answer.out)["topics"]
    return found


def test_weights_and_errors_of_several_topics_are_printed_and_written(
    scenthound: Command, sample: Path, storms: list[str | Path], tmp_path: Path
) -> None:
    out = tmp_path / "tuned"
    coffee = sample / "topics" / "coffee.toml"
    answer = scenthound("tune", *storms, "--topic", coffee, *FEW, "--out", out)
    assert answer.code == 0, answer.err
    for told in ("weights", "anchor", "mean absolute errors", "of exact", "1.0000", "mean",
                 "storms: 30 training and 30 test links from", "targets left out:",
                 "no convergence: the exact optimum needs no search",
                 f"--strategy vsm --weights {out / 'storms' / 'weights.toml'}"):  # fmt: skip
        assert told in answer.out
    assert {str(path.relative_to(out)) for path in out.rglob("*.*")} == {
        "storms/weights.toml", "storms/links.csv", "coffee/weights.toml", "coffee/links.csv",
        "tuning.json", "heat-map.svg", "heat-map.csv", "mean-errors.svg", "mean-errors.csv",
    }  # fmt: skip
    topics = json.loads((out / "tuning.json").read_text())["topics"]
    assert [(each["topic"], each["collected"]["wanted"]) for each in topics] == [
        ("storms", 60), ("coffee", 60),
    ]  # fmt: skip
    weights = read_weights(out / "coffee" / "weights.toml")
    assert weights.model == "vsm"
    assert topics[1]["weights"] == pytest.approx(dict(weights.values), abs=1e-6)


def test_a_search_leaves_a_curve_and_says_how_near_it_came(
    scenthound: Command, storms: list[str | Path], tmp_path: Path
) -> None:
    out = tmp_path / "t"
    answer = scenthound(
        "tune", *storms, *FEW, "--optimiser", "ga", "--set", "ga.generations=3",
        "--random-seed", "5", "--out", out, "--json",
    )  # fmt: skip
    (found,) = tuned(answer)
    assert (found["optimiser"], found["seed"]) == ("ga", 5)
    assert found["parameters"] == {"generations": 3}
    assert 0.0 < float(str(found["share"])) <= 1.0
    assert (out / "convergence.svg").exists() and (out / "convergence.csv").exists()
    assert json.loads((out / "tuning.json").read_text()) == {"topics": [found]}


def test_links_that_were_written_can_be_learnt_from_again(
    scenthound: Command, storms: list[str | Path], tmp_path: Path
) -> None:
    for format_ in ("csv", "parquet"):
        out = tmp_path / format_
        (found,) = tuned(
            scenthound("tune", *storms, *FEW, "--out", out, "--format", format_, "--json")
        )
        links = out / "storms" / f"links.{format_}"
        assert len(read_links(links)) == 60
        answer = scenthound("tune", links, "--json")
        assert answer.code == 0, answer.err
        assert tuned(answer)[0]["weights"] == found["weights"]
        assert tuned(answer)[0]["collected"] is None
    assert "storms: 30 training and 30 test links.\n" in scenthound("tune", links).out


def test_a_crawl_folder_has_its_own_topic(
    scenthound: Command, sample: Path, storms: list[str | Path], tmp_path: Path
) -> None:
    scenthound("replay", *storms, "-s", "breadth-first", "--budget", "100", "--out", tmp_path / "c",
               "--quiet")  # fmt: skip
    crawl = tmp_path / "c" / "storms" / "breadth-first"
    answer = scenthound("tune", crawl, *FEW)
    assert answer.code == 0 and "storms: 30 training and 30 test links" in answer.out
    out = tmp_path / "with space"
    other = scenthound("tune", crawl, *FEW, "-t", sample / "topics" / "coffee.toml", "-o", out)
    assert other.code == 0 and "coffee: 30 training" in other.out
    assert f"crawl --topic T.toml --out DIR --strategy vsm --weights '{out}/coffee" in other.out
    above = scenthound("tune", tmp_path / "c")
    assert above.code == 2 and "breadth-first" in above.err


def test_structure_is_weighed_where_it_is_asked_for(
    scenthound: Command, storms: list[str | Path]
) -> None:
    plain, with_structure = (
        tuned(scenthound("tune", *storms, *FEW, "--json", *more))[0]["weights"]
        for more in ((), ("--structure",))
    )
    assert isinstance(plain, dict) and isinstance(with_structure, dict)
    assert set(with_structure) - set(plain) == {"host", "source", "inlinks"}


def test_too_few_links_are_an_answer(
    scenthound: Command, storms: list[str | Path], tmp_path: Path
) -> None:
    out = tmp_path / "t"
    answer = scenthound("tune", *storms, "--model", "vsm", "--links", "10", "--out", out)
    assert answer.code == 0
    assert "warning: storms: equal weights, since there are 5 training links" in answer.err
    assert "0.250 0.250  0.250   0.250" in answer.out
    assert set(read_weights(out / "storms" / "weights.toml").values.values()) == {0.25}


def test_quiet_says_nothing(scenthound: Command, storms: list[str | Path], tmp_path: Path) -> None:
    answer = scenthound("tune", *storms, *FEW, "--optimiser", "exact", "-q", "-o", tmp_path / "t")
    assert (answer.code, answer.out) == (0, "")
    assert (tmp_path / "t" / "tuning.json").exists()
    loud = scenthound("tune", *storms, *FEW)
    assert "write them to a file with --out DIR" in loud.out


def test_pdf_and_wordnet_are_passed_on(
    scenthound: Command, storms: list[str | Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[object] = []
    real = tune.tune

    def noted(*given: object, **options: object) -> object:
        asked.append((options["pdf"], options.get("wordnet")))
        return real(*given, **{**options, "wordnet": None})  # type: ignore[arg-type]

    monkeypatch.setattr(tune, "tune", noted)
    assert scenthound("tune", *storms, *FEW, "--pdf", "--wordnet", tmp_path).code == 0
    assert scenthound("tune", *storms, *FEW).code == 0
    assert asked == [(True, str(tmp_path)), (False, None)]


def test_an_interrupted_tuning_keeps_what_is_finished(
    scenthound: Command, sample: Path, storms: list[str | Path], monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:  # fmt: skip
    real, begun = tune.tune, []

    def broken_off(*given: object, **options: object) -> object:
        begun.append(given)
        if len(begun) > 1:
            raise KeyboardInterrupt
        return real(*given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(tune, "tune", broken_off)
    coffee, out = sample / "topics" / "coffee.toml", tmp_path / "t"
    answer = scenthound("tune", *storms, "-t", coffee, *FEW, "--out", out)
    assert answer.code == 130 and "interrupted" in answer.err
    assert "storms" in answer.out and "coffee" not in answer.out
    assert (out / "storms" / "weights.toml").exists() and (out / "heat-map.svg").exists()
    assert f"written to {out}: TOPIC/weights.toml" in answer.out
    assert "what was written so far is kept" in answer.err
