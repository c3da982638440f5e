"""The one place that knows Numba: how a function is compiled, cached, and announced."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from bullpen.fast.errors import FastMissing

try:
    numba: Any = importlib.import_module("numba")
    extending: Any = importlib.import_module("numba.extending")
    ir: Any = importlib.import_module("llvmlite.ir")
except ImportError as missing:
    raise FastMissing(
        "bullpen.fast needs NumPy and Numba: install them with  pip install 'bullpen-games[fast]'"
    ) from missing

F = TypeVar("F", bound=Callable[..., Any])

Array: TypeAlias = Any
"""An array inside compiled code: Numba gives it its exact type when it compiles."""
Int: TypeAlias = Any
"""A whole number or truth value inside compiled code, of the width that Numba infers."""

HERE = Path(__file__).parent


def forget_stale(folder: Path, *others: Path) -> None:
    """Drop machine code cached in a folder that is older than any source there or in the other folders.

    Numba looks at the file of the function it caches, not at the files of the functions that were
    inlined into it, so an edited rule would live on in the cache of the kernels that use it.
    """
    newest = max(source.stat().st_mtime for each in (folder, *others) for source in each.rglob("*.py"))
    for index in folder.rglob("__pycache__/*.nbi"):
        if index.stat().st_mtime < newest:
            index.unlink(missing_ok=True)


forget_stale(HERE)


# Without Numba's reference counting nothing can be allocated in compiled code, which is as it should
# be, and arrays inside named tuples cost nothing to look at.
_COMMON = {"nogil": True, "error_model": "numpy", "_nrt": False}


def rule(function: F) -> F:
    """Compile a small function that kernels take in whole; a CUDA kernel may call it as well."""
    return cast(F, numba.njit(forceinline=True, **_COMMON)(function))


def kernel(function: F) -> F:
    """Compile an entry point: cached on disk, free of Python's lock while it runs."""
    return cast(F, numba.njit(cache=True, **_COMMON)(function))


def by_types(stub: Callable[..., Any]) -> Callable[[F], F]:
    """Decorate a function that returns what to compile for a call of the stub, given its arguments' types."""
    options = {"forceinline": True, "_nrt": False}
    return cast(Callable[[F], F], extending.overload(stub, jit_options=options, strict=False))


def announce(entry: Callable[..., Any]) -> None:
    """Say once what the wait is for, if this kernel has to be compiled now."""
    dispatcher = cast(Any, entry)
    if dispatcher.overloads:
        return
    folder = Path(dispatcher.stats.cache_path)
    if not any(folder.glob(f"*.{entry.__name__}-*.nbi")):
        wait = "some seconds, once for this machine"
        print(f"bullpen.fast: compiling {entry.__name__} ({wait}; kept in {folder})", file=sys.stderr)
