"""The quality gate: labelled harvest on the schools web, against floors that only rise.

``make gate WEBS=folder`` replays every strategy on every topic of the web and compares the
mean labelled harvest with ``quality/floors.json``:

* ``bands`` check the accounting: value and how far off it may be, either way;
* ``floors`` must be reached, less the tolerance, which is larger for strategies that draw;
* ``ratios`` of two strategies must be reached;
* nothing may lie above ``oracle``;
* the archive must be the one the floors were measured on (SHA-256).

Strategies that need the extra ``neural`` are left out: ``make bench-neural`` measures them. Those
that leave something to chance run with seed 0; ``make bench-ontology`` tells how far seeds differ.

``--update`` writes floors for new strategies and raises those that were beaten;
lowering one needs ``--allow-lower`` as well, and a reason in the commit message.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from scenthound.core.errors import InputError, ScenthoundWarning
from scenthound.core.parameters import Value
from scenthound.crawler.caches import CacheChoice, open_reading_cache
from scenthound.crawler.metrics import read_labels
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import open_archive
from scenthound.storage.files import write_json
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.text_model_builders import NEURAL

FLOORS = Path(__file__).with_name("floors.json")
WEB = "schools"
ORACLE = "oracle"
SEED = 0
_SET: Mapping[str, Mapping[str, Value]] = {"scent": {"sentences": "no"}}
"""So that the figures do not depend on what is installed."""
Harvest = Mapping[str, float]


@dataclass(frozen=True)
class Finding:
    """One comparison: what was asked, what was measured, whether it holds."""

    name: str
    measured: float
    asked: str
    holds: bool


def gated() -> list[str]:
    """The strategies that need no neural network."""
    return [name for name in CATALOGUE if CATALOGUE[name].extra != NEURAL]


def measure(web: Path, names: Sequence[str], budget: str) -> dict[str, dict[str, float]]:
    """Labelled harvest by strategy and topic; topics in parallel."""
    topics = sorted((web / "topics").glob("*.toml"))
    if not topics:
        raise InputError(f"{web} has no topics/*.toml; give the folder of the webs with --webs.")
    with (
        tempfile.TemporaryDirectory(prefix="scenthound-gate-") as cache,
        ProcessPoolExecutor(max_workers=os.cpu_count()) as pool,
    ):
        choice = CacheChoice(cache)
        work = [(web, topic, tuple(names), budget, choice) for topic in topics]
        rows = pool.map(_measure_topic, work)
        by_topic = dict(zip((topic.stem for topic in topics), rows, strict=True))
    return {name: {topic: row[name] for topic, row in by_topic.items()} for name in names}


def _measure_topic(work: tuple[Path, Path, tuple[str, ...], str, CacheChoice]) -> dict[str, float]:
    web, topic, names, budget, choice = work
    warnings.simplefilter("ignore", ScenthoundWarning)  # a process of its own: the table is enough
    plan = ReplayPlan(
        strategies=[(CATALOGUE[name], _SET.get(name, {})) for name in names],
        labels=read_labels(web / "labels.tsv"),
        budget=budget,
        seed=SEED,
    )
    with (
        open_archive(web / f"{WEB}.warc.gz") as archive,
        open_reading_cache(choice) as reading,
    ):
        jobs = replace(plan, reading=reading).jobs(archive, [read_topic(topic)])
        return {job.spec.name: run_job(archive, job).final.labelled_harvest or 0.0 for job in jobs}


def compare(measured: Harvest, floors: Mapping[str, Any]) -> list[Finding]:
    """Every band, floor and the oracle's bound, in words and with a verdict."""
    findings = []
    for name, value in measured.items():
        if name in floors["bands"]:
            middle, off = floors["bands"][name]
            holds = abs(value - middle) <= off
            findings.append(Finding(name, value, f"{middle} +- {off}", holds))
        elif name in floors["floors"]:
            floor, tolerance = floors["floors"][name], tolerance_of(name, floors)
            holds = value >= floor - tolerance
            findings.append(Finding(name, value, f">= {floor} - {tolerance}", holds))
        else:
            findings.append(Finding(name, value, "no floor yet: run with --update", False))
    for name in {**floors["bands"], **floors["floors"]}:
        if name not in measured:
            findings.append(Finding(name, 0.0, "a strategy of this name", False))
    for first, second, least in floors.get("ratios", []):
        ratio = measured.get(first, 0.0) / max(measured.get(second, 0.0), 1e-9)
        findings.append(Finding(f"{first} / {second}", ratio, f">= {least}", ratio >= least))
    bound = measured.get(ORACLE, 1.0)
    above = max((v for n, v in measured.items() if n != ORACLE), default=0.0)
    findings.append(Finding("the best of the others", above, f"<= oracle {bound:.4f}",
                            above <= bound))  # fmt: skip
    return findings


