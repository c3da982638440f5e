"""The one place that knows Numba: how a function is compiled, kept, and announced."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from bullpen.fast.errors import FastMissing
from bullpen.machine_code import PACKAGE, SOURCES, alone, clear, folder, shelf, stamp

try:
    numba: Any = importlib.import_module("numba")
    extending: Any = importlib.import_module("numba.extending")
    caching: Any = importlib.import_module("numba.core.caching")
    cgutils: Any = importlib.import_module("numba.core.cgutils")
    compiler_lock: Any = importlib.import_module("numba.core.compiler_lock")
    event: Any = importlib.import_module("numba.core.event")
    registry: Any = importlib.import_module("numba.core.registry")
    templates: Any = importlib.import_module("numba.core.typing.templates")
    ir: Any = importlib.import_module("llvmlite.ir")
    from bullpen.fast.pieces import Piece
except ImportError as missing:
    raise FastMissing(
        "bullpen.fast needs NumPy and Numba: install them with  pip install 'bullpen-games[fast]'"
    ) from missing

F = TypeVar("F", bound=Callable[..., Any])

Array: TypeAlias = Any
"""An array inside compiled code: Numba gives it its exact type when it compiles."""
Int: TypeAlias = Any
"""A whole number or truth value inside compiled code, of the width that Numba infers."""


class Keeper(caching._CacheLocator):  # type: ignore[misc]
    """Tells Numba where to keep a function of ours."""

    def __init__(self, module: Path, place: Path) -> None:
        self._folder = next((part for part in SOURCES if module.is_relative_to(part)), module.parts[0])
        self._name = "-".join(module.with_suffix("").parts)
        self._shelf = shelf(place, self._folder, self._name)

    def get_cache_path(self) -> str:
        """Return the folder of a module."""
        return str(self._shelf)

    def ensure_cache_path(self) -> None:
        """Have that folder, and none of an older source."""
        super().ensure_cache_path()
        clear(self._shelf)

    def get_source_stamp(self) -> str:
        """Return what the code must have been made of to be used."""
        return stamp(self._folder)

    def get_disambiguator(self) -> str:
        """Return what tells functions of the same name apart."""
        return self._name

    @classmethod
    def from_function(cls, _function: Any, file: str) -> "Keeper | None":
        """Return a keeper for a function of this package, if there is a folder to keep it in."""
        place = folder()
        try:
            module = Path(file).relative_to(PACKAGE)
        except ValueError:
            return None
        return None if place is None else cls(module, place)


caching.CacheImpl._locator_classes = [Keeper, *caching.CacheImpl._locator_classes]


# Without Numba's reference counting nothing can be allocated in compiled code, which is as it should
# be, and arrays inside named tuples cost nothing to look at.
_COMMON = {"nogil": True, "error_model": "numpy", "_nrt": False}


def piece(**options: Any) -> Callable[[F], F]:
    """Decorate a function that kernels take in."""

    def decorate(function: F) -> F:
        return cast(F, Piece(function, targetoptions={"nopython": True, **_COMMON, **options}))

    return decorate


def rule(function: F) -> F:
    """Compile a small function that kernels inline; a CUDA kernel may call it as well."""
    return piece(forceinline=True)(function)


class Kernel(registry.CPUDispatcher):  # type: ignore[misc]
    """An entry point, which is compiled by one process at a time."""

    def compile(self, sig: Any) -> Any:
        """Load what is kept, or compile it."""
        place = self._cache.cache_path
        # Numba's own lock comes first, as it does where a kernel is compiled for another one.
        with compiler_lock.global_compiler_lock, alone(Path(place) if place else None, self.__name__):
            return super().compile(sig)


def kernel(function: F) -> F:
    """Compile an entry point: kept on disk, free of Python's lock while it runs."""
    compiled = Kernel(function, targetoptions={"nopython": True, **_COMMON})
    if folder() is not None:
        compiled.enable_caching()
    _KERNELS[compiled] = 0
    return cast(F, compiled)


def slow_kernel(seconds: int) -> Callable[[F], F]:
    """Compile an entry point for which about so many seconds of compiling are worth a warning."""

    def decorate(function: F) -> F:
        compiled = kernel(function)
        _KERNELS[compiled] = seconds
        return compiled

    return decorate


_KERNELS: dict[Any, int] = {}
"""Our entry points, and about how many seconds each takes to compile."""


def by_types(stub: Callable[..., Any]) -> Callable[[F], F]:
    """Decorate a function that returns what to compile for a call of the stub, given its arguments' types."""
    options = {"forceinline": True, "_nrt": False}
    return cast(Callable[[F], F], extending.overload(stub, jit_options=options, strict=False))


def piece_by_types(stub: Callable[..., Any]) -> Callable[[F], F]:
    """Do as `by_types`, where what is compiled is large: kernels take it in as a piece, once."""
    options = {"forceinline": True, "_nrt": False}

    def decorate(function: F) -> F:
        template = templates.make_overload_template(stub, function, options, False, "never")
        others = template._get_jit_decorator

        def decorator(self: Any) -> Any:
            return piece if type(self.context) is numba.core.typing.Context else others(self)

        template._get_jit_decorator = decorator
        templates.infer(template)
        templates.infer_global(stub, numba.types.Function(template))
        return function

    return decorate


class _Crier(event.Listener):  # type: ignore[misc]
    """Says what the wait is for, whenever an entry point is really being compiled."""

    hushed = False

    def on_start(self, event: Any) -> None:
        entry = event.data["dispatcher"]
        if entry in _KERNELS and not self.hushed:
            wait = f"about {_KERNELS[entry]} s" if _KERNELS[entry] else "some seconds"
            keeps = "once for this machine" if folder() else "nothing can be kept on this machine"
            name = f"{entry.py_func.__module__}.{entry.py_func.__name__}"
            print(f"bullpen: compiling {name} ({wait}; {keeps})", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


_CRIER = _Crier()
event.register("numba:compile", _CRIER)


def hush() -> None:
    """Compile without a word, where somebody else says what the wait is for."""
    _CRIER.hushed = True
