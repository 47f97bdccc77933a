"""Vectors of texts without a network: the mean over vectors of their tokens.

The vectors come inside the package wordllama (256 dimensions, cut out of those of large language
models). Its files are read directly: the package itself would set up logging for the whole
process, and goes to the network for what it does not find.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.similarity.encoders import Vectors, row_sums, unit_rows
from scenthound.similarity.model_runtime import check_files, encodable, package_folder, require

if TYPE_CHECKING:
    from tokenizers import Tokenizer


LONGEST = 20_000
"""Characters of a text that are read."""

_MODULE, _PACKAGE = "wordllama", "wordllama==0.4.0.post1"

_WEIGHTS = "weights/l2_supercat_256.safetensors"

_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"

_PINNED = {
    _WEIGHTS: "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    _TOKENIZER: "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
}

_PURPOSE = "Comparing sentences"

_MISSING = f"{_PURPOSE} needs wordllama; install it with: pip install {_PACKAGE}."


class StaticEncoder:
    """Makes a vector of a text out of those of its tokens (a ``TextEncoder``).

    No token weighs more than another and none is left out, as wordllama does it.

    Parameters
    ----------
    name : of the vectors.
    tokenizer : cuts a text into numbered tokens.
    table : a row for each token.
    longest : characters of a text that are read.
    """

    def __init__(
        self, name: str, tokenizer: Tokenizer, table: Vectors, *, longest: int = LONGEST
    ) -> None:
        self.name, self.dimensions = f"{name}-{longest}", table.shape[1]
        self._tokenizer, self._table, self._longest = tokenizer, table, longest

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each text, in order; zeros for an empty or blank one."""
        shown = [encodable(text[: self._longest]) for text in texts]
        encode = self._tokenizer.encode
        tokens = [
            encode(text, add_special_tokens=False).ids if text.strip() else [] for text in shown
        ]
        ends = np.cumsum([0, *map(len, tokens)])
        places = np.fromiter(chain.from_iterable(tokens), np.int64, ends[-1])
        ones = np.ones(len(places), np.float32)
        return unit_rows(row_sums(ones, places, ends, self._table))


def load_static(*, longest: int = LONGEST) -> StaticEncoder:
    """The vectors inside wordllama; loaded once in a process. Nothing is fetched.

    Parameters
    ----------
    longest : characters of a text that are read.

    Raises
    ------
    SettingsError
        wordllama, or a library that reads its files, is missing, or they are not those we know.
    """
    if longest < 1:
        raise SettingsError(f"longest must be at least 1 character, not {longest}.")
    tokenizer, table = _files()
    return StaticEncoder(f"static-{_PINNED[_WEIGHTS][:16]}", tokenizer, table, longest=longest)


@lru_cache(maxsize=1)
def _files() -> tuple[Tokenizer, Vectors]:
    folder = package_folder(_MODULE, _MISSING)
    check_files(folder, tuple(_PINNED.items()), _PACKAGE)
    for library in ("safetensors", "tokenizers"):
        require(library, _PURPOSE, f"pip install {library}")
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    table = load_file(folder / _WEIGHTS)["embedding.weight"].astype(np.float32)
    return Tokenizer.from_file(str(folder / _TOKENIZER)), table
