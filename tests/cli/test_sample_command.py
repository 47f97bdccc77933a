"""``scenthound sample`` and ``score``: from a crawl to figures that a person has judged."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

import scenthound as package
from cli.commands import Answer, Command, pipe, refused, written
from scenthound.cli.judging import judge_pages
from scenthound.evaluation.judged_file import read_judged
from scenthound.storage.stored_crawl import open_crawl


@pytest.fixture(scope="module")
def crawled(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawled") / "crawl"
    topic = package.read_topic(sample / "topics" / "storms.toml")
    package.replay(sample / "sample.warc.gz", topic, "vsm", budget=150, out=folder)
    return folder


def drawn(cli: Command, crawled: Path, out: Path, *options: str | Path) -> Answer:
    return cli("sample", crawled, "--n", "40", "--out", out, *options)


def test_draw_judge_and_score(cli: Command, crawled: Path, sample: Path, tmp_path: Path) -> None:
    judged = tmp_path / "judged.csv"
    answer = drawn(cli, crawled, judged, "--labels", sample / "labels.tsv")
    assert answer.code == 0, answer.err
    assert "40 pages; 40 judged" in answer.err
    assert f"scenthound score {crawled} {judged}" in answer.err
    found = cli.ok("score", crawled, judged)
    rows = [line.split() for line in found.out.splitlines()]
    assert [row[1] for row in rows if row[:1] == ["band"]] == ["1:", "2:", "3:", "4:", "5:"]
    assert "called relevant" in found.out and "95 % interval" in found.out
    assert max(map(len, found.out.split("\nPrecision")[0].splitlines())) <= 88
    assert "Precision 0.9 by the estimate: from relevance" in found.out
    # The labels are the truth here, and all documents are few enough to count.
    options = ["--confidence", "0.99", "--precision", "0.8", "--json"]
    shares = json.loads(cli("score", crawled, judged, *options).out)
    about = package.read_labels(sample / "labels.tsv").of("storms")
    with open_crawl(crawled) as crawl:
        documents = [record for record in crawl.pages() if record.has_document]
    called = [record.url in about for record in documents if record.relevant]
    all_true = sum(record.url in about for record in documents)
    assert shares["documents"] == len(documents) and shares["advice"]["wanted"] == 0.8
    for name, true in (
        ("called_relevant", sum(called) / len(called)),
        ("all_documents", all_true / len(documents)),
        ("recall", sum(called) / all_true),
    ):
        assert shares[name]["low"] <= true <= shares[name]["high"], name


def test_a_sample_that_is_there_goes_on(cli: Command, crawled: Path, tmp_path: Path) -> None:
    judged = tmp_path / "judged.csv"
    drawn(cli, crawled, judged)
    answer = cli.ok("sample", crawled, "--n", "50", "--out", judged)
    assert "50 pages, 40 of them from before; 0 judged" in answer.err
    assert len(read_judged(judged).lines) == 50


def test_bad_input(cli: Command, crawled: Path, tmp_path: Path) -> None:
    cli.monkeypatch.chdir(tmp_path)
    for options, message in [
        (["--n", "3"], "n is 10 or more"),
        (["--judge"], "--judge needs a terminal"),
        (["--show-relevance"], "goes with --judge"),
        (["--labels", "none.tsv"], "none.tsv: No such file"),
        (["--out", "no/such/folder.csv"], "cannot be written"),
    ]:
        refused(cli("sample", crawled, *options), message)
        assert list(tmp_path.glob("*.csv")) == []
    refused(cli("sample", tmp_path), "holds no crawl")
    assert "Invalid value for '--random-seed'" in cli("sample", crawled, "--random-seed", "x").err
    for text, options, message in [
        ("", [], "is empty"),
        ("url,judgement\nhttp://elsewhere.test/,yes\n", [], "there is nothing to score"),
        ("url,judgement\n", ["--confidence", "95"], "is more than 0 and at most 1, not 95"),
    ]:
        (tmp_path / "judged.csv").write_text(text)
        refused(cli("score", crawled, tmp_path / "judged.csv", *options), message)
    refused(cli("score", tmp_path, tmp_path / "none.csv"), "holds no crawl")


def test_lines_that_cannot_be_used_are_named(cli: Command, crawled: Path, tmp_path: Path) -> None:
    with open_crawl(crawled) as crawl:
        urls = [record.url for record in crawl.pages() if record.has_document][:2]
    judged = tmp_path / "mine.csv"
    unknown = "".join(f"http://elsewhere.test/{i};no\n" for i in range(25))
    judged.write_text(f"URL;Judgement\n{urls[0]};y\n{urls[1]};\x1b[31mred\n{unknown}")
    answer = cli.ok("score", crawled, judged)
    assert "no random sample of it, and the intervals do not hold" in answer.err
    assert "mine.csv, line 3: " in answer.err and "is no judgement" in answer.err
    assert "mine.csv, line 4: http://elsewhere.test/0 is no page of this crawl." in answer.err
    assert "mine.csv: 21 more lines like these." in answer.err
    assert "\x1b" not in answer.out + answer.err
    assert "too few judgements for a threshold" in answer.out


def test_an_exported_table_is_scored(cli: Command, crawled: Path, tmp_path: Path) -> None:
    package.export(crawled, tmp_path / "pages.csv", "csv", fields=["url", "text"])
    text = (tmp_path / "pages.csv").read_bytes().decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    with (tmp_path / "judged.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow([*rows[0], "judgement"])
        table.writerows([url, body * 200, "yes"] for url, body in rows[1:])
    answer = cli.ok("score", crawled, tmp_path / "judged.csv")
    assert f"{len(rows) - 1} pages judged" in answer.out


def test_judging_on_the_terminal(crawled: Path, tmp_path: Path) -> None:
    judged = tmp_path / "judged.csv"
    made = package.draw_sample(crawled, judged, 10)
    typed = iter(["y", "what?", "n", "b", "?", "b", "b", "b", "n", "q"])
    screen = pipe(100)
    with open_crawl(crawled) as crawl:
        judge_pages(crawl, judged, made.file, screen, lambda _: next(typed), show_relevance=False)
    shown = written(screen)
    first, second, third, *_ = read_judged(judged).lines
    assert [line.cell("judgement") for line in (first, second, third)] == ["no", "?", ""]
    assert "[1 of 10]" in shown and "[3 of 10]" in shown and first.cell("url") in shown
    assert "storm" in shown.lower() and "relevance" not in shown
    judged = tmp_path / "other.csv"
    file = package.draw_sample(crawled, judged, 10).file
    titled = replace(file.lines[0], cells={**file.lines[0].cells, "title": "'=1+1 storms"})
    titled_file = replace(file, lines=(titled, *file.lines[1:]))
    screen, asked = pipe(100), []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return "q"

    with open_crawl(crawled) as crawl:
        judge_pages(crawl, judged, titled_file, screen, ask, show_relevance=False)
    assert "[1 of 10] =1+1 storms" in written(screen) and "Enter" in asked[0]


def test_judging_from_the_command(cli: Command, crawled: Path, tmp_path: Path) -> None:
    answers = iter(["yes"] * 4 + ["no"] * 6)
    cli.monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    cli.monkeypatch.setattr("builtins.input", lambda *_: next(answers))
    judged = tmp_path / "judged.csv"
    options = ["--judge", "--show-relevance", "--n", "10", "--out", judged]
    answer = cli.ok("sample", crawled, *options)
    assert "10 pages; 10 judged" in answer.err and "relevance 0." in answer.err
    printed = [line.cell("judgement") for line in read_judged(judged).lines]
    assert printed == ["yes"] * 4 + ["no"] * 6


def test_from_python(crawled: Path, sample: Path, tmp_path: Path) -> None:
    labels = package.read_labels(sample / "labels.tsv")
    made = package.draw_sample(crawled, tmp_path / "j.csv", 40, labels=labels)
    assert (made.added, made.kept) == (40, 0)
    found = package.score(crawled, tmp_path / "j.csv")
    assert found.drawn_at_random and found.called_relevant is not None
    with pytest.raises(package.InputError, match="n takes a whole number"):
        package.draw_sample(crawled, tmp_path / "k.csv", "40")
    with pytest.raises(package.InputError, match="judged is an empty path"):
        package.score(crawled, "")
    (tmp_path / "list.csv").write_text(f"{found.judgements.judged[0].page.url},yes\n")
    with pytest.warns(package.ScenthoundWarning, match="do not hold"):
        package.score(crawled, tmp_path / "list.csv")
    topic = package.read_topic(sample / "topics" / "storms.toml")
    for name, budget in (("small", 40), ("large", 60)):
        archive = sample / "sample.warc.gz"
        package.replay(archive, topic, "vsm", budget=budget, out=tmp_path / name)
    package.draw_sample(tmp_path / "small", tmp_path / "g.csv", 20)
    with pytest.warns(package.ScenthoundWarning, match="first 40 pages of 60"):
        made = package.draw_sample(tmp_path / "large", tmp_path / "g.csv", 30)
    assert made.of.pages == 40 and len(made.file.lines) == 30
