"""A process that reads the text of pages.

``python -m scenthound.corpus.text_process`` reads frames from its standard input, a page each, and
answers each with a frame. It ends when its input does, so it never outlives the export. A page
that hangs or kills a parser costs this process its life, not the export.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import IO

from scenthound.corpus.main_text import read_text
from scenthound.live.wire import READY, read_frame, write_frame


def serve(pages: IO[bytes], answers: IO[bytes]) -> None:
    """Read pages until there are no more; the first frame says that it is ready."""
    write_frame(answers, READY)
    while (frame := read_frame(pages)) is not None:
        write_frame(answers, _answer(*frame))


def _answer(head: Mapping[str, object], body: bytes) -> dict[str, object]:
    read = read_text(
        body,
        str(head["url"]),
        str(head["content_type"]),
        str(head["language"]),
        main=bool(head["main"]),
    )
    return asdict(read)


def _main() -> None:
    logging.disable(logging.CRITICAL)  # libraries complain of pages; nobody here can mend them
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # should a library print, it does not end up in a frame
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    _main()
