"""How the searching levels are compiled."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

from bullpen.fast.compiled import HERE, Array, announce, forget_stale, kernel, rule

F = TypeVar("F", bound=Callable[..., Any])

whole = cast(Callable[[Any], int], np.int64)
"""Turn a number of any width into a plain one; in compiled code small ones would stay small."""
real = cast(Callable[[Any], float], np.float64)
"""Turn a number into a real one."""

# What is compiled here takes in rules of the twin.
forget_stale(Path(__file__).parent, HERE)


def piece(function: F) -> F:
    """Compile a function that kernels call; products may be fused into sums, nothing else is reordered."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}, "_nrt": False}
    return cast(F, numba.njit(**options)(function))


__all__ = ["Array", "announce", "kernel", "piece", "real", "rule", "whole"]
