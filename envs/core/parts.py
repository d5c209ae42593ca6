"""Compiling the many small functions of a rule set as parts of one: linked into what calls them, never by themselves.

numba optimizes every function together with all that it calls, makes machine code of that, and does so again for each
of its callers. Of a rule set only the one C function is ever called from outside. Its parts are therefore translated
once, handed on as they are, and optimized and turned into machine code together with the whole: about twice as fast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import llvmlite.binding as llvm
from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.runtime import rtsys

from .part_cache import PartCache


class Part(JITCodeLibrary):
    """The code of one function, which is only ever linked into other code."""

    made: tuple[Any, Any] | None = None  # once it is compiled: the function, and what numba knows of it

    def take(self, module: Any, called: Sequence[Part], counts: bool) -> None:
        """Be what was compiled before: a module of LLVM that calls such parts; `counts`: references of arrays."""
        self._final_module = module
        for library in called:
            self.add_linking_library(library)
        if counts:
            self.add_linking_library(rtsys.library)
        self.finalize()

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """The function and all parts that it calls, in one module that may be linked many times."""
        self._ensure_finalized()
        if self._shared_module is None:
            parts, others = self._below()
            whole = self._final_module.clone()
            for library in parts:
                whole.link_in(library._final_module, preserve=True)
            for library in others:  # theirs are dropped unless something asks for them by now
                whole.link_in(library._get_module_for_linking(), preserve=True)
                self._reload_init.update(library._reload_init)
            for function in whole.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
                # a call of nothing would be found out by a crash
                assert not (function.is_declaration and function.name.startswith("_ZN")), function.name
            self._shared_module = whole
        return self._shared_module

    def _below(self) -> tuple[list[Part], list[Any]]:
        """The parts that are called from here, directly or not, and the other libraries."""
        parts, others = [], []
        seen, todo = {self}, list(self._linking_libraries)
        while todo:
            library = todo.pop()
            if library not in seen:
                seen.add(library)
                if isinstance(library, Part):
                    parts.append(library)
                    todo += library._linking_libraries
                else:
                    others.append(library)
        return parts, others


class _PartCompiler(Compiler):
    """numba's compiler without its last step: no machine code is made, and so nothing that Python could call."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *args: Any) -> None:
        super().__init__(typingctx, targetctx, library, *args)
        # What stands for the function where it is called must be a builtin, one for each. (The context is this
        # compiler's own.)
        self.state.targetctx.get_executable = lambda library, fndesc, env: {}.__getitem__

    def compile_extra(self, func: Callable[..., object]) -> Any:
        if self.state.library is None:
            self.state.library = Part(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


def part(function: Callable[..., object], **options: Any) -> Any:
    """`numba.njit` for a function that only compiled code calls."""
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
    made: Any = njit(pipeline_class=_PartCompiler, **options)(function)
    made._cache = PartCache(made, function, repr(sorted(options.items())), Part)
    return made
