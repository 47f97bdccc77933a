"""``python -m benchmarks.neural``; see ``benchmarks.neural.run``."""

import sys

from benchmarks.neural.run import main

if __name__ == "__main__":
    sys.exit(main())
