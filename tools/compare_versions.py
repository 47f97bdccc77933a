"""Do two commits behave alike? The safety net of a change that must not change behaviour.

    python -m tools.compare_versions OLD [NEW] [--strategy NAME ...] [--commands]

Each commit is checked out into a temporary folder and run by the Python of this process. Every
registered strategy replays the sample web under both; journals and results must be equal byte for
byte. Nothing is recorded in the repository, because floating-point sums differ between machines.
With ``--commands`` the output and the exit code of the commands below are compared too; a changed
message shows up as a diff to read, and is not counted as a failure.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

BUDGET = "60"
TOPICS = ("storms", "cars")
_MAIN = "from scenthound.cli.main import main; main()"
_STRATEGIES = "import json; from scenthound import CATALOGUE; print(json.dumps(list(CATALOGUE)))"
_STRATEGIES_NOW = (
    "import json; from scenthound.strategies.catalogue import CATALOGUE;"
    " print(json.dumps(list(CATALOGUE)))"
)
_SAMPLE = "sample"
_NUMBERS = re.compile(r"\d+(?:\.\d+)? ?(?:s|ms|min|MB|kB|GB|pages/s)\b|\d\d:\d\d(?::\d\d)?")

_TIMES = re.compile(rb'"(?:seconds|pages_per_second|peak_rss_mb)": [^,\n]*,')
"""What differs between two runs of one version."""
_RENAMED = {b'"hold":': b'"prior_weight":'}
"""Parameters of strategies that have another name since version 0.1."""

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--help",),
    *(
        (name, "--help")
        for name in (
            "init", "seeds", "crawl", "worker", "status", "resume", "pause", "stop", "forget",
            "dashboard", "scope-test", "explain", "export", "merge", "replay", "compare", "report",
            "bench-web", "sample", "score", "tune", "strategies", "cache", "demo", "topic",
            "ontology",
        )
    ),
    ("strategies",),
    ("strategies", "scent"),
    ("topic", "show", "sample/topics/storms.toml"),
    ("status", "crawl/storms/vsm"),
    ("explain", "crawl/storms/vsm", "http://stormwatch.test/"),
    ("explain", "crawl/storms/vsm", "http://nowhere.test/"),
    ("export", "crawl/storms/vsm", "--format", "jsonl", "--out", "-"),
    ("export", "crawl/storms/vsm", "--format", "csv", "--out", "-", "--relevant"),
    ("sample", "crawl/storms/vsm", "--n", "10", "--out", "-"),
    ("scope-test", "http://stormwatch.test/", "--seed", "http://stormwatch.test/"),
    ("crawl", "--topic", "missing.toml", "--out", "nothing"),
    ("export", "nothing"),
    ("replay", "nothing.warc.gz", "--topic", "sample/topics/storms.toml"),
    ("replay", "sample/sample.warc.gz", "--topic", "sample/topics/storms.toml", "--strategy", "vm"),
)  # fmt: skip
"""Every command: its help, one use where it is quick, and mistakes that are often made."""


class Version(NamedTuple):
    """A commit that is checked out, and the folder it works in."""

    name: str
    source: Path
    work: Path

    def run(self, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """The command line of this version."""
        return self.python(_MAIN, words)

    def python(self, code: str, words: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        """A line of Python under this version."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.source / "src"),
            "XDG_CACHE_HOME": str(self.work / "cache"),
            "COLUMNS": "100",
            "SCENTHOUND_NEURAL": "no",
        }
        command = [sys.executable, "-c", code, *words]
        return subprocess.run(
            command, cwd=self.work, env=environment, capture_output=True, text=True
        )


