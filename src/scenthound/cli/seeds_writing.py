"""Where accepted proposals go: into the topic file, a copy of it, or a seeds file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scenthound.cli.screen import notices, plain
from scenthound.cli.seeds_view import counted
from scenthound.core.errors import SettingsError
from scenthound.seeding.proposal import Proposal
from scenthound.store.atomic import check_replaceable

_TOML = ".toml"


def check_target(topic: Path, out: Path | None, force: bool) -> None:
    """SettingsError where accepted proposals could not be written, or over something else."""
    if out is not None:
        _check_out(topic, out, force)
    try:
        check_replaceable((out or topic).resolve())
    except OSError as error:
        raise SettingsError(
            f"{out or topic} cannot be written: {error.strerror}; give another --out."
        ) from None


def _check_out(topic: Path, out: Path, force: bool) -> None:
    if out.is_dir():
        raise SettingsError(f"--out {out} is a folder; give the name of a file.")
    if not out.parent.is_dir():
        raise SettingsError(f"--out {out}: there is no folder {out.parent}; make it first.")
    is_topic = out.suffix.lower() == _TOML and out.resolve() == topic.resolve()
    if out.is_file() and not force and not is_topic:
        raise SettingsError(f"--out {out} is there already; give another name, or --force.")


def write_accepted(topic: Path, accepted: Sequence[Proposal], out: Path | None) -> None:
    """Write what was accepted, and say what was written where."""
    from scenthound.seeding import topic_editing  # its library is loaded by those who need it

    if out is not None and out.suffix.lower() != _TOML:
        topic_editing.write_seeds_file(out, accepted)
        told = f"wrote {counted(accepted, 'URL')} to {out}"
    else:
        topic_editing.add_to_topic(topic, accepted, out)
        added = topic_editing.additions(accepted)
        told = (
            f"wrote {counted(added['seeds'], 'seed')} and "
            f"{counted(added['examples'], 'example page')} to {out or topic}"
        )
    notices().print(plain(told), soft_wrap=True)
