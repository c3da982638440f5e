"""How the searching levels are compiled."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from bullpen.fast import compiled
from bullpen.fast.compiled import Array, kernel, rule, slow_kernel

whole = cast(Callable[[Any], int], np.int64)
"""Turn a number of any width into a plain one; in compiled code small ones would stay small."""
real = cast(Callable[[Any], float], np.float64)
"""Turn a number into a real one."""


def plain(number: int) -> int:
    """Return a constant of which compiled code knows the type only.

    Numba compiles a function anew for every constant of Python's that it is called with.
    """
    return cast(int, np.int64(number))


piece = compiled.piece(fastmath={"contract"})
"""Compile a function that kernels call; products may be fused into sums, nothing else is reordered."""


__all__ = ["Array", "kernel", "piece", "plain", "real", "rule", "slow_kernel", "whole"]
