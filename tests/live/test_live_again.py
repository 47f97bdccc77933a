"""What did not answer once may answer later; a downloader that dies is replaced, or ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from live.live_replies import broken_off, in_turn, no, ok
from live.live_running import again, check_kept, crawl, job
from live.live_web import LiveWeb, page
from scenthound.core.errors import SettingsError
from scenthound.live.wire import write_frame


def test_seeds_that_never_answered_are_tried_again_on_resuming(tmp_path: Path) -> None:
    with LiveWeb(hosts=1) as web:
        storm = page("Storm", "A storm.")
        seed = web.add(1, "/", in_turn(no(503), no(503), ok(storm)))
        first = crawl(tmp_path / "out", [seed], retries=1)
        assert (first.run.fetched, first.stopped) == (0, "frontier empty")
        assert any("the seed" in told and "status 503" in told for told in first.warned)
        second = again(tmp_path / "out")
    assert second.urls == check_kept(second.folder) == [seed]


def test_a_body_that_is_cut_is_tried_again(tmp_path: Path) -> None:
    storm = page("Storm", "A storm.", ["/2"])
    with LiveWeb(hosts=1) as web:
        seed = web.add(1, "/", in_turn(broken_off(storm), ok(storm)))
        other = web.add(1, "/2", page("Two", "Another storm."))
        kept = crawl(tmp_path / "out", [seed])
    assert kept.urls == check_kept(kept.folder) == [seed, other]
    assert kept.why(seed) == ["broken answer: the body is cut"]


def test_a_body_that_is_cut_every_time_is_kept_as_it_is(tmp_path: Path) -> None:
    storm = page("Storm", "A storm. " * 50)
    with LiveWeb(hosts=1) as web:
        seed = web.add(1, "/", broken_off(storm))
        kept = crawl(tmp_path / "out", [seed], retries=1)
    assert kept.page(seed)["problem"] == "body cut or damaged"


def test_more_examples_than_pages_are_refused() -> None:
    examples = ("http://a.test/1", "http://a.test/2")
    with pytest.raises(SettingsError, match="has 2 example pages to fetch first, more than"):
        job(["http://a.test/"], examples=examples, max_pages=1)


def test_a_downloader_whose_crawl_dies_before_it_is_ready_ends() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "scenthound.live.downloader"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
    ) as child:  # fmt: skip
        assert child.stdin is not None and child.stdout is not None
        write_frame(child.stdin, {"user_agent": "scenthound/0", "log_level": "CRITICAL"})
        child.stdout.close()  # nobody will read that it is ready
        child.stdin.close()
        assert child.wait(20) == 0
