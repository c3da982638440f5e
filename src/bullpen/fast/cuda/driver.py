"""What the parts of the twin on a device share: how kernels are made and launched, and arrays over there."""

import importlib
from typing import Any

import numpy as np

from bullpen.fast.errors import FastMissing
from bullpen.fast.simd.registers import THREADS

try:
    cuda: Any = importlib.import_module("numba.cuda")
except ImportError as missing:
    raise FastMissing("bullpen.fast.cuda needs a CUDA device and  pip install numba-cuda") from missing


def is_available() -> bool:
    """Whether there is a device to run on."""
    return bool(cuda.is_available())


def kernel(function: Any) -> Any:
    """Compile an entry point for the device, when it is first launched."""
    return cuda.jit(fastmath=False, opt=True)(function)


def blocks_for(games: int) -> int:
    """Return how many blocks have a thread for each of that many games."""
    return -(-games // THREADS)


def there(array: Any) -> Any:
    """Return an array on the device: as it is, if it lies there already."""
    if hasattr(array, "__cuda_array_interface__"):
        return cuda.as_cuda_array(array)
    return cuda.to_device(np.ascontiguousarray(array))


def side_by_side(array: Any) -> Any:
    """Return a copy on the device with the game as last axis in memory, so that threads read side by side."""
    return cuda.to_device(np.asfortranarray(array))


def wait_for_us(stream: int) -> None:
    """Let another stream of the device go on only after what has been launched here."""
    done = cuda.event()
    done.record()
    done.wait(cuda.external_stream(stream))
