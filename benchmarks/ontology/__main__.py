"""``python -m benchmarks.ontology``; see ``benchmarks.ontology.run``."""

import sys

from benchmarks.ontology.run import main

if __name__ == "__main__":
    sys.exit(main())
