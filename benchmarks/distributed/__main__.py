"""``python -m benchmarks.distributed``; see ``benchmarks.distributed.run``."""

import signal
import sys

from benchmarks.distributed.run import main


def _end(number: int, frame: object) -> None:
    """As an exception does: servers and workers are ended on the way out."""
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)
    sys.exit(main())
