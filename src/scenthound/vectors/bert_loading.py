"""A BERT model as its files describe it, held against each other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from scenthound.core.errors import SettingsError
from scenthound.core.extras import complaint
from scenthound.vectors.bert_files import CONFIG, TOKENIZER, WEIGHTS, BertFiles
from scenthound.vectors.bert_network import Network
from scenthound.vectors.bert_pieces import Pieces, pieces_of
from scenthound.vectors.extra import require
from scenthound.vectors.torch_device import chosen_precision

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

_UNUSED = ("pooler.",)
"""Weights that may be missing or anything: nothing reads what they make."""
_BEHIND_PADDING = frozenset({"camembert", "longformer", "mpnet", "roberta", "xlm-roberta"})
"""Models that number positions from behind the number of the padding."""
_SIZES = ("vocab_size", "hidden_size", "max_position_embeddings")


@dataclass(frozen=True, slots=True)
class Reading:
    """How a model reads.

    Parameters
    ----------
    pieces : what it cuts a text into.
    dimensions : of its vectors.
    takes : pieces that it reads in one go, marks included.
    """

    pieces: Pieces
    dimensions: int
    takes: int


@lru_cache(maxsize=4)
def load_reading(files: BertFiles) -> Reading:
    """The tokenizer and what the configuration says; once in a process."""
    config = _plain_config(files.folder) or _config(files.folder)
    tokenizer = _tokenizer(files.folder / TOKENIZER)
    if max(tokenizer.get_vocab().values(), default=0) >= config.vocab_size:
        raise SettingsError(
            f"{files.folder / TOKENIZER} knows pieces that the model has no vector of "
            f"(it has {config.vocab_size}); give the tokenizer of this model."
        )
    return Reading(pieces_of(tokenizer), config.hidden_size, _takes(config))


@lru_cache(maxsize=4)
def load_network(files: BertFiles, exact: bool, device: str) -> Network:
    """The network with its weights on ``device``; once in a process."""
    import torch

    config = _config(files.folder)
    precision = chosen_precision(device, exact)
    model = _weights(files.folder, config).eval()
    if precision == "bfloat16":
        model = model.to(torch.bfloat16)
    return Network(model.to(device), device, precision, config.pad_token_id or 0)


def _plain_config(folder: Path) -> SimpleNamespace | None:
    """What the configuration of a BERT says, read without the library, which takes seconds to load.

    None for its kin, who call things otherwise, and for what is no configuration.
    """
    try:
        found = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    is_plain = isinstance(found, dict) and found.get("model_type") == "bert"
    if not is_plain or not all(isinstance(found.get(name), int) for name in _SIZES):
        return None
    return SimpleNamespace(**{"pad_token_id": 0, **found})


def _config(folder: Path) -> Any:
    import transformers

    with _reported(folder / CONFIG):
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
        for name in _SIZES:
            if not isinstance(getattr(config, name, None), int):
                raise ValueError(f"it states no {name}")
    return config


def _takes(config: Any) -> int:
    """How many pieces can have a position."""
    first = (config.pad_token_id or 0) + 1 if config.model_type in _BEHIND_PADDING else 0
    return int(config.max_position_embeddings) - first


def _tokenizer(path: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    with _reported(path):
        return Tokenizer.from_file(str(path))


def _weights(folder: Path, config: Any) -> Any:
    import transformers

    with _reported(folder / WEIGHTS), _silence():
        model, report = transformers.AutoModel.from_pretrained(
            folder,
            config=config,
            local_files_only=True,
            use_safetensors=True,
            dtype="float32",
            ignore_mismatched_sizes=True,  # they are in the report
            output_loading_info=True,
        )
        if any(not name.startswith(_UNUSED) for name, *_ in report["mismatched_keys"]):
            raise SettingsError(
                f"{folder / CONFIG} and {WEIGHTS} do not fit each other; take both from one model."
            )
        lacking = [name for name in report["missing_keys"] if not name.startswith(_UNUSED)]
        if lacking:
            raise ValueError(f"{len(lacking)} weights are missing, such as {min(lacking)}")
        for name, weights in model.named_parameters():
            if not name.startswith(_UNUSED) and not _finite(weights):
                raise ValueError(f"{name} holds what is no number, or an infinite one")
    return model


def _finite(weights: Tensor) -> bool:
    """By the least and the greatest: a mask of all would take a quarter of their memory."""
    return not weights.numel() or all(bound.isfinite() for bound in weights.detach().aminmax())


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    """Whatever the libraries raise about a file becomes a sentence about it."""
    try:
        yield
    except (MemoryError, SettingsError):
        raise
    except Exception as error:  # noqa: BLE001  they have no error in common
        raise SettingsError(
            f"{path} is damaged, or of no model we can read: {complaint(error)}."
        ) from None


@contextmanager
def _silence() -> Iterator[None]:
    """transformers neither draws a bar nor reports on weights that nothing reads."""
    logging = require("transformers.utils.logging", "BERT")
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
