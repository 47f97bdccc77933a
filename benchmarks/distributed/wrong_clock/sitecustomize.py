"""Python reads this before anything else where its folder is on ``PYTHONPATH``: a wrong clock.

``time.time`` is as many seconds ahead as ``WRONG_BY`` says. The clock for measuring is right, as on
a machine without time synchronisation.
"""

import os
import time

_true, _true_ns = time.time, time.time_ns
_wrong_by = float(os.environ.get("WRONG_BY", "0"))

time.time = lambda: _true() + _wrong_by
time.time_ns = lambda: _true_ns() + round(_wrong_by * 1e9)
