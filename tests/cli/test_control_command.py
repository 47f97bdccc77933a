"""``scenthound resume``, ``pause`` and ``stop``; and how quiet commands are."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.commands import Command, refused
from cli.live_making import FakeEngine, made_run
from scenthound.cli import control as command
from scenthound.core.errors import FolderError, SettingsError, warn_caller
from scenthound.core.events import Event, StoppedEvent, Summary
from scenthound.core.model import Topic
from scenthound.crawler import crawl
from scenthound.crawler.control import ControlRequests
from scenthound.crawler.job import LiveJob
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.seeds import finder as seeds
from scenthound.storage.folder import PAUSE, STOP, CrawlFolder, FolderLock
from scenthound.storage.journal import FileJournal
from scenthound.strategies.catalogue import CATALOGUE

TOPIC = Topic("storms", ("storm",), ("http://stormwatch.test/",))
OPTIONS = CrawlOptions(max_pages=50, max_time=60.0, delay=0.5)
JOB = LiveJob(TOPIC, CATALOGUE["shark"], {"decay": 0.3}, OPTIONS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return made(tmp_path / "c", JOB, StoppedEvent(9.0, "stopped", Summary(fetched=20)))


def made(path: Path, job: LiveJob, *events: Event) -> Path:
    made = CrawlFolder.create(path, job.crawl_spec())
    with closing(FileJournal(made.journal_path)) as journal:
        for event in events:
            journal.append(event)
    return path


@pytest.fixture
def running(folder: Path) -> Iterator[Path]:
    with FolderLock(folder):
        yield folder


def test_files_that_have_moved(cli: Command, engine: FakeEngine, tmp_path: Path) -> None:
    cookies, netrc = tmp_path / "cookies.txt", tmp_path / "netrc"
    options = OPTIONS.changed(cookie_file=str(tmp_path / "old.txt"), netrc=str(netrc))
    event = StoppedEvent(9.0, "stopped", Summary(fetched=20))
    path = made(tmp_path / "c", replace(JOB, options=options), event)
    cookies.touch()
    netrc.touch()
    refused(
        cli("resume", path), f"there is no file {tmp_path / 'old.txt'}, which the crawl in",
        f"resume {path} --cookie-file FILE",
    )  # fmt: skip
    cli.ok("resume", path, "--cookie-file", cookies)
    assert engine.jobs[0].options == options.changed(cookie_file=str(cookies))
    netrc.unlink()
    refused(cli("resume", path, "--cookie-file", cookies), f"{path} --netrc FILE")
    cli("resume", path, "--cookie-file", cookies, "--netrc", cookies)
    assert engine.jobs[1].options.netrc == str(cookies)


def test_quiet_json_logs(cli: Command, engine: FakeEngine, folder: Path, tmp_path: Path) -> None:
    engine.warns = True
    assert "warning: something" in cli("resume", folder).err
    printed = [cli("resume", folder, "--log-level", level).err for level in ("debug", "error")]
    assert ["a line of the log" in each for each in printed] == [True, False]
    engine.run = made_run("interrupted")
    answer = cli("resume", folder, "-q", "--json", tmp_path / "f.json")
    assert (answer.code, answer.out, answer.err) == (130, "", "")
    assert json.loads((tmp_path / "f.json").read_text())["runs"][0]["stopped"] == "interrupted"


def test_old_requests_are_withdrawn(cli: Command, engine: FakeEngine, folder: Path) -> None:
    requests = ControlRequests(folder)
    requests.leave(PAUSE)
    requests.leave(STOP)
    cli.ok("resume", folder, "-q")
    assert not requests.is_left(PAUSE) and not requests.is_left(STOP)


def test_the_folder_has_everything(cli: Command, engine: FakeEngine, folder: Path) -> None:
    for options, words in [
        (["--max-pages", "5"], ["has fetched 20 pages", "over all its runs", "--max-pages 40"]),
        (["--max-pages", "x"], ["--max-pages takes a whole number"]),
        (["--max-time", "never"], ["--max-time takes a time such as"]),
        (["--proxy", "x"], ["--proxy 'x' is no proxy"]),
        (["--json", "no/such/f.json"], ["there is no folder no/such"]),
    ]:
        refused(cli("resume", folder, *options), *words)
        assert engine.jobs == []
    answer = cli.ok("resume", folder)
    assert (engine.jobs, engine.folders) == ([JOB], [folder])
    assert "storms: shark crawls into" in answer.err and "up to 50 pages" in answer.err
    more = ("--max-pages", "80", "--max-time", "5m", "--proxy", "http://p.test:1")
    assert "up to 80 pages" in cli.ok("resume", folder, *more).err
    wanted = OPTIONS.changed(max_pages=80, max_time=300.0, proxy="http://p.test:1")
    assert engine.jobs[1].options == wanted


def test_a_crawl_whose_pages_are_spent(cli: Command, engine: FakeEngine, tmp_path: Path) -> None:
    spent = made(tmp_path / "spent", JOB, StoppedEvent(9.0, "budget spent", Summary(fetched=50)))
    refused(cli("resume", spent), "has fetched 50 pages", "--max-pages 100")
    cli.ok("resume", spent, "--max-pages", "60")
    late = made(tmp_path / "late", JOB, StoppedEvent(9.0, "time is up", Summary(fetched=9)))
    refused(cli("resume", late), "reached --max-time", "--max-time 120")
    refused(cli("resume", late, "--max-time", "30"), "reached --max-time")
    cli.ok("resume", late, "--max-time", "2m")
    killed = made(tmp_path / "killed", JOB, StoppedEvent(9.0, "stopped", Summary(fetched=50)))
    with (killed / "journal.jsonl").open("a") as journal:  # at its last page: it goes on
        journal.write('{"event":"resumed","at":10,"budget":50}\n{"event":"pa')
    cli.ok("resume", killed)


def test_a_topic_that_has_changed(cli: Command, engine: FakeEngine, tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    text = 'name = "storms"\nkeywords = ["storm"]\nseeds = ["http://stormwatch.test/"]\n'
    file.write_text(text)
    path = made(tmp_path / "c", replace(JOB, topic=replace(TOPIC, file=str(file))))
    assert "has changed" not in cli("resume", path).err
    for changed in (text.replace('["storm"]', '["hail"]'), "name ="):
        file.write_text(changed)
        answer = cli("resume", path)
        assert f"warning: topic file {file} has changed since" in answer.err
        assert "goes on with the topic it began with" in answer.err
    assert engine.jobs[-1].topic.keywords == ("storm",)
    file.unlink()
    assert "warning" not in cli("resume", path).err


def test_a_running_crawl_is_paused(cli: Command, engine: FakeEngine, running: Path) -> None:
    assert cli("pause", running).err == (
        f"the crawl in {running} pauses; go on with: scenthound resume {running}\n"
    )
    assert ControlRequests(running).is_left(PAUSE)
    refused(cli("resume", running, "--max-pages", "9"), "is running and --max-pages cannot")
    answer = cli("resume", running)
    assert (answer.code, answer.err) == (0, f"the crawl in {running} was paused and goes on\n")
    assert not ControlRequests(running).is_left(PAUSE)
    assert engine.jobs == []
    refused(cli("resume", running), "is running already")
    with pytest.raises(FolderError, match="is running already"):
        crawl.resume(running)
    assert "is asked to stop" in cli.ok("stop", running, "--no-wait").err
    assert ControlRequests(running).is_left(STOP)
    waited: list[float] = []
    cli.monkeypatch.setattr(time, "sleep", waited.append)
    assert "is asked to stop" in cli("stop", running).err
    assert sum(waited) == pytest.approx(command.STOP_SECONDS)


def test_stop_waits_until_the_folder_is_free(cli: Command, folder: Path, tmp_path: Path) -> None:
    lock = FolderLock(folder)
    cli.monkeypatch.setattr(time, "sleep", lambda seconds: lock.release())
    assert cli.ok("stop", folder, "--wait").err == (
        f"the crawl in {folder} has stopped; go on with: scenthound resume {folder}\n"
    )
    folder = CrawlFolder.create(tmp_path / "r", replace(JOB.crawl_spec(), kind="replay")).path
    lock = FolderLock(folder)
    cli.monkeypatch.setattr(time, "sleep", lambda seconds: lock.release())
    cli.ok("pause", folder)
    assert ControlRequests(folder).is_left(PAUSE)
    assert cli.ok("stop", folder).err == f"the crawl in {folder} has stopped\n"


def test_what_does_not_run_cannot_be_paused(cli: Command, folder: Path, tmp_path: Path) -> None:
    replay = CrawlFolder.create(tmp_path / "r", replace(JOB.crawl_spec(), kind="replay")).path
    for name in ["pause", "stop"]:
        refused(cli(name, folder), "no crawl is running in", f"scenthound resume {folder}")
        assert not ControlRequests(folder).is_left(name)
        answer = cli(name, replay)
        refused(answer, "no replay is running in", "run it again")
        assert "resume" not in answer.err
    refused(cli("resume", replay), "holds a replay, which cannot be resumed")
    crawl_spec = json.loads((folder / "crawl.json").read_text())
    (folder / "crawl.json").write_text(json.dumps({**crawl_spec, "settings": {"delay": "x"}}))
    refused(cli("resume", folder), "damaged")
    (tmp_path / "empty").mkdir()
    for name in ["resume", "pause", "stop"]:
        for where in ("empty", "nowhere"):
            refused(cli(name, tmp_path / where), where, "holds no crawl")


def test_a_bug_while_resuming(cli: Command, engine: FakeEngine, folder: Path) -> None:
    engine.error = ZeroDivisionError("by nothing")
    with pytest.raises(ZeroDivisionError):
        cli("resume", folder, "-q")
    assert cli.capsys.readouterr().err.endswith(f"Go on with: scenthound resume {folder}\n")


def test_passwords_are_given_again(cli: Command, engine: FakeEngine, tmp_path: Path) -> None:
    options = CrawlOptions(auth=("a.test=me:secret", "b.test=me:secret"))
    folder = made(tmp_path / "c", replace(JOB, options=options))
    assert "secret" not in CrawlFolder(folder).spec_path.read_text()
    answer = cli.ok("resume", folder, "--auth", "A.test=me:other")
    assert engine.jobs[0].options.auth == ("A.test=me:other",)
    assert "warning: the crawl had a password for b.test, which is not kept" in answer.err
    answer = cli("resume", folder)
    assert "password for a.test, b.test" in answer.err


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[CrawlOptions]]:
    """The options that a search for seeds is asked with; it is then broken off."""
    found: list[CrawlOptions] = []

    def find_seeds(*given: Any, options: CrawlOptions, **others: Any) -> None:
        found.append(options)
        warn_caller("something")
        raise SettingsError("that is enough.")

    monkeypatch.setattr(seeds, "find_seeds", find_seeds)
    yield found
    assert found


def test_a_search_heeds_the_options(cli: Command, asked: list[CrawlOptions], topic: Path) -> None:
    assert "warning: something" in cli("seeds", topic, "--pdf", "--stay").err
    more = ("--set", "crawl.stay=true", "--follow-external", "--quiet")
    assert cli("seeds", topic, *more).err == "error: that is enough.\n"
    assert [(each.pdf, each.stay) for each in asked] == [(True, True), (False, False)]
