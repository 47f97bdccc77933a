"""Settings for all tests: what hypothesis tries is the same on every run and on every machine."""

from __future__ import annotations

import os
import signal

# Before any library reads them: no test asks the hub of models, and none keeps all cores busy
# waiting for its own threads.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["SCENTHOUND_NEURAL"] = "no"  # the default strategy is tested without; see test_scent
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from crawler.warning_recording import recorded_warnings
from crawler.web_building import Plant
from scenthound.similarity.bert import BertEncoder, load_bert
from scenthound.similarity.encoders import ModelRuntime
from similarity.tiny_bert import write_tiny_bert

# A shell that starts the tests in the background has them ignore Ctrl-C, which some send.
signal.signal(signal.SIGINT, signal.default_int_handler)

pytest.register_assert_rewrite("frontier.frontier_contract", "frontier.frontier_model")

_COMPARING = ("benchmarks", "cli", "evaluation", "examples")
"""Folders whose tests compare strategies."""

# Tests run on every change: as many examples as find a fault in minutes, not all that one can try.
settings.register_profile(
    "scenthound", deadline=None, derandomize=True, database=None, max_examples=30
)
settings.load_profile("scenthound")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the caches of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("caches")))
        yield


@pytest.fixture
def worker_processes() -> None:
    """Runs of a comparison happen in processes of their own, as for users."""


@pytest.fixture(autouse=True)
def no_worker_processes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere they happen in this process, which saves the start of workers."""
    folder = request.path.parent.name
    if folder in _COMPARING and "worker_processes" not in request.fixturenames:
        from evaluation.grid_web import LocalPool

        monkeypatch.setattr("scenthound.evaluation.compare.WorkerPool", LocalPool)


@pytest.fixture(scope="session", autouse=True)
def tiny_minilm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Strategies that name no model get a tiny one, real and random; MiniLM has its own tests."""

    @cache
    def folder() -> Path:
        return write_tiny_bert(tmp_path_factory.mktemp("models") / "tiny-bert")

    def load(model: str = "", *, equipment: ModelRuntime | None = None) -> BertEncoder:
        return load_bert(model or str(folder()), equipment=equipment)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scenthound.strategies.vector_models.load_bert", load)
        yield


@pytest.fixture
def warned() -> Iterator[list[str]]:
    """The messages of all warnings."""
    with recorded_warnings() as messages:
        yield messages


@pytest.fixture
def plant(tmp_path: Path) -> Iterator[Plant]:
    """Call it with responses to get an archive of them."""
    with ExitStack() as stack:
        yield Plant(tmp_path, stack)
