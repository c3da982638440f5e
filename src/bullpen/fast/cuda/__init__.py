"""The twin on a CUDA device: the same rule functions, one game a thread.

Needs the package numba-cuda and a device; `is_available()` says whether both are there.
"""

from bullpen.fast.cuda.batch import DeviceBatch
from bullpen.fast.cuda.driver import cuda, is_available
from bullpen.fast.cuda.rounds import launch_rounds, simulate_on_device
from bullpen.fast.cuda.twins import PLAYED, TwinDeviceBatch

__all__ = [
    "PLAYED",
    "DeviceBatch",
    "TwinDeviceBatch",
    "cuda",
    "is_available",
    "launch_rounds",
    "simulate_on_device",
]
