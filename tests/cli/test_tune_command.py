"""``scenthound tune`` from end to end, on the sample web."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from cli.commands import Answer, Command
from scenthound import read_links, read_weights
from scenthound.cli.tune import set_parameters
from scenthound.core.errors import SettingsError
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
    words = advised(other.out)
    assert words[1:3] == ["crawl", "--topic"] and words[4:6] == ["--out", "with space-crawl"]
    assert words[6:] == ["--strategy", "vsm", "--weights", f"{out}/coffee/weights.toml"]
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


def advised(out: str) -> list[str]:
    (line,) = [line for line in out.splitlines() if line.startswith("Use the weights: ")]
    return shlex.split(line.removeprefix("Use the weights: "))


def own_links(path: Path, rows: list[str], more: str = "") -> Path:
    path.write_text(f"sim_full,sim_anchor,relevance{more}\n" + "\n".join(rows) + "\n")
    return path


ROWS = [f"0.{n % 7},0.{n % 5},0.{n % 3}" for n in range(60)]


def test_the_command_has_what_was_set_of_the_model(
    scenthound: Command, storms: list[str | Path], tmp_path: Path
) -> None:
    answer = scenthound(
        "tune", *storms, "--links", "40", "--model", "soft-svsm", "--set", "soft-svsm.power=3",
        "--set", "soft-svsm.measure=wu-palmer", "--out", tmp_path / "a b",
    )  # fmt: skip
    words = advised(answer.out)
    assert words[:2] == ["scenthound", "replay"]
    assert words[5:11] == [
        "--strategy", "soft-svsm", "--set", "soft-svsm.power=3.0", "--set",
        'soft-svsm.measure="wu-palmer"',
    ]  # fmt: skip
    assert words[-1] == str(tmp_path / "a b" / "storms" / "weights.toml")
    again = scenthound(*words[1:], "--budget", "5")
    assert again.code == 0, again.err


def test_weights_of_a_plain_tuning_are_used_as_advised(
    scenthound: Command, storms: list[str | Path], tmp_path: Path
) -> None:
    words = advised(scenthound("tune", *storms, "--links", "40", "--out", tmp_path / "t").out)
    weights = tmp_path / "t" / "storms" / "weights.toml"
    assert read_weights(weights).model == "soft-sdvsm"
    assert words[words.index("--strategy") + 1] == "soft-sdvsm"
    assert scenthound(*words[1:], "--budget", "5").code == 0
    plain = scenthound("replay", *storms, "--weights", weights, "--budget", "5")
    assert plain.code == 2
    assert "strategy 'scent' takes no weights" in plain.err
    assert "choose a strategy that can use them (soft-sdvsm), or leave them out." in plain.err


def test_a_crawl_folder_is_read_by_its_own_model(
    scenthound: Command, storms: list[str | Path], tmp_path: Path
) -> None:
    for strategy in ("soft-svsm", "breadth-first"):
        scenthound("replay", *storms, "-s", strategy, "--budget", "60", "--out", tmp_path / "c",
                   "--quiet")  # fmt: skip
        answer = scenthound("tune", tmp_path / "c" / "storms" / strategy, "--links", "40", "--json")
        model = json.loads(answer.out)["topics"][0]["model"]
        assert model == ("soft-svsm" if strategy == "soft-svsm" else "soft-sdvsm")
    wrong = scenthound("tune", tmp_path / "c" / "storms" / "soft-svsm", "--set", "vsm.x=1")
    assert wrong.code == 2 and "model 'vsm' is not in use" in wrong.err


def test_a_search_that_ends_far_off_is_told(scenthound: Command, storms: list[str | Path]) -> None:
    far = scenthound("tune", *storms, *FEW, "--optimiser", "sa", "--set", "sa.cold=99.5")
    assert far.code == 0
    assert "warning: storms: sa reached only 0." in far.err
    assert "take the optimiser exact, or a search that comes nearer" in far.err
    near = scenthound("tune", *storms, *FEW, "--optimiser", "mcoa-symmetric",
                      "--set", "mcoa-symmetric.generations=100")  # fmt: skip
    assert near.code == 0 and "reached only" not in near.err


def test_links_of_which_none_tests(scenthound: Command, tmp_path: Path) -> None:
    path = own_links(tmp_path / "l.csv", [f"{row},train" for row in ROWS], ",half")
    answer = scenthound("tune", path, "--out", tmp_path / "t")
    assert answer.code == 0
    assert "warning: links: there are no test links, so nothing says how good" in answer.err
    assert "no heat-map: no topic has test links whose errors are known" in answer.out
    assert not (tmp_path / "t" / "heat-map.svg").exists()


def test_a_value_that_is_missing_is_named(scenthound: Command, tmp_path: Path) -> None:
    answer = scenthound("tune", own_links(tmp_path / "l.csv", [*ROWS, "0.1,,0.2", ",0.1,nan"]))
    assert answer.code == 0 and "0.500" in answer.out
    assert "sim_anchor in row 62 is empty or not a finite number, the first of 3" in answer.err
    huge = scenthound("tune", own_links(tmp_path / "l.csv", [*ROWS, "0.1,1e308,0.2"]))
    assert (huge.code, huge.out) == (2, "")
    assert "sim_anchor in row 62 is 1e+308; similarities and relevances lie within" in huge.err


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins to learn has not looked first."""

    def begun(*given: object, **options: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(tune, "tune", begun)
    monkeypatch.setattr(tune, "tune_links", begun)


@pytest.mark.usefixtures("no_work")
def test_options(scenthound: Command, sample: Path) -> None:
    for options, sentence in [
        (["--optimiser", "mcao"], "unknown optimiser 'mcao'; did you mean 'mcoa'"),
        (["--optimiser", "?"], "choose one of: exact, ga, hybrid"),
        (["--model", "?"], "unknown model '?'; choose one of: bsvsm, elmo, ontology, sdvsm"),
        (["--set", "power=3"], "--set power=3: write it as TABLE.KEY=VALUE"),
        (["--set", "shark.decay=3"], "what can be set is soft-sdvsm.KEY."),
        (["--set", "vsm.x=3"], "model 'vsm' is not in use; give --model vsm, or drop"),
        (["--set", "ga.generations=3"], "'ga' is not in use; give --optimiser ga, or drop"),
        (["--set", "exact.x=3"], "optimiser 'exact' has nothing to set"),
        (["--set", "soft-sdvsm.pwoer=3"], "did you mean 'power'"),
        (["--set", "soft-sdvsm.power=much"], "soft-sdvsm.power takes a value like 4.0"),
        (
            ["--optimiser", "ga", "--set", "ga.individuals=100000000000"],
            "individuals must be at most 100,000, not 100,000,000,000",
        ),
        (["--format", "csv"], "give --out too"),
        (["--random-seed", "-1"], "--random-seed"),
        (["--links", "many"], "--links"),
    ]:
        topic = sample / "topics" / "storms.toml"
        answer = scenthound("tune", sample / "sample.warc.gz", "-t", topic, *options)
        assert (answer.code, answer.out) == (2, "")
        assert sentence in answer.err


@pytest.mark.usefixtures("no_work")
def test_sources(scenthound: Command, sample: Path, tmp_path: Path) -> None:
    archive, links = sample / "sample.warc.gz", tmp_path / "links.csv"
    links.write_text("a,b\n1,2\n")
    for arguments, sentence in (
        ([tmp_path / "none.warc.gz"], "does not exist; give an archive"),
        (["w" * 300 + ".csv"], "does not exist; give an archive"),
        ([archive], "has no topic of its own; give one with --topic"),
        ([sample / "topics"], "or a crawl folder"),
        ([links], "it needs a column relevance"),
        ([links, "--topic", "t.toml", "--pdf"], "--topic and --pdf would not be used"),
        ([links, "--structure"], "--structure would not be used"),
        ([links, "--set", "vsm.x=1"], "has its similarities already"),
        ([archive, "-t", tmp_path / "none.toml"], "none.toml"),
    ):
        answer = scenthound("tune", *arguments)
        assert (answer.code, answer.out) == (2, ""), arguments
        assert sentence in answer.err


@pytest.mark.usefixtures("no_work")
def test_twins(scenthound: Command, sample: Path) -> None:
    topic = sample / "topics" / "storms.toml"
    answer = scenthound("tune", sample / "sample.warc.gz", "-t", topic, "-t", topic)
    assert answer.code == 2 and "give each once, or rename one" in answer.err


@pytest.mark.usefixtures("no_work")
def test_targets(scenthound: Command, sample: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "tuning.json").write_text("{}")
    (tmp_path / "broken" / "storms").mkdir(parents=True)
    (tmp_path / "broken" / "storms" / "weights.toml").write_text("")
    for out, sentence in (
        ("old", "holds a tuning already; choose another --out folder"),
        ("broken", "holds a tuning already; choose another --out folder"),
        ("file", "file is no folder; choose another folder"),
        ("file/below", "file is no folder; choose another folder"),
        ("w" * 300, "choose another folder"),
    ):
        answer = scenthound(
            "tune", sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml",
            "--out", tmp_path / out,
        )  # fmt: skip
        assert answer.code == 2 and sentence in answer.err
    assert {path.name for path in tmp_path.iterdir()} == {"file", "old", "broken"}


@pytest.mark.usefixtures("no_work")
def test_a_missing_library_is_told_first(
    scenthound: Command, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scenthound.storage.files.find_spec", lambda name: None)
    topic = sample / "topics" / "storms.toml"
    answer = scenthound("tune", sample / "sample.warc.gz", "-t", topic, "--out", tmp_path / "t",
                        "--format", "parquet")  # fmt: skip
    assert answer.code == 2 and "pip install 'scenthound[parquet]'" in answer.err


def test_what_is_set_goes_to_its_part() -> None:
    found = set_parameters(
        ["soft-svsm.power=3", "ga.generations=7", "soft-svsm.floor=.2"], "soft-svsm", "ga"
    )
    assert found.model == {"power": 3.0, "floor": 0.2}
    assert found.optimiser == {"generations": 7}
    with pytest.raises(SettingsError, match="what can be set is nothing here"):
        set_parameters(["x.y=1"], None, "exact")
