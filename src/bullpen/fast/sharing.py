"""Arrays on a device that other libraries read where they lie: by the CUDA array interface, or by DLPack.

DLPack hands over a small C structure in a capsule. Numba's device arrays speak the first of the two only.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

CUDA = 2
"""The number of CUDA devices in DLPack."""
CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
"""The numbers of kinds of numbers, by NumPy's letters."""
NAME = b"dltensor"


class _Tensor(ctypes.Structure):
    """What DLPack calls a managed tensor, up to its deleter."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


_lent: dict[int, tuple[Any, ...]] = {}
"""What must live until whoever has taken a tensor lets go of it, by the tensor's address."""

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_is_untaken = ctypes.pythonapi.PyCapsule_IsValid
_is_untaken.restype = ctypes.c_int
_is_untaken.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
_pointer_in = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_in.restype = ctypes.c_void_p
_pointer_in.argtypes = (ctypes.c_void_p, ctypes.c_char_p)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _let_go(tensor: int) -> None:
    _lent.pop(tensor, None)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _forget(capsule: int) -> None:
    """Let go of a tensor that nobody has taken out of its capsule."""
    if _is_untaken(capsule, NAME):
        _let_go(_pointer_in(capsule, NAME))


class Shared:
    """A contiguous array on the device, for any library that reads it where it lies.

    `torch.as_tensor(shared, device="cuda")` and `torch.from_dlpack(shared)` see its memory, and so does
    whatever is written there later; `jax.dlpack.from_dlpack(shared)` likewise.
    """

    def __init__(self, array: Any, wait: Callable[[int], None]) -> None:
        self.array = array
        """The device array of Numba."""
        self._wait = wait

    @property
    def shape(self) -> tuple[int, ...]:
        """How many there are along each axis."""
        shape: tuple[int, ...] = self.array.shape
        return shape

    @property
    def dtype(self) -> Any:
        """What it holds."""
        return self.array.dtype

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        interface: dict[str, Any] = self.array.__cuda_array_interface__
        return interface

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, 0

    def __dlpack__(self, *, stream: int | None = None, **_newer: Any) -> Any:
        """Return the array in a capsule; work on the other side's stream begins after ours."""
        if stream is not None and stream > 2:
            self._wait(stream)
        return capsule_of(self.array.__cuda_array_interface__, self)

    def copy_to_host(self) -> Any:
        """Return a copy as an array of NumPy."""
        return self.array.copy_to_host()


def capsule_of(interface: dict[str, Any], owner: Any) -> Any:
    """Return a DLPack capsule of a contiguous array, which keeps its owner alive."""
    kind, shape = np.dtype(interface["typestr"]), interface["shape"]
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    tensor = _Tensor(
        data=interface["data"][0],
        device_type=CUDA,
        device_id=0,
        ndim=len(shape),
        code=CODES[kind.kind],
        bits=8 * kind.itemsize,
        lanes=1,
        shape=sizes,
        strides=None,
        byte_offset=0,
        manager=None,
        deleter=ctypes.cast(_let_go, ctypes.c_void_p),
    )
    address = ctypes.addressof(tensor)
    _lent[address] = (tensor, sizes, owner)
    return _new_capsule(address, NAME, ctypes.cast(_forget, ctypes.c_void_p))