def tolerance_of(name: str, floors: Mapping[str, Any]) -> float:
    """How far below its floor a strategy may fall.

    One that draws falls and rises with the last digit of any number, on another processor too.
    """
    draws = name in CATALOGUE and not CATALOGUE[name].is_greedy
    tolerance: float = floors.get("drawn_tolerance" if draws else "", floors["tolerance"])
    return tolerance


def updated(measured: Harvest, floors: Mapping[str, Any], allow_lower: bool) -> dict[str, Any]:
    """Floors with what was measured now; a lower one only where that is allowed."""
    new = dict(floors["floors"])
    for name, value in measured.items():
        if name in floors["bands"]:
            continue
        value = round(value, 4)
        if name not in new or value > new[name] or allow_lower:
            new[name] = value
        elif value < new[name] - tolerance_of(name, floors):
            raise InputError(
                f"{name} measured {value}, below its floor {new[name]}: "
                "find out why, or lower the floor with --allow-lower."
            )
    return {**floors, "floors": new}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the gate; 0 when all holds, 1 when not, 2 for bad input."""
    parser = argparse.ArgumentParser(prog="gate", description=__doc__.split("\n")[0])
    parser.add_argument("--webs", type=Path, required=True, help="folder that holds schools/")
    parser.add_argument("--update", action="store_true", help="raise floors, add new strategies")
    parser.add_argument("--allow-lower", action="store_true", help="with --update: lower floors")
    options = parser.parse_args(arguments)
    try:
        return _gate(options.webs / WEB, options.update, options.allow_lower)
    except InputError as error:
        print(f"gate: {error}", file=sys.stderr)
        return 2


def _gate(web: Path, update: bool, allow_lower: bool) -> int:
    floors = json.loads(FLOORS.read_text(encoding="utf-8"))
    with open_archive(web / f"{WEB}.warc.gz") as archive:
        if archive.fingerprint != floors["sha256"]:
            raise InputError(f"{archive.path} is not the archive the floors were measured on.")
    rows = measure(web, gated(), floors["budget"])
    means = {name: fmean(row.values()) for name, row in rows.items()}
    _print_rows(rows, means)
    if update:
        write_json(FLOORS, updated(means, floors, allow_lower))
        print(f"floors written to {FLOORS}")
        return 0
    findings = compare(means, floors)
    for finding in findings:
        mark = "ok  " if finding.holds else "FAIL"
        print(f"{mark} {finding.name:24} {finding.measured:.4f}  asked: {finding.asked}")
    failed = sum(not finding.holds for finding in findings)
    print(f"quality gate: {len(findings) - failed} passed, {failed} failed")
    return 1 if failed else 0


def _print_rows(rows: Mapping[str, Harvest], means: Harvest) -> None:
    topics = list(next(iter(rows.values())))
    width = max(map(len, ("labelled harvest", *rows)))
    print("labelled harvest".ljust(width), *(topic[:8].rjust(8) for topic in topics), "    mean")
    for name, row in rows.items():
        cells = (f"{row[topic]:8.3f}" for topic in topics)
        print(name.ljust(width), *cells, f"{means[name]:8.4f}")


if __name__ == "__main__":
    sys.exit(main())
