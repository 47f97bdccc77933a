"""``scenthound crawl`` without a topic file, or with more than one says."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from cli.commands import Command
from cli.live_making import FakeEngine
from scenthound.core.model import Topic

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(f'name = "storms"\nkeywords = ["storm"]\nseeds = ["{A}"]\nexclude = ["*x*"]\n')
    return path


def asked(scenthound: Command, engine: FakeEngine, out: Path, *options: str | Path) -> Topic:
    answer = scenthound("crawl", "--out", out, *options)
    assert answer.code == 0, answer.err
    return engine.jobs[0].topic


def test_keywords_and_seeds_are_enough(
    scenthound: Command, engine: FakeEngine, tmp_path: Path
) -> None:
    made = asked(
        scenthound, engine, tmp_path / "c", "--keywords", "typhoon, storm surge", "--seed", A,
        "--seed", B,
    )  # fmt: skip
    assert made == Topic("typhoon", ("typhoon", "storm surge"), (A, B))
    assert made.file is None


def test_name_and_language(scenthound: Command, engine: FakeEngine, tmp_path: Path) -> None:
    made = asked(
        scenthound, engine, tmp_path / "c", "--keywords", "Sturm", "--seed", A, "--name", "weather",
        "--language", "de",
    )  # fmt: skip
    assert (made.name, made.language) == ("weather", "de")


def test_a_file_of_seeds_with_junk(scenthound: Command, engine: FakeEngine, tmp_path: Path) -> None:
    seeds = tmp_path / "s.txt"
    seeds.write_text(f"# mine\n{B}\nnonsense\n{C}\n{B}\n")
    out = tmp_path / "c"
    answer = scenthound("crawl", "--out", out, "--keywords", "storm", "--seeds", seeds, "--seed", A)
    assert answer.code == 0
    assert engine.jobs[0].topic.seeds == (A, B, C)
    assert f"warning: seeds file {seeds}, line 3 is left out" in answer.err


def test_quiet_is_quiet_about_seeds(
    scenthound: Command, engine: FakeEngine, tmp_path: Path
) -> None:
    seeds = tmp_path / "s.txt"
    seeds.write_text(f"nonsense\n{B}\n")
    out = tmp_path / "c"
    answer = scenthound("crawl", "--out", out, "--keywords", "storm", "--seeds", seeds, "--quiet")
    assert (answer.code, answer.err) == (0, "")
    assert engine.jobs[0].topic.seeds == (B,)


def test_seeds_from_stdin(
    scenthound: Command, engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{B}\n"))
    made = asked(scenthound, engine, tmp_path / "c", "--keywords", "storm", "--seeds", "-")
    assert made.seeds == (B,)


def test_what_is_given_beside_a_file_is_added(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    made = asked(
        scenthound, engine, tmp_path / "c", "-t", topic, "--keywords", "gale,storm", "--seed", B,
        "--seed", "http://A.test",
    )  # fmt: skip
    assert made == Topic("storms", ("storm", "gale"), (A, B), exclude=("*x*",))
    assert made.file is None  # it is no longer the file's: a resume compares them


def test_a_file_alone_stays_the_file_s(
    scenthound: Command, engine: FakeEngine, topic: Path, tmp_path: Path
) -> None:
    made = asked(scenthound, engine, tmp_path / "c", "-t", topic, "--seed", A)
    assert made.file == str(topic)


def test_bad_input(scenthound: Command, engine: FakeEngine, tmp_path: Path) -> None:
    for options, words in [
        ([], "there is no topic: give --topic T.toml, or --keywords"),
        (["--seed", A], "there is no topic"),
        (["--keywords", " , ", "--seed", A], "there is no keyword"),
        (["--keywords", "storm"], "topic 'storm' has no seeds: add URLs to start from."),
        (["--keywords", "storm", "--seed", "nowhere"], "a seed is no URL: 'nowhere'"),
        (["--keywords", "storm", "--seed", "5"], "the random generator's is --random-seed"),
        (["--keywords", "storm", "--seeds", "none.txt"], "seeds file none.txt: No such file"),
        (["--keywords", "storm", "--seed", A, "--name", " "], "a topic needs a name"),
        (["--keywords", "storm", "--seed", A, "--deny-host", "a.test"],
         "every seed is denied or excluded, http://a.test/ by deny_host 'a.test'"),
    ]:  # fmt: skip
        answer = scenthound("crawl", "--out", tmp_path / "c", *options)
        assert (answer.code, answer.out) == (2, "")
        assert (
            answer.err.startswith("error: ") and answer.err.count("\n") == 1 and words in answer.err
        )
        assert engine.jobs == [] and not (tmp_path / "c").exists()


def test_a_seed_that_is_denied_is_told_and_the_rest_goes_on(
    scenthound: Command, engine: FakeEngine, tmp_path: Path
) -> None:
    answer = scenthound(
        "crawl", "--out", tmp_path / "c", "--keywords", "storm", "--seed", A, "--seed", B,
        "--deny-host", "b.test", "--exclude", "news",
    )  # fmt: skip
    assert answer.code == 0
    assert engine.jobs[0].seeds == (A,)
    assert f"{B} is left out: host denied (deny_host 'b.test')" in answer.err
    assert "exclude 'news' can match no URL" in answer.err
