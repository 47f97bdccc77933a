"""``scenthound tune`` from end to end, on a small web."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from cli.commands import Answer, Command, Words, interrupted, refused
from crawler.web_building import Plant, at
from evaluation.link_making import hub
from scenthound import read_links, read_weights
from scenthound.cli import tune as command
from scenthound.cli.tune import set_parameters
from scenthound.core.errors import SettingsError
from scenthound.evaluation import tune
from scenthound.output.plots.tuning import Drawn

FEW = ("--model", "vsm", "--links", "60")
ROWS = [f"0.{n % 7},0.{n % 5},0.{n % 3}" for n in range(60)]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with an archive and two topics: every third page is about storms."""
    folder = tmp_path_factory.mktemp("tune")
    with ExitStack() as stack:
        Plant(folder, stack)(*hub(62)).archive.path.rename(folder / "w.warc.gz")
    for name, keyword in (("storms", "storm"), ("coffee", "cake")):
        (folder / f"{name}.toml").write_text(
            f'name = "{name}"\nkeywords = ["{keyword}"]\nseeds = ["{at("/")}"]\n'
        )
    yield folder


@pytest.fixture
def storms(web: Path) -> Words:
    """An archive and a topic."""
    return web / "w.warc.gz", "--topic", web / "storms.toml"


@pytest.fixture
def quick(cli: Command, storms: Words) -> Command:
    return cli.begun("tune", *storms, "--model", "vsm", "--links", "60")


