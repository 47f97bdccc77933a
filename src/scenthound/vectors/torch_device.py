"""Where a model of PyTorch works: on which device, with how many threads, how exactly."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from scenthound.core.errors import SettingsError

AUTO = "auto"
MOST_THREADS = 8
_FAST_IN_BFLOAT16 = ("avx512_bf16", "amx_bf16")
"""What a processor has that multiplies in bfloat16; others only imitate it, slowly."""


def chosen_device(asked: str) -> str:
    """The device that was asked for; ``auto``: the GPU where there is one, else the processor.

    SettingsError where the device is not there.
    """
    import torch

    if asked == AUTO:
        mps = "mps" if torch.backends.mps.is_available() else "cpu"
        return "cuda" if torch.cuda.is_available() else mps
    try:
        torch.zeros(1, device=asked).tolist()
    except (RuntimeError, AssertionError, NotImplementedError):  # each device has its own
        raise SettingsError(
            f"There is no device {asked!r} here; give auto, cpu, or a GPU by name, such as cuda."
        ) from None
    return asked


def chosen_precision(device: str, exact: bool = False) -> str:
    """Kind of numbers that ``device`` multiplies fastest without a loss one would notice.

    Parameters
    ----------
    exact : float32 in any case, for numbers that do not depend on the device.
    """
    import torch

    if exact:
        return "float32"
    if device.startswith("cuda"):
        return "float16"
    capabilities: Mapping[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    fast = any(capabilities.get(name) for name in _FAST_IN_BFLOAT16)
    return "bfloat16" if fast and device.startswith("cpu") else "float32"


def thread_count(asked: int) -> int:
    """As many threads as asked for; 0: as many as this process may use cores, at most 8.

    SettingsError for less than 0.
    """
    if asked < 0:
        raise SettingsError(f"threads must be 0, for as many as there are cores, or more: {asked}.")
    return asked or min(_cores(), MOST_THREADS)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


@contextmanager
def threads(count: int) -> Iterator[None]:
    """PyTorch works with so many threads meanwhile. Their number is the whole process's."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
