"""``scenthound demo``: the sample web crawled live on loopback, or replayed."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from cli.commands import Command, refused
from scenthound.cli.demo import why
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


def test_the_replay_shows_who_found_what_and_keeps_the_web(
    cli: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scenthound.cli.demo._STRATEGIES", ("breadth-first", "shark", "scent"))
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


def test_the_sample_web_is_served_for_crawls_of_ones_own(
    cli: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    seen: list[str] = []

    def ask_and_end() -> None:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            head = b"GET http://stormwatch.test/ HTTP/1.1\r\nHost: stormwatch.test\r\n\r\n"
            connection.sendall(head)
            seen.append(connection.recv(64).decode("latin-1"))
        raise KeyboardInterrupt

    monkeypatch.setattr("scenthound.cli.demo.wait_for_signal", ask_and_end)
    for _ in range(2):  # the folder that is there is served again
        answer = cli.ok("demo", "--serve", "--port", str(port), "--out", tmp_path / "kept")
    assert [reply.split("\r\n")[0] for reply in seen] == ["HTTP/1.1 200 OK"] * 2
    assert f"--topic {tmp_path}/kept/topics/storms.toml" in answer.out
    assert f"--proxy http://127.0.0.1:{port}" in answer.out and "no longer served" in answer.out
    assert {path.name for path in (tmp_path / "kept").iterdir()} == KEPT


def test_a_port_that_is_taken(cli: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        answer = cli("demo", "--serve", "--port", str(taken.getsockname()[1]))
    assert answer.code == 2 and "give another one" in answer.err