@pytest.fixture
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are drawn in the tests of figures: they take longer than all the rest."""
    monkeypatch.setattr(command, "draw_tuning", lambda tunings, folder: Drawn((), {}))


def tuned(answer: Answer) -> list[dict[str, Any]]:
    assert answer.code == 0, answer.err
    found: list[dict[str, Any]] = json.loads(answer.out)["topics"]
    return found


def advised(out: str) -> list[str]:
    (line,) = [line for line in out.splitlines() if line.startswith("Use the weights: ")]
    return shlex.split(line.removeprefix("Use the weights: "))


def own_links(path: Path, rows: list[str], more: str = "") -> Path:
    path.write_text(f"sim_full,sim_anchor,relevance{more}\n" + "\n".join(rows) + "\n")
    return path


def test_weights_and_errors_are_reported_and_kept(
    quick: Command, web: Path, tmp_path: Path
) -> None:
    out = tmp_path / "tuned"
    answer = quick.ok("--topic", web / "coffee.toml", "--out", out)
    for reported in ("weights", "anchor", "mean absolute errors", "of exact", "1.0000", "mean",
                 "storms: 30 training and 30 test links from",
                 "no convergence: no topic was searched; the exact optimum needs no",
                 f"--strategy vsm --weights {out / 'storms' / 'weights.toml'}"):  # fmt: skip
        assert reported in answer.out
    assert {str(path.relative_to(out)) for path in out.rglob("*.*")} == {
        "storms/weights.toml", "storms/links.csv", "coffee/weights.toml", "coffee/links.csv",
        "tuning.json", "heat-map.svg", "heat-map.csv", "mean-errors.svg", "mean-errors.csv",
    }  # fmt: skip
    topics = json.loads((out / "tuning.json").read_text())["topics"]
    wanted = [(each["topic"], each["collected"]["wanted"]) for each in topics]
    assert wanted == [("storms", 60), ("coffee", 60)]
    weights = read_weights(out / "coffee" / "weights.toml")
    assert weights.model == "vsm"
    assert topics[1]["weights"] == pytest.approx(dict(weights.values), abs=1e-6)


@pytest.mark.usefixtures("no_figures")
def test_written_links_can_be_learned_from(cli: Command, quick: Command, tmp_path: Path) -> None:
    search = ["--optimiser", "ga", "--set", "ga.generations=3", "--random-seed", "5"]
    for format_ in ("csv", "parquet"):
        out = tmp_path / format_
        (found,) = tuned(quick(*search, "-o", out, "-f", format_, "--json"))
        assert json.loads((out / "tuning.json").read_text()) == {"topics": [found]}
        assert (found["optimiser"], found["seed"]) == ("ga", 5)
        assert found["parameters"] == {"generations": 3}
        assert 0.0 < found["share"] <= 1.0
        links = out / "storms" / f"links.{format_}"
        assert len(read_links(links)) == 60
        (again,) = tuned(cli("tune", links, *search, "--json"))
        assert again["weights"] == found["weights"] and again["collected"] is None
    assert "storms: 30 training and 30 test links.\n" in cli("tune", links).out


@pytest.mark.usefixtures("no_figures")
def test_a_crawl_folder_has_its_own(cli: Command, web: Path, storms: Words, tmp_path: Path) -> None:
    for strategy in ("breadth-first", "soft-svsm"):
        cli.ok("replay", *storms, "-s", strategy, "--budget", "63", "--out", tmp_path / "c", "-q")
    crawl, out = tmp_path / "c" / "storms" / "breadth-first", tmp_path / "with space"
    (found,) = tuned(cli("tune", crawl, "--links", "60", "--json"))
    assert (found["topic"], found["model"]) == ("storms", "soft-sdvsm")
    other = cli.ok("tune", crawl, *FEW, "-t", web / "coffee.toml", "-o", out)
    assert "coffee: 30 training" in other.out
    words = advised(other.out)
    assert words[1:3] == ["crawl", "--topic"] and words[4:6] == ["--out", "with space-crawl"]
    assert words[6:] == ["--strategy", "vsm", "--weights", f"{out}/coffee/weights.toml"]
    soft = crawl.with_name("soft-svsm")
    assert tuned(cli("tune", soft, "--links", "40", "--json"))[0]["model"] == "soft-svsm"
    refused(cli("tune", soft, "--set", "vsm.x=1"), "'vsm' is not in use")
    refused(cli("tune", tmp_path / "c"), "breadth-first")


@pytest.mark.usefixtures("no_figures")
def test_structure_and_too_few_links(quick: Command, tmp_path: Path) -> None:
    out = tmp_path / "t"
    answer = quick.ok("--links", "10", "--out", out)
    assert "warning: storms: equal weights, since there are 5 training links" in answer.err
    assert "0.250 0.250  0.250   0.250" in answer.out
    assert set(read_weights(out / "storms" / "weights.toml").values.values()) == {0.25}
    (found,) = tuned(quick("--json", "--structure"))
    assert set(found["weights"]) > {"host", "source", "inlinks"}


def test_pdf_and_wordnet_are_passed_on(quick: Command, tmp_path: Path) -> None:
    asked: list[object] = []
    real = tune.tune

    def noted(*given: object, **options: object) -> object:
        asked.append((options["pdf"], options.get("wordnet")))
        return real(*given, **{**options, "wordnet": None, "pdf": False})  # type: ignore[arg-type]

    quick.monkeypatch.setattr(tune, "tune", noted)
    quick.ok("--pdf", "--wordnet", tmp_path)
    assert asked == [(True, str(tmp_path))]


def test_an_interruption_keeps_the_finished(quick: Command, web: Path, tmp_path: Path) -> None:
    calls: Iterator[Callable[..., Any]] = iter([tune.tune, interrupted])
    quick.monkeypatch.setattr(tune, "tune", lambda *given, **more: next(calls)(*given, **more))
    out = tmp_path / "t"
    answer = quick("-t", web / "coffee.toml", "--out", out)
    assert answer.code == 130 and "interrupted" in answer.err
    assert "storms" in answer.out and "coffee" not in answer.out
    assert (out / "storms" / "weights.toml").exists() and (out / "heat-map.svg").exists()
    assert f"written to {out}: TOPIC/weights.toml" in answer.out
    assert "what was written so far is kept" in answer.err


@pytest.mark.usefixtures("no_figures")
def test_the_command_has_what_was_set(cli: Command, storms: Words, tmp_path: Path) -> None:
    answer = cli(
        "tune", *storms, "--links", "40", "--model", "soft-svsm", "--set", "soft-svsm.power=3",
        "--set", "soft-svsm.measure=wu-palmer", "--out", tmp_path / "a b",
    )  # fmt: skip
    words, weights = advised(answer.out), tmp_path / "a b" / "storms" / "weights.toml"
    assert words[:2] == ["scenthound", "replay"]
    assert words[5:] == [
        "--strategy", "soft-svsm", "--set", "soft-svsm.power=3.0", "--set",
        'soft-svsm.measure="wu-palmer"', "--weights", str(weights),
    ]  # fmt: skip
    cli.ok(*words[1:], "--budget", "5")
    plain = cli("replay", *storms, "--weights", weights, "--budget", "5")
    can = "that can use them (soft-svsm, soft-svsm-mcoa)"
    refused(plain, "strategy 'scent' takes no weights", can)


def test_what_speaks_against_weights_is_a_warning(cli: Command, tmp_path: Path) -> None:
    links = own_links(tmp_path / "l.csv", ROWS)
    far = cli.ok("tune", links, "--optimiser", "sa", "--set", "sa.cold=99.5")
    assert "warning: links: sa reached only 0." in far.err
    assert "take the optimiser exact" in far.err
    path = own_links(tmp_path / "l.csv", [f"{row},train" for row in ROWS], ",half")
    answer = cli.ok("tune", path, "--out", tmp_path / "t")
    assert "warning: links: there are no test links, so nothing says how good" in answer.err
    assert "no heat-map: no topic has test links whose errors are known" in answer.out
    assert not (tmp_path / "t" / "heat-map.svg").exists()
    lacking = cli("tune", own_links(tmp_path / "l.csv", [*ROWS, "0.1,,0.2", ",0.1,nan"]))
    refused(lacking, "sim_anchor in row 62 is empty")


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins to learn has not looked first."""

    def begun(*given: object, **options: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(tune, "tune", begun)
    monkeypatch.setattr(tune, "tune_links", begun)


@pytest.mark.usefixtures("no_work")
def test_bad_options_and_targets(cli: Command, web: Path, storms: Words, tmp_path: Path) -> None:
    archive, links = web / "w.warc.gz", tmp_path / "links.csv"
    links.write_text("a,b\n1,2\n")
    topic = ["-t", web / "storms.toml"]
    for arguments, sentence in (
        ([*storms, "--optimiser", "mcao"], "unknown optimiser 'mcao'; did you mean 'mcoa'"),
        ([*storms, "--optimiser", "?"], "choose one of: exact, ga, hybrid"),
        ([*storms, "--model", "?"], "unknown model '?'; choose one of: bsvsm, elmo, ontology"),
        ([*storms, "--set", "power=3"], "--set power=3: write it as TABLE.KEY=VALUE"),
        ([*storms, "--set", "shark.decay=3"], "what can be set is soft-sdvsm.KEY."),
        ([*storms, "--set", "vsm.x=3"], "'vsm' is not in use; what can be set is soft-sdvsm.KEY"),
        ([*storms, "--set", "ga.generations=3"], "'ga' is not in use"),
        ([*storms, "--set", "exact.x=3"], "optimiser 'exact' has nothing to set"),
        ([*storms, "--set", "soft-sdvsm.pwoer=3"], "did you mean 'power'"),
        ([*storms, "--set", "soft-sdvsm.power=much"], "soft-sdvsm.power takes a value like 4.0"),
        ([*storms, "--optimiser", "ga", "--set", "ga.individuals=100000000000"],
         "individuals takes a whole number from 2 to 100,000, not 100000000000"),
        ([*storms, "--format", "csv"], "give --out too"),
        ([*storms, "--random-seed", "-1"], "--random-seed"),
        ([*storms, "--links", "many"], "--links"),
        ([tmp_path / "none.warc.gz"], "does not exist; give an archive"),
        (["w" * 300 + ".csv"], "does not exist; give an archive"),
        ([archive], "has no topic of its own; give one with --topic"),
        ([tmp_path, *topic], "or a crawl folder"),
        ([links], "it needs a column relevance"),
        ([links, "--topic", "t.toml", "--pdf"], "--topic and --pdf would not be used"),
        ([links, "--structure"], "--structure would not be used"),
        ([links, "--set", "vsm.x=1"], "'vsm' is not in use"),
        ([archive, "-t", tmp_path / "none.toml"], "none.toml"),
        ([archive, *topic, *topic], "given twice; give each one once, or rename a topic"),
    ):  # fmt: skip
        refused(cli("tune", *arguments), sentence)
    (tmp_path / "file").write_text("")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "tuning.json").write_text("{}")
    (tmp_path / "broken" / "storms").mkdir(parents=True)
    (tmp_path / "broken" / "storms" / "weights.toml").write_text("")
    cli.monkeypatch.setattr("scenthound.storage.files.find_spec", lambda name: None)
    for out, sentence in (
        (["old"], "holds a tuning already; choose another --out folder"),
        (["broken"], "holds a tuning already; choose another --out folder"),
        (["file"], "file: Not a directory; choose another folder"),
        (["file/below"], "below: Not a directory; choose another folder"),
        (["w" * 300], "choose another folder"),
        (["t", "--format", "parquet"], "pip install 'scenthound[parquet]'"),
    ):
        refused(cli("tune", *storms, "--out", tmp_path / out[0], *out[1:]), sentence)
    assert {path.name for path in tmp_path.iterdir()} == {"links.csv", "file", "old", "broken"}


def test_what_is_set_goes_to_its_part() -> None:
    found = set_parameters(
        ["soft-svsm.power=3", "ga.generations=7", "soft-svsm.floor=.2"], "soft-svsm", "ga"
    )
    assert found.model == {"power": 3.0, "floor": 0.2}
    assert found.optimiser == {"generations": 7}
    with pytest.raises(SettingsError, match="what can be set is nothing here"):
        set_parameters(["x.y=1"], None, "exact")
