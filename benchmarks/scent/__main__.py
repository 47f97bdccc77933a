"""``python -m benchmarks.scent``; see ``benchmarks.scent.run``."""

import sys

from benchmarks.scent.run import main

if __name__ == "__main__":
    sys.exit(main())
