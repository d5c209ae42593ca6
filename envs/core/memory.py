"""Numbers in memory that is given by its address, for compiled loops that arrays and their counts would hold up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .abi import array_view, float32_at, int64_at
from .jit import config

BLOCK = 32  # numbers looked at together

int32_at = array_view("i4")

if TYPE_CHECKING or config.DISABLE_JIT:

    def nonzero(address: int) -> int:
        """The bit set of the float32 numbers, of `BLOCK` at an address, that are not 0."""
        return sum(1 << int(i) for i in np.flatnonzero(float32_at(address, BLOCK)))

    def unequal(address: int, other: int) -> int:
        """The bit set of the float32 numbers, of `BLOCK` at an address, that are not those at another one."""
        return sum(1 << int(i) for i in np.flatnonzero(float32_at(address, BLOCK) != float32_at(other, BLOCK)))

    def clear(address: int) -> None:
        """Write 0 into the float32 numbers, `BLOCK`, at an address."""
        float32_at(address, BLOCK)[:] = 0.0

    def get(address: int, i: int) -> Any:
        """The i-th float32 at an address."""
        return float32_at(address + 4 * i, 1)[0]

    def put(address: int, i: int, value: Any) -> None:
        """Write the i-th float32 at an address."""
        float32_at(address + 4 * i, 1)[0] = value

    def get_index(address: int, i: int) -> int:
        """The i-th int32 at an address."""
        return int(int32_at(address + 4 * i, 1)[0])

    def put_index(address: int, i: int, value: int) -> None:
        """Write the i-th int32 at an address."""
        int32_at(address + 4 * i, 1)[0] = value

    def get_word(address: int, i: int) -> int:
        """The i-th int64 at an address."""
        return int(int64_at(address + 8 * i, 1)[0])

    def put_word(address: int, i: int, value: int) -> None:
        """Write the i-th int64 at an address."""
        int64_at(address + 8 * i, 1)[0] = value

else:
    _I32, _I64, _F32 = ir.IntType(32), ir.IntType(64), ir.FloatType()

    def _at(builder: Any, address: Any, index: Any, kind: Any) -> Any:
        """The pointer to number `index` of a kind at an address."""
        return builder.gep(builder.inttoptr(address, kind.as_pointer()), [index])

    @intrinsic
    def nonzero(typingctx: Any, address: Any) -> Any:
        """The bit set of the float32 numbers, of `BLOCK` at an address, that are not 0."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            vector = ir.VectorType(_F32, BLOCK)
            numbers = builder.load(builder.inttoptr(args[0], vector.as_pointer()), align=4)
            found = builder.fcmp_unordered("!=", numbers, ir.Constant(vector, [0.0] * BLOCK))
            return builder.zext(builder.bitcast(found, ir.IntType(BLOCK)), _I64)

        return types.int64(types.int64), codegen

    @intrinsic
    def unequal(typingctx: Any, address: Any, other: Any) -> Any:
        """The bit set of the float32 numbers, of `BLOCK` at an address, that are not those at another one."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            vector = ir.VectorType(_F32, BLOCK)
            numbers = [builder.load(builder.inttoptr(at, vector.as_pointer()), align=4) for at in args]
            found = builder.fcmp_unordered("!=", *numbers)
            return builder.zext(builder.bitcast(found, ir.IntType(BLOCK)), _I64)

        return types.int64(types.int64, types.int64), codegen

    @intrinsic
    def clear(typingctx: Any, address: Any) -> Any:
        """Write 0 into the float32 numbers, `BLOCK`, at an address."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            vector = ir.VectorType(_F32, BLOCK)
            place = builder.inttoptr(args[0], vector.as_pointer())
            builder.store(ir.Constant(vector, [0.0] * BLOCK), place, align=4)
            return context.get_dummy_value()

        return types.void(types.int64), codegen

    @intrinsic
    def get(typingctx: Any, address: Any, i: Any) -> Any:
        """The i-th float32 at an address."""
        return types.float32(types.int64, types.int64), lambda _c, builder, _s, args: builder.load(
            _at(builder, *args, _F32), align=4
        )

    @intrinsic
    def put(typingctx: Any, address: Any, i: Any, value: Any) -> Any:
        """Write the i-th float32 at an address."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address, i, value = args
            builder.store(value, _at(builder, address, i, _F32), align=4)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.float32), codegen

    @intrinsic
    def get_index(typingctx: Any, address: Any, i: Any) -> Any:
        """The i-th int32 at an address."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.sext(builder.load(_at(builder, *args, _I32), align=4), _I64)

        return types.int64(types.int64, types.int64), codegen

    @intrinsic
    def put_index(typingctx: Any, address: Any, i: Any, value: Any) -> Any:
        """Write the i-th int32 at an address."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address, i, value = args
            builder.store(builder.trunc(value, _I32), _at(builder, address, i, _I32), align=4)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), codegen

    @intrinsic
    def get_word(typingctx: Any, address: Any, i: Any) -> Any:
        """The i-th int64 at an address."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(_at(builder, *args, _I64))

        return types.int64(types.int64, types.int64), codegen

    @intrinsic
    def put_word(typingctx: Any, address: Any, i: Any, value: Any) -> Any:
        """Write the i-th int64 at an address."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address, i, value = args
            builder.store(value, _at(builder, address, i, _I64))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), codegen


__all__ = ["BLOCK", "clear", "get", "get_index", "get_word", "nonzero", "put", "put_index", "put_word", "unequal"]
