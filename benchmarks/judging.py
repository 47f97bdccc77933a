"""Are the judges any good? Their similarity against the human labels."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scenthound.core.command_options import JUDGES
from scenthound.core.protocols import Judge
from scenthound.crawler.judges import build_judge
from scenthound.crawler.metrics import read_labels
from scenthound.crawler.replay_plan import labelled_targets
from scenthound.crawler.topics.reading import read_topic_profile
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import Archive, open_archive
from scenthound.text.analyzer import Analyzer
from scenthound.text.extract import extract

OTHERS = 500


def judge_quality(web: Path) -> None:
    """Print, by topic and judge, the area under the curve and what the calibrated threshold does.

    The topics name no ontology: the judge by one learns it from the example pages.
    """
    labels = read_labels(web / "labels.tsv")
    with open_archive(web / "schools.warc.gz") as archive:
        everything = list(archive.urls())
        for path in sorted((web / "topics").glob("*.toml")):
            topic = read_topic(path)
            profile = read_topic_profile(topic, archive)
            targets = labelled_targets(archive, topic, labels)
            about = sorted(targets - set(topic.examples))
            others = [url for url in everything if url not in targets]
            random.Random(0).shuffle(others)
            for name in JUDGES:
                judge = build_judge(name, profile, Analyzer(topic.language), None)
                good = _similarities(archive, judge, about)
                bad = _similarities(archive, judge, others[:OTHERS])
                recall, false = np.mean(good >= judge.threshold), np.mean(bad >= judge.threshold)
                print(
                    f"judge by {name} on {topic.name}: AUC {_area(good, bad):.3f}; threshold "
                    f"{judge.threshold:.3f} keeps {recall:.2f} of the labelled pages "
                    f"and {false:.2f} of the others"
                )


def _similarities(archive: Archive, judge: Judge, urls: Sequence[str]) -> np.ndarray:
    values = []
    for url in urls:
        response = archive.fetch(url)
        assert response is not None
        page = extract(response.body, url, response.headers.get("content-type", ""))
        values.append(judge.similarity(page.document))
    return np.array(values)


def _area(good: np.ndarray, bad: np.ndarray) -> float:
    """Chance that a labelled page scores above another one; ties count half."""
    above = (good[:, None] > bad[None, :]).mean()
    equal = (good[:, None] == bad[None, :]).mean()
    return float(above + equal / 2)
