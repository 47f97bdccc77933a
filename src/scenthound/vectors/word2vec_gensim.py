"""The library that trains word2vec and reads fastText files, without its chatter."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scenthound.vectors.extra import require


@contextmanager
def gensim(module: str, purpose: str) -> Iterator[Any]:
    """A module of gensim to work with; meanwhile it logs nothing below an error.

    Parameters
    ----------
    module : its name below ``gensim``: "models.word2vec".
    purpose : who needs it, as the subject of a sentence.
    """
    logger = logging.getLogger("gensim")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield require(f"gensim.{module}", purpose)
    finally:
        logger.setLevel(level)
