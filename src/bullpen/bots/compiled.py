"""How the searching levels are compiled."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from bullpen.fast.compiled import Array, kernel, rule, slow_kernel

F = TypeVar("F", bound=Callable[..., Any])

whole = cast(Callable[[Any], int], np.int64)
"""Turn a number of any width into a plain one; in compiled code small ones would stay small."""
real = cast(Callable[[Any], float], np.float64)
"""Turn a number into a real one."""


def plain(number: int) -> int:
    """Return a constant of which compiled code knows the type only.

    Numba compiles a function anew for every constant of Python's that it is called with.
    """
    return cast(int, np.int64(number))


def piece(function: F) -> F:
    """Compile a function that kernels call; products may be fused into sums, nothing else is reordered."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}, "_nrt": False}
    return cast(F, numba.njit(**options)(function))


__all__ = ["Array", "kernel", "piece", "plain", "real", "rule", "slow_kernel", "whole"]
