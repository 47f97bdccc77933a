"""What does a replay with ``sentences`` cost beside ``vsm``, once its texts are in the cache?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.neural.candidates import chosen, require_libraries
from benchmarks.neural.encoding import in_turn
from benchmarks.neural.imports import seconds_of
from benchmarks.neural.schools import ARCHIVE, TOPIC
from scenthound.crawler.metrics import Result, read_labels
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayJob, ReplayPlan
from scenthound.similarity.bert import load_bert
from scenthound.similarity.encoders import ModelRuntime
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.cache import VectorCache
from scenthound.strategies.catalogue import CATALOGUE

BAR = 2.0
BUDGET = "2x"
WAYS = ("vsm", "sentences-light", "sentences")
_LOADING = "from scenthound.similarity.bert import load_bert as load; load().encode(['now'])"


def warm_replay(web: Path, equipment: ModelRuntime, budget: str = BUDGET) -> None:
    """Print the wall time of whole replays of one topic, in turn, and the ratios to ``vsm``.

    The first run with ``sentences`` fills a cache of its own, the others open it again. Loading
    PyTorch and the weights is printed by itself: it is paid once in a process, not for each replay.
    """
    require_libraries(chosen(WAYS[-1:]))
    with TemporaryDirectory() as folder, open_archive(web / ARCHIVE) as archive:
        replays = {
            name: partial(_replay, archive, _job(archive, web, name, budget), equipment, folder)
            for name in WAYS
        }
        loading = seconds_of(_LOADING) or 0.0
        load_bert(equipment=equipment).encode(["the weights are loaded now"])
        cold = replays["sentences"]()
        seconds = in_turn(replays)
    least = median(seconds["vsm"])
    print(
        f"replay of {TOPIC}, {cold.fetched} pages: sentences {cold.seconds:.1f} s with an empty "
        f"cache; PyTorch and the weights {loading:.1f} s, once in a process"
    )
    for name, times in seconds.items():
        bar = f" (bar: {BAR})" if name == "sentences" else ""
        cached = " with a warm cache" if name == "sentences" else ""
        print(f"  {name}{cached}: {median(times):.1f} s, {median(times) / least:.2f} x vsm{bar}")


def _job(archive: Archive, web: Path, name: str, budget: str) -> ReplayJob:
    plan = ReplayPlan([(CATALOGUE[name], {})], read_labels(web / "labels.tsv"), budget)
    (job,) = plan.jobs(archive, [read_topic(web / "topics" / f"{TOPIC}.toml")])
    return job


def _replay(archive: Archive, job: ReplayJob, equipment: ModelRuntime, folder: str) -> Result:
    with VectorCache(Path(folder)) as cache:
        plan = replace(job.plan, equipment=replace(equipment, cache=cache))
        return run_job(archive, replace(job, plan=plan))
