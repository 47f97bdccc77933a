"""``python -m benchmarks.distributed``; see ``benchmarks.distributed.frontier_cost``."""

import sys

from benchmarks.distributed.frontier_cost import main

if __name__ == "__main__":
    sys.exit(main())
