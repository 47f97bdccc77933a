"""A BERT model as its files describe it, held against each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scenthound.core.errors import SettingsError
from scenthound.vectors.bert_files import CONFIG, TOKENIZER, WEIGHTS, BertFiles
from scenthound.vectors.bert_network import Network
from scenthound.vectors.bert_pieces import Pieces, pieces_of
from scenthound.vectors.extra import require
from scenthound.vectors.torch_device import chosen_precision

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_UNUSED = ("pooler.",)
"""Weights that may be missing: nothing reads what they make."""
_BEHIND_PADDING = frozenset({"camembert", "longformer", "mpnet", "roberta", "xlm-roberta"})
"""Models that number positions from behind the number of the padding."""
_REASON = 200
"""Characters of a library's complaint that are passed on."""


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
    config = _config(files.folder)
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


def _config(folder: Path) -> Any:
    import transformers

    with _reported(folder / CONFIG):
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
        for name in ("vocab_size", "hidden_size", "max_position_embeddings"):
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
            output_loading_info=True,
        )
        lacking = [name for name in report["missing_keys"] if not name.startswith(_UNUSED)]
        if lacking:
            raise ValueError(f"{len(lacking)} weights are missing, such as {min(lacking)}")
    return model


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    """Whatever the libraries raise about a file becomes a sentence about it."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  they have no error in common
        reason = " ".join(str(error).split())[:_REASON]
        raise SettingsError(f"{path} is damaged, or of no model we can read: {reason}.") from None


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
