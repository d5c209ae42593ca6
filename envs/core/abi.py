"""The one door between compiled drivers and rules: a C function per rule set, called by its address.

Drivers, search and solvers are compiled once for all games; a rule set compiles a single entry point `kernel(op, s, p,
a, b, out) -> int64` whose arguments are all int64: an operation, the addresses of a state record and of a parameter
record, two small arguments, and the address of an output array. An indirect call costs about 3 ns.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from .jit import config, driver

SETUP, DIE, FALL, TO_ACT, LEGAL, APPLY, OVER, RETURNS, OBSERVE, DETERMINIZE, KEY, ROLL = range(12)
RUNNING, ENDED, STOPPED = range(3)  # what OVER answers; STOPPED: by the safety limit
RULE_ERROR = -(1 << 62)  # what an interpreted kernel answers after an exception, which then waits in the game

WORD_BITS = 32  # actions a word of a legal-action set; half of an int64, so that no shift ever touches the sign

PROTOTYPE = ctypes.CFUNCTYPE(*[ctypes.c_int64] * 7)
CALLBACK = ctypes.PYFUNCTYPE(*[ctypes.c_int64] * 7)  # an interpreted kernel: entered with the interpreter lock held


def _has_pdep() -> bool:
    # one instruction where the processor has it; it saves a loop that the branch predictor cannot learn
    import platform

    import llvmlite.binding as llvm

    return platform.machine() in ("x86_64", "AMD64") and bool(llvm.get_host_cpu_features().get("bmi2"))


if TYPE_CHECKING or config.DISABLE_JIT:  # type checkers read the plain functions, not numba's intrinsics

    def call_kernel(k: int, op: int, s: int, p: int, a: int, b: int, out: int) -> int:
        """Call the kernel at address `k`; see the module docstring."""
        return PROTOTYPE(int(k))(int(op), int(s), int(p), int(a), int(b), int(out))

    def popcount(x: Any) -> int:
        """Number of bits set in the low 63 bits of `x`."""
        return int(x).bit_count()

    def lowest_bit(x: Any) -> int:
        """Index of the lowest bit set; `x` must not be 0."""
        x = int(x)
        return (x & -x).bit_length() - 1

    def select_bit(x: int, n: int) -> int:
        """Index of the n-th bit set (n = 0: the lowest) of the low 63 bits; more than n bits must be set."""
        x = int(x)
        for _ in range(n):
            x &= x - 1
        return lowest_bit(x)

    def address_of(array: np.ndarray) -> int:
        """Address of the first item of a contiguous array."""
        return array.ctypes.data

    def zero_bytes(address: int, n: int) -> None:
        """Set `n` bytes at `address` to zero."""
        ctypes.memset(int(address), 0, int(n))

    def copy_bytes(target: int, source: int, n: int) -> None:
        """Copy `n` bytes; the regions must not overlap."""
        ctypes.memmove(int(target), int(source), int(n))

else:

    @intrinsic
    def call_kernel(typingctx: Any, k: Any, op: Any, s: Any, p: Any, a: Any, b: Any, out: Any) -> Any:
        """Call the kernel at address `k`; see the module docstring."""
        sig = types.int64(*[types.int64] * 7)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            i64 = ir.IntType(64)
            fn = builder.inttoptr(args[0], ir.FunctionType(i64, [i64] * 6).as_pointer())
            return builder.call(fn, list(args[1:]))

        return sig, codegen

    @intrinsic
    def _ctpop(typingctx: Any, x: Any) -> Any:
        return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(args[0])

    @intrinsic
    def _cttz(typingctx: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

    @intrinsic
    def zero_bytes(typingctx: Any, address: Any, n: Any) -> Any:
        """Set `n` bytes at `address` to zero."""
        sig = types.void(types.int64, types.int64)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            i8p, i64, i1 = ir.IntType(8).as_pointer(), ir.IntType(64), ir.IntType(1)
            fn = builder.module.declare_intrinsic("llvm.memset", [i8p, i64])
            zero = ir.Constant(ir.IntType(8), 0)
            builder.call(fn, [builder.inttoptr(args[0], i8p), zero, args[1], ir.Constant(i1, 0)])
            return context.get_dummy_value()

        return sig, codegen

    @intrinsic
    def copy_bytes(typingctx: Any, target: Any, source: Any, n: Any) -> Any:
        """Copy `n` bytes; the regions must not overlap."""
        sig = types.void(types.int64, types.int64, types.int64)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            i8p, i64, i1 = ir.IntType(8).as_pointer(), ir.IntType(64), ir.IntType(1)
            fn = builder.module.declare_intrinsic("llvm.memcpy", [i8p, i8p, i64])
            pointers = [builder.inttoptr(args[0], i8p), builder.inttoptr(args[1], i8p)]
            builder.call(fn, [*pointers, args[2], ir.Constant(i1, 0)])
            return context.get_dummy_value()

        return sig, codegen

    @njit(inline="always")
    def popcount(x):
        """Number of bits set in the low 63 bits of `x`."""
        return _ctpop(x)

    @njit(inline="always")
    def lowest_bit(x):
        """Index of the lowest bit set; `x` must not be 0."""
        return _cttz(x)

    if _has_pdep():

        @intrinsic
        def _pdep(typingctx: Any, x: Any, mask: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                i64 = ir.IntType(64)
                kind = ir.FunctionType(i64, [i64, i64])
                fn = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
                return builder.call(fn, args)

            return types.int64(types.int64, types.int64), codegen

        @njit(inline="always")
        def select_bit(x, n):
            """Index of the n-th bit set (n = 0: the lowest) of the low 63 bits; more than n bits must be set."""
            return _cttz(_pdep(1 << n, x))

    else:

        @njit(inline="always")
        def select_bit(x, n):
            """Index of the n-th bit set (n = 0: the lowest) of the low 63 bits; more than n bits must be set."""
            for _ in range(n):
                x &= x - 1
            return _cttz(x)

    @njit(inline="always")
    def address_of(array):
        """Address of the first item of a contiguous array."""
        return np.int64(array.ctypes.data)


def _through(k: int, op: int, s: int, p: int, a: int, b: int, out: int) -> int:
    return call_kernel(k, op, s, p, a, b, out)


def _open_door(*args: int) -> int:
    """The first call; numba takes half a second to get ready, which a process without a game need not wait for."""
    global _door
    _door = driver(_through, signature=types.int64(*[types.int64] * 7))
    return _door(*args)


_door: Callable[..., int] = _open_door


def call_from_python(k: int, op: int, s: int = 0, p: int = 0, a: int = 0, b: int = 0, out: int = 0) -> int:
    """Call the kernel at address `k` from plain Python (about 0.3 µs)."""
    return _door(k, op, s, p, a, b, out)


def address_of_callback(callback: Any) -> int:
    """The C address of a `CALLBACK`."""
    return ctypes.cast(callback, ctypes.c_void_p).value or 0


def view_of(dtype: np.dtype) -> Any:
    """A compiled-side function `address -> record` (no copy) for records of `dtype`."""
    if config.DISABLE_JIT:
        return lambda address: record_at(int(address), dtype)
    record_type = from_dtype(dtype)

    @intrinsic
    def view(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(record_type))

        return record_type(types.int64), codegen

    return view


def array_view(item: str) -> Any:
    """A compiled-side function `(address, n) -> array` (no copy) for items of the numpy type name `item`."""
    dtype = np.dtype(item)
    if config.DISABLE_JIT:
        return lambda address, n: array_at(int(address), int(n), dtype)
    from numba import carray

    item_type = from_dtype(dtype)

    @intrinsic
    def pointer(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return types.CPointer(item_type)(types.int64), codegen

    @njit(inline="always")
    def view(address, n):
        return carray(pointer(address), (n,))  # pyright: ignore[reportCallIssue]

    return view


def record_at(address: int, dtype: np.dtype) -> Any:
    """The record of `dtype` at an address, as `np.record` (no copy); for plain Python."""
    return array_at(address, 1, dtype).view(np.recarray)[0]


def array_at(address: int, n: int, dtype: np.dtype) -> np.ndarray:
    """`n` items of `dtype` at an address (no copy); for plain Python. The caller keeps the memory alive."""
    dtype = np.dtype((np.record, dtype)) if dtype.names else dtype
    buffer: Any = (ctypes.c_char * (n * dtype.itemsize)).from_address(address)
    return np.frombuffer(buffer, dtype=dtype, count=n)


int64_at = array_view("i8")
float64_at = array_view("f8")
float32_at = array_view("f4")
uint64_at = array_view("u8")
