"""``scenthound demo`` and ``bench-web``: made-up webs crawled, served, replayed and scored."""

from __future__ import annotations

import json
import shlex
import socket
from pathlib import Path

import pytest

from cli.commands import Command, interrupted, refused
from sample.sample_once import sample_web
from scenthound.cli.demo import why
from scenthound.evaluation import bench_web
from scenthound.evaluation.bench_web import FINGERPRINTS, NAME, BenchWeb
from scenthound.evaluation.score_card import FIRST_WEB
from scenthound.sample.web import SampleWeb
from scenthound.storage.journal import read_journal

KEPT = {"sample.warc.gz", "topics", "labels.tsv"}


def test_the_live_demo_compares_with_breadth_first(cli: Command, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    answer = cli.ok(
        "demo", "--topic", "cars", "--strategy", "vsm", "--max-pages", "20", "--delay", "0",
        "--out", folder,
    )  # fmt: skip
    rows = {line.split()[0]: line.split()[1:] for line in answer.out.splitlines() if line.split()}
    assert rows["vsm"][0] == rows["breadth-first"][0] == "20"
    assert rows["vsm"][2] == "118"
    assert "Found by vsm, not by breadth-first:" in answer.out
    assert f"scenthound replay {folder}/sample.warc.gz" in answer.out
    assert {path.name for path in folder.iterdir()} == KEPT | {"vsm", "breadth-first"}
    for name in ("vsm", "breadth-first"):
        pages = [e for e in read_journal(folder / name / "journal.jsonl") if e["event"] == "page"]
        assert len(pages) == 20
        assert list((folder / name).glob("pages-*.warc.gz"))


def test_the_replay_shows_who_found_what_and_keeps_the_web(cli: Command, tmp_path: Path) -> None:
    cli.monkeypatch.setattr("scenthound.cli.demo._STRATEGIES", ("breadth-first", "shark", "scent"))
    answer = cli.ok("demo", "--replay", "--topic", "coffee", "--out", tmp_path / "kept")
    assert "Pages about the topic found" in answer.out and "coffee" in answer.out
    assert "storms  " not in answer.out
    assert "Found by scent, not by breadth-first:" in answer.out
    assert {path.name for path in (tmp_path / "kept").iterdir()} == KEPT


def test_bad_input(cli: Command) -> None:
    for options, message in [
        (["--topic", "strom"], "unknown topic of the sample web 'strom'"),
        (["--topic", "storms", "--topic", "coffee"], "the live demo takes one --topic"),
        (["--strategy", "vms"], "did you mean 'vsm'"),
        (["--strategy", "oracle"], "strategy 'oracle'"),
        (["--max-pages", "0"], "--max-pages is 1 or more"),
        (["--delay", "-1"], "--delay is 0 or more, not -1"),
        (["--serve", "--replay"], "--serve and --replay are two things"),
    ]:
        refused(cli("demo", *options), message)
    assert "Invalid value for '--random-seed'" in cli("demo", "--random-seed", "x").err


def test_why_a_page_was_fetched() -> None:
    page = {
        "n": 7, "priority": 0.51, "parts": {"anchor": [0.7, 0.5], "parent": [0.32, 0.5]},
        "inlinks": [[3, 0.51, "the storm"]],
    }  # fmt: skip
    assert why(page) == (
        "page 7, priority 0.51 = anchor 0.70 x 0.50 + parent 0.32 x 0.50; "
        "linked as 'the storm' from page 3"
    )
    assert why({"n": 1, "priority": 0.5}) == "page 1, priority 0.50"
    many = {f"part {n}": [n / 10, 0.2] for n in range(1, 7)}
    assert why({"n": 2, "priority": 0.42, "parts": many}) == (  # the largest of them
        "page 2, priority 0.42 = part 6 0.60 x 0.20 + part 5 0.50 x 0.20 + part 4 0.40 x 0.20"
        " + part 3 0.30 x 0.20 + 2 more"
    )


def test_the_sample_web_is_served_for_crawls_of_ones_own(cli: Command, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    seen: list[str] = []

    def ask_and_end() -> None:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            head = b"GET http://stormwatch.test/ HTTP/1.1\r\nHost: stormwatch.test\r\n\r\n"
            connection.sendall(head)
            seen.append(connection.recv(64).decode("latin-1"))
        raise KeyboardInterrupt

    cli.monkeypatch.setattr("signal.pause", ask_and_end)
    for _ in range(2):  # the folder that is there is served again
        answer = cli.ok("demo", "--serve", "--port", str(port), "--out", tmp_path / "kept")
    assert [reply.split("\r\n")[0] for reply in seen] == ["HTTP/1.1 200 OK"] * 2
    assert f"--topic {tmp_path}/kept/topics/storms.toml" in answer.out
    assert f"--proxy http://127.0.0.1:{port}" in answer.out and "no longer served" in answer.out
    assert {path.name for path in (tmp_path / "kept").iterdir()} == KEPT


def test_a_port_that_is_taken(cli: Command, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for line in (["demo"], ["bench-web", "--out", tmp_path / "x"]):
            answer = cli(*line, "--serve", "--port", port)
            assert answer.code == 2 and "give another one" in answer.err
    assert not (tmp_path / "x").exists()


TOPIC = "big cats"


@pytest.fixture(scope="module")
def web() -> SampleWeb:
    return sample_web(FIRST_WEB)


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch, web: SampleWeb) -> None:
    """One topic (two with --quick) of one web, and breadth-first and the oracle beside it."""

    def made(quick: bool) -> BenchWeb:
        return BenchWeb((web,), (TOPIC, "coffee") if quick else (TOPIC,))

    monkeypatch.setattr("scenthound.evaluation.bench_web.build_bench_web", made)
    monkeypatch.setattr("scenthound.evaluation.bench_web.build", sample_web)
    monkeypatch.setattr(bench_web, "REFERENCES", ("breadth-first", "oracle"))
    monkeypatch.setattr(bench_web, "BUDGET", "60")


def test_a_strategy_of_a_package_has_a_card(cli: Command, packages: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "card.json", tmp_path / "out"
    answer = cli.ok(
        "bench-web", "--strategy", "url-words enough=1", "--json", file, "--out", out,
        "--workers", "1", "--cache", tmp_path / "kept",
    )  # fmt: skip
    assert any((tmp_path / "kept").iterdir())
    assert f"{NAME}, a part of it: 1 web, 1 topic, budget 60" in answer.out
    assert f"web 11 (fingerprint {FINGERPRINTS[11]})" in answer.out
    assert "% of the way from breadth-first to the oracle" in answer.out
    assert "no proof for the real web" in " ".join(answer.out.split())
    assert "3/3 web-11 big cats" in answer.err
    card = json.loads(file.read_text())
    assert card == json.loads((out / "score-card.json").read_text())
    names = ["breadth-first", "oracle", "url-words enough=1"]
    assert [line["strategy"] for line in card["strategies"]] == names
    assert (card["benchmark"], card["known"], card["errors"]) == (NAME, True, [])
    assert card["webs"] == [{"web": 11, "fingerprint": FINGERPRINTS[11]}]
    assert card["strategies"][2]["labelled_harvest"]["mean"] > 0.0


def test_one_that_fails_is_reported(cli: Command, packages: Path, tmp_path: Path) -> None:
    answer = cli("bench-web", "-s", "failing", "--quick", "--workers", "1")
    assert answer.code == 1 and "Traceback" not in answer.err
    assert answer.out.count("strategy 'failing' failed in score(): ZeroDivisionError") == 1
    assert "failing: 2 of 2 runs failed" in answer.out and "Harvest by topic" in answer.out
    assert answer.err.endswith("warning: 2 runs failed\n") and "error: " not in answer.err
    # and without tables too
    options = ["--workers", "1", "--out", tmp_path / "the card", "--quiet", "--json", "-"]
    answer = cli("bench-web", "-s", "failing", *options)
    assert answer.code == 1 and json.loads(answer.out)["errors"]
    counted, reason, ending = answer.err.splitlines()
    assert counted == "failing: 1 of 1 runs failed"
    assert reason.startswith("  StrategyError: strategy 'failing' failed in score()")
    assert ending == (
        "warning: 1 run failed; try it again with: scenthound bench-web --strategy=failing"
        f" --json=- --workers=1 '--out={tmp_path / 'the card'}'"
    )


def test_ctrl_c_names_the_command_that_goes_on(cli: Command, tmp_path: Path) -> None:
    out, kept = tmp_path / "out", tmp_path / "kept"
    given = ["--strategy=shark decay=0.3", "--workers=1", f"--cache={kept}"]
    with cli.monkeypatch.context() as patched:
        patched.setattr("scenthound.cli.compare.CompareBars.ended", interrupted)
        answer = cli("bench-web", *given, f"--out={out}")
        assert cli("bench-web", "--workers=1").err.count("go on") == 0, "nothing is kept"
    assert answer.code == 130
    reported = answer.err[answer.err.index("go on with: ") :].splitlines()[0]
    again = shlex.split(reported.removeprefix("go on with: "))
    assert again == ["scenthound", "bench-web", *given, f"--out={out}"]
    after = cli.ok(*again[1:])
    assert "1 of 3 runs are finished already" in after.err


def test_another_crawler_is_scored(cli: Command, web: SampleWeb, tmp_path: Path) -> None:
    found = sorted(url for url, name in web.labels.items() if name == TOPIC)
    (tmp_path / "mine.txt").write_text("\n".join([*found[:20], "nothing"]))
    answer = cli.ok(
        "bench-web", "--score", tmp_path / "mine.txt", "--topic", TOPIC, "--web", str(FIRST_WEB),
        "--json", "-", "--quiet", "--workers", "1",
    )  # fmt: skip
    assert "1 lines hold no URL" in answer.err
    card = json.loads(answer.out)
    assert card["webs"] == [{"web": FIRST_WEB, "fingerprint": FINGERPRINTS[FIRST_WEB]}]
    mine = card["strategies"][-1]
    assert mine["strategy"] == "mine.txt" and mine["speed"] is None
    assert mine["target_recall"] == pytest.approx(20 / len(found), abs=1e-6)


def test_it_is_served_for_any_crawler(cli: Command, tmp_path: Path, web: SampleWeb) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    page = next(url for url, answer in web.responses.items() if answer.is_page)
    seen: list[bytes] = []

    def ask_and_end() -> None:
        with socket.create_connection(("127.0.0.1", port)) as asked:
            asked.sendall(f"GET {page} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            seen.append(asked.recv(15))
        raise KeyboardInterrupt

    cli.monkeypatch.setattr("signal.pause", ask_and_end)
    line = ["bench-web", "--serve", "--port", str(port), "--out"]
    answer = cli.ok(*line, tmp_path)
    assert seen == [b"HTTP/1.1 200 OK"], answer.err
    assert f"the proxy http://127.0.0.1:{port}" in answer.out and "big cats 60" in answer.out
    assert "scenthound bench-web --score FILE --web 11 --topic storms" in answer.out
    assert f"web 11 (fingerprint {FINGERPRINTS[11]})" in answer.out
    about = json.loads((tmp_path / "bench-web.json").read_text())
    assert about["fingerprint"] == FINGERPRINTS[11]
    assert (tmp_path / "seeds" / "storms.txt").exists()
    cli.ok(*line, tmp_path / "labelled", "--with-labels")
    assert [path.parent.name for path in tmp_path.rglob("labels.tsv")] == ["labelled"]


def test_what_cannot_be_is_refused(cli: Command, tmp_path: Path) -> None:
    empty = tmp_path / "urls"
    empty.touch()
    for options, words in [
        (["--strategy", "sharc"], "did you mean 'shark'"),
        (["--strategy", "shark", "--topic", "coffee"], "--topic would not be used without"),
        (["--serve", "--cache", "none"], "--cache would not be used with --serve"),
        (["--serve", "--with-labels"], "--with-labels needs --out"),
        (["--serve", "--web", "7"], "unknown web of bench-web '7'"),
        (["--serve", "--score", "x"], "are two things"),
        (["--score", "x"], "--score needs the --topic"),
        (["--score", "x", "--topic", "tea"], "unknown topic of bench-web 'tea'"),
        (["--score", "x", "--topic", "coffee", "--out", "y"], "--out would not be used with"),
        (["--json", "/no/such/folder/x"], "there is no folder"),
        (["--workers", "0"], "Invalid value for '--workers'"),
        (["--score", str(empty), "--topic", TOPIC], "holds no address; give one URL a line"),
    ]:
        answer = cli("bench-web", *options)
        assert answer.code == 2 and words in " ".join(answer.err.split()), answer.err
        assert answer.out == ""
