"""The downloader process: it starts, responds, and never outlives the process that started it."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from scenthound.core.urls import PRIVATE
from scenthound.fetch.client import (
    DownloaderClient,
    DownloaderError,
    read_frame,
    request_head,
    write_frame,
)
from scenthound.fetch.messages import FetchError, FetchRequest, Purpose
from scenthound.fetch.network import Network

AGENT = "scenthound/1"
PASSWORD = "pa55-w0rd"
INSIDE = FetchRequest("http://127.0.0.1:1/")
SECONDS = 20.0
"""Longer than anything here takes: a test that would hang fails instead."""


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A downloader that is ready, without anybody to look after it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scenthound.fetch.downloader"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    try:
        write_frame(process.stdin, {**asdict(Network(AGENT)), "log_level": "CRITICAL"})
        assert read_frame(process.stdout) == ({"ready": True}, b"")
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if not stream.closed:
                stream.close()


def test_it_ends_when_nobody_hears_the_answers(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin is not None and child.stdout is not None
    child.stdout.close()
    write_frame(child.stdin, request_head(INSIDE))
    assert child.wait(SECONDS) == 0


def test_it_ends_when_its_crawl_dies_before_it_is_ready() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "scenthound.fetch.downloader"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        write_frame(process.stdin, {"user_agent": AGENT, "log_level": "CRITICAL"})
        process.stdout.close()  # nobody will read that it is ready
        process.stdin.close()
        assert process.wait(SECONDS) == 0


def test_answers_come_for_every_request_and_the_process_ends_with_the_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("scrapy", "twisted", "json", "scenthound"):
        (tmp_path / f"{name}.py").write_text("open('imported', 'w').close()")
    monkeypatch.chdir(tmp_path)
    asks = [INSIDE, FetchRequest("http://[::1]/robots.txt", Purpose.ROBOTS, "http://other.test", 1)]
    network = Network(AGENT, auth=(f"a.test=me:{PASSWORD}",))
    with DownloaderClient(network) as downloads:
        downloads.fetch([])
        downloads.fetch(asks)
        answers = [downloads.inbox.get(timeout=SECONDS) for _ in asks]
        process = downloads._process
        assert process.poll() is None
        assert os.getsid(process.pid) == process.pid  # Ctrl-C is not for it
    assert not (tmp_path / "imported").exists()  # nothing of the folder that one is in
    assert isinstance(process.args, list) and "scenthound.fetch.downloader" in process.args
    assert PASSWORD not in " ".join([*process.args, *os.environ.values()])
    told = [(a.request, a.reason, a.may_retry) for a in answers if isinstance(a, FetchError)]
    assert told == [(ask, PRIVATE, False) for ask in asks]
    assert process.returncode == 0


def test_a_process_that_is_killed_is_noticed() -> None:
    with DownloaderClient(Network(AGENT)) as downloads:
        os.kill(downloads._process.pid, signal.SIGKILL)
        ended = downloads.inbox.get(timeout=SECONDS)
        assert isinstance(ended, DownloaderError)
        assert str(ended) == "the downloader ended: no reason"
        downloads.fetch([INSIDE] * 3)  # nobody hears it, and nothing breaks
        with pytest.raises(queue.Empty):
            downloads.inbox.get_nowait()


def test_a_process_that_cannot_begin_says_why() -> None:
    network = Network(AGENT)
    object.__setattr__(network, "timeout", "none")  # as no user can
    with pytest.raises(DownloaderError, match=r"ended: .*'none'"):
        DownloaderClient(network).__enter__()