@contextmanager
def checked_out(commits: Sequence[str]) -> Iterator[list[Version]]:
    """The commits, each in a folder of its own that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        versions = []
        for number, commit in enumerate(commits):
            version = Version(
                commit, Path(folder) / f"source-{number}", Path(folder) / f"work-{number}"
            )
            version.source.mkdir()
            version.work.mkdir()
            packed = subprocess.run(
                ["git", "archive", commit], check=True, capture_output=True
            ).stdout
            subprocess.run(["tar", "x", "-C", str(version.source)], input=packed, check=True)
            versions.append(version)
        yield versions


def strategies_of(version: Version) -> list[str]:
    """The registered strategies; the catalogue has moved since the first versions."""
    for code in (_STRATEGIES_NOW, _STRATEGIES):
        ran = version.python(code)
        if ran.returncode == 0:
            return list(json.loads(ran.stdout))
    raise SystemExit(f"{version.name} lists no strategies: {ran.stderr}")


def replay(version: Version, strategy: str) -> dict[str, bytes]:
    """Journals and results of replays of the sample web, by file."""
    out = version.work / "replays" / strategy
    words = ["replay", f"{_SAMPLE}/sample.warc.gz", "--strategy", strategy, "--budget", BUDGET]
    words += ["--labels", f"{_SAMPLE}/labels.tsv", "--out", str(out), "--cache", "none"]
    for topic in TOPICS:
        words += ["--topic", f"{_SAMPLE}/topics/{topic}.toml"]
    ran = version.run(words)
    if ran.returncode != 0:
        return {"exit": f"{ran.returncode} {ran.stderr[-2000:]}".encode()}
    files = sorted([*out.rglob("journal.jsonl"), *out.rglob("results.json")])
    return {str(path.relative_to(out)): _comparable(path.read_bytes()) for path in files}


def _comparable(content: bytes) -> bytes:
    for old, new in _RENAMED.items():
        content = content.replace(old, new)
    return _TIMES.sub(b"", content)


def compare_replays(old: Version, new: Version, only: Sequence[str]) -> list[str]:
    """The strategies that do not replay alike; each is printed as it is done."""
    names = list(only) or strategies_of(old)
    missing = sorted(set(names) - set(strategies_of(new)))
    different = [f"{name} is missing" for name in missing]
    for name in names:
        if name in missing:
            continue
        before, after = replay(old, name), replay(new, name)
        unlike = [path for path in {**before, **after} if before.get(path) != after.get(path)]
        print(f"{name:22s} {'equal' if not unlike else 'DIFFERENT: ' + ', '.join(unlike)}")
        if "exit" in before or "exit" in after:
            print(before.get("exit", b"").decode(), after.get("exit", b"").decode())
            unlike = ["exit"]  # two replays that fail alike show nothing
        different += [f"{name}: {path}" for path in unlike]
        sys.stdout.flush()
    return different


def compare_commands(old: Version, new: Version) -> list[str]:
    """The commands whose exit code differs; changed output is printed as a diff."""
    for version in (old, new):
        first = ["replay", f"{_SAMPLE}/sample.warc.gz", "--strategy", "vsm", "--budget", BUDGET]
        first += ["--topic", f"{_SAMPLE}/topics/storms.toml", "--out", "crawl", "--cache", "none"]
        version.run(first)
    different = []
    for words in COMMANDS:
        before, after = old.run(words), new.run(words)
        if before.returncode != after.returncode:
            codes = f"exit code {before.returncode}, now {after.returncode}"
            different.append(f"{' '.join(words)}: {codes}")
        diff = list(difflib.unified_diff(_lines(before, old), _lines(after, new), lineterm="", n=0))
        if diff:
            print(f"\n$ scenthound {' '.join(words)}")
            print("\n".join(diff[2:]))
    return different


def _lines(ran: subprocess.CompletedProcess[str], version: Version) -> list[str]:
    """What a command printed, without what differs between two runs of one version."""
    text = (ran.stdout + ran.stderr).replace(str(version.work), "WORK")
    return [_NUMBERS.sub("N", line).rstrip() for line in text.splitlines()]


def main() -> None:
    """Compare, print, and exit with 1 where replays or exit codes differ."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new", nargs="?", default="HEAD")
    parser.add_argument("--strategy", action="append", default=[])
    parser.add_argument("--commands", action="store_true")
    options = parser.parse_args()
    with checked_out([options.old, options.new]) as (old, new):
        made = old.run(["demo", "--out", _SAMPLE, "--replay"])
        if not (old.work / _SAMPLE / "sample.warc.gz").exists():
            raise SystemExit(f"the sample web was not written: {made.stderr[-500:]}")
        (new.work / _SAMPLE).symlink_to(old.work / _SAMPLE)
        different = compare_replays(old, new, options.strategy)
        if options.commands:
            different += compare_commands(old, new)
    print(f"{len(different)} differences" if different else "no difference")
    for line in different:
        print(f"  {line}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
