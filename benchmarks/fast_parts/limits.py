"""The limits in C, compiled for this machine."""

import ctypes
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.fast_parts.rates import SEED

from bullpen.fast.games import Plan

SOURCES = Path(__file__).parents[1] / "fast_c"


def compile_limits(folder: str) -> Any:
    library = Path(folder) / "limits.so"
    compiler = os.environ.get("CC", "cc")
    sources = [str(SOURCES / "scalar.c"), str(SOURCES / "simd.c")]
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", *sources, "-o", str(library)]
    subprocess.run(command, check=True)
    limits = ctypes.CDLL(str(library))
    limits.simd_kind.restype = ctypes.c_char_p
    for name in ("scalar_rounds", "array_rounds", "simd_rounds"):
        function = getattr(limits, name)
        numbers = [ctypes.c_int64, ctypes.c_int64, ctypes.c_uint64]
        function.argtypes = [ctypes.c_void_p, *numbers, ctypes.c_void_p]
        function.restype = None
    return limits


def in_c(function: Any, plan: Plan, rounds: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    total = np.zeros(10, np.int64)
    function((ctypes.c_int64 * 8)(*plan), 0, rounds, SEED, total.ctypes.data)
    return total[: plan.players]
