"""Functions that kernels take in: translated when a kernel is compiled, and no more than that.

Left to itself, Numba optimises every function and makes machine code of it, once with all that it calls
and once more inside of every function that calls it. Nobody runs a piece but as a part of a kernel. So
a piece is only translated (into LLVM's language, tidied up function by function); what is optimised as a
whole and made machine code of is the kernel. That takes half the time and gives the same figures.
"""

import importlib
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

codegen: Any = importlib.import_module("numba.core.codegen")
compiler: Any = importlib.import_module("numba.core.compiler")
machinery: Any = importlib.import_module("numba.core.compiler_machinery")
passes: Any = importlib.import_module("numba.core.typed_passes")
registry: Any = importlib.import_module("numba.core.registry")


class Translation(codegen.JITCodeLibrary):  # type: ignore[misc]
    """A translated piece, as kernels link it."""

    def add_llvm_module(self, ll_module: Any) -> None:
        """Take a translation in."""
        self._optimize_functions(ll_module)
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        """Leave it at that."""
        self._raise_if_finalized()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        return self._with_what_it_calls

    @cached_property
    def _alone(self) -> Any:
        """The piece itself, to be linked any number of times."""
        return super()._get_module_for_linking()

    @cached_property
    def _with_what_it_calls(self) -> Any:
        linked = self._alone.clone()
        for library in self._called():
            self._reload_init.update(library._reload_init)
            part = library._alone if isinstance(library, Translation) else library._get_module_for_linking()
            linked.link_in(part, preserve=True)
        return linked

    def _called(self) -> Iterator[Any]:
        """Yield what the piece calls, and what that calls, each once."""
        seen, ahead = {self}, list(self._linking_libraries)
        while ahead:
            library = ahead.pop(0)
            if library not in seen:
                seen.add(library)
                yield library
                if isinstance(library, Translation):
                    ahead += library._linking_libraries


@machinery.register_pass(mutates_CFG=True, analysis_only=False)
class Translate(passes.NativeLowering):  # type: ignore[misc]
    """Numba's last step, without machine code and without what Python needs for a call."""

    _name = "bullpen_translate"

    def run_pass(self, state: Any) -> bool:
        """Translate a piece, and note where those who call it find it."""
        library = Translation(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library = library
        flags = state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().run_pass(state)
        state.cr = state.cr._replace(cfunc=library)
        state.targetctx.insert_user_function(library, state.cr.fndesc, [library])
        return True


class Translator(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's usual steps with another last one."""

    def define_pipelines(self) -> list[Any]:
        """Return the steps."""
        steps = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state, "bullpen_piece")
        steps.passes = [
            (Translate if step is passes.NativeLowering else step, told) for step, told in steps.passes
        ]
        steps._finalized = False
        steps.finalize()
        return [steps]


class Piece(registry.CPUDispatcher):  # type: ignore[misc]
    """A function that kernels take in. Called from Python, it is compiled like any other."""

    def __init__(
        self,
        py_func: Callable[..., Any],
        locals: dict[str, Any] | None = None,
        targetoptions: dict[str, Any] | None = None,
        pipeline_class: Any = Translator,
    ) -> None:
        super().__init__(py_func, locals, targetoptions, pipeline_class)

    def add_overload(self, cres: Any) -> None:
        """Note a translation; there is no machine code that Python could be told of."""
        self.overloads[tuple(cres.signature.args)] = cres

    def __call__(self, *arguments: Any) -> Any:
        """Return what the function returns."""
        return self._by_itself(*arguments)

    @cached_property
    def _by_itself(self) -> Any:
        return registry.CPUDispatcher(self.py_func, self.locals, self.targetoptions)
