"""Reports of tunings."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import scenthound
from evaluation.tuning_values import searched, tuning
from output.report_making import read
from scenthound.core.errors import FolderError
from scenthound.evaluation.tuning_result import Tuning
from scenthound.output.tuning_report import learn_command, read_tunings, repeat_blocks


def folder_of(path: Path, *tunings: Tuning) -> Path:
    path.mkdir()
    topics = [{**each.to_json(), "collected": {"source": "breadth-first pre-crawl of w.warc"}}
              for each in tunings]  # fmt: skip
    (path / "tuning.json").write_text(json.dumps({"topics": topics}))
    return path


def test_a_tuning_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    written = searched("storms", parameters={"generations": 5}, test_error=float("nan"))
    (stored,) = read_tunings(folder_of(tmp_path / "t", written) / "tuning.json")
    assert stored.tuning.to_json() == written.to_json()
    assert stored.tuning.equal == written.equal and np.isnan(stored.tuning.test_error)
    assert stored.collected["source"] == "breadth-first pre-crawl of w.warc"


def test_weights_errors_and_figures(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "t", searched("storms"), searched("<b>cats</b>"))
    parsed = read(scenthound.report(folder))
    assert "Link weights for storms, <b>cats</b>" in parsed.text and parsed.named("b") == []
    assert "0.9500" in parsed.text and "+25.0%" in parsed.text
    assert "--optimiser ga" in parsed.text and "(links: breadth-first pre-crawl of" in parsed.text
    assert "--strategy vsm --weights" in parsed.text, "though the file names no archive"
    assert "priorities, over links" in parsed.text and "legend the mean over groups" in parsed.text
    names = {each.stem for each in (folder / "report").iterdir()}
    assert names == {"heat-map", "mean-errors", "convergence"}


def test_each_topic_is_learnt_again_into_a_folder_of_its_own(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "tuned", searched("storms"), searched("wild cats"))
    stored = read_tunings(folder / "tuning.json")
    first, second = (block.text for block in repeat_blocks(folder, stored)[1:])
    assert first.endswith("--out tuned-again-storms")
    assert second.endswith("--out tuned-again-wild-cats")
    assert learn_command(folder, stored[0]).endswith("--out tuned-again")


def test_doubts_no_topic_at_all_and_what_is_no_tuning(tmp_path: Path) -> None:
    lame = tuning("storms", (), (), reason="no link has a text.", share=None, test=0)
    text = read(scenthound.report(folder_of(tmp_path / "t", lame))).text
    assert "equal weights, since no link has a text." in text and "nothing to draw" in text
    assert "No topic was tuned" in read(scenthound.report(folder_of(tmp_path / "none"))).text
    for content in ["", "[]", "{}", '{"topics": [{}]}', '{"topics": 3}', "\x00"]:
        (tmp_path / "tuning.json").write_text(content)
        with pytest.raises(FolderError, match="is damaged, or not what"):
            scenthound.report(tmp_path)
